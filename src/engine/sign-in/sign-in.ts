import { bucketOf } from '../../domain/accounts/address-bucket.ts';
import { LONGEST_EMAIL, normaliseEmail } from '../../domain/accounts/email.ts';
import type { Requester } from '../../domain/accounts/requester.ts';
import type { AccountId, SessionId } from '../../domain/ids.ts';
import { message } from '../../domain/language/message.ts';
import type { Language } from '../../domain/language/speak.ts';
import { type Result, refuse } from '../../domain/result.ts';
import { verifyPassword } from '../../platform/auth/password.ts';
import { decideAttempt, type SignInDeps, secondsToWaitBefore } from './decide-attempt.ts';
import { selectSignInAccount } from './queries.ts';

export interface Credentials {
  username: string;
  password: string;
  userAgent: string | null;
  /** Who was signed in where this sign-in comes from: that session ends with it. */
  replaces?: { accountId: AccountId; sessionId: SessionId | null } | null;
}

export type SignInRefusal =
  | { reason: 'throttled'; seconds: number }
  | { reason: 'incorrect' }
  | { reason: 'inactive' };

export type PasskeyRefusal = SignInRefusal | { reason: 'no_such_passkey' } | { reason: 'asked_too_long_ago' };

/** Contract, Token and account. */
const ANSWERS = {
  // For translators: of somebody who tries to sign in
  incorrect: [401, message('Incorrect email or password')],
  // For translators: the account of somebody who tries to sign in was deactivated
  inactive: [400, message('Inactive user')],
  no_such_passkey: [401, message('This passkey opens no account here. Use another one, or your password.')],
  asked_too_long_ago: [401, message('That took too long. Try your passkey again.')],
} satisfies Record<Exclude<PasskeyRefusal['reason'], 'throttled'>, [status: number, text: string]>;

/** The token endpoint and the sign-in page say the same, the former in English. */
export function describeSignInRefusal(refusal: PasskeyRefusal, { say }: Language) {
  if (refusal.reason === 'throttled') {
    const { seconds } = refusal;
    // For translators: of signing in; {seconds} is followed by the sign of seconds
    const text = say('Too many attempts. Try again in {seconds}s.', { seconds });
    return { status: 429, text, retryAfterSeconds: seconds };
  }
  const [status, text] = ANSWERS[refusal.reason];
  return { status, text: say(text), retryAfterSeconds: null };
}

export async function signIn(
  deps: SignInDeps,
  requester: Requester,
  { username, password, userAgent, replaces = null }: Credentials,
  now: Date,
): Promise<Result<string, SignInRefusal>> {
  const typed = normaliseEmail(username);
  // No account has a longer one, and a counter's key has an end.
  const email = typed.slice(0, LONGEST_EMAIL);
  const counter = { key: email, from: bucketOf(requester.address ?? '') };
  const seconds = await secondsToWaitBefore(deps.db, counter, now);
  if (seconds > 0) return refuse({ reason: 'throttled', seconds });

  const account = typed === email ? await selectSignInAccount(deps.db, email) : null;
  const isMatch = await verifyPassword(account?.passwordHash ?? null, password);
  const attempt = { counter, requester, account, by: 'password', userAgent, replaces } as const;
  return decideAttempt(deps, { ...attempt, isProved: async () => isMatch, unproved: 'incorrect' }, now);
}

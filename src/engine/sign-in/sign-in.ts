import { bucketOf } from '../../domain/accounts/address-bucket.ts';
import { LONGEST_EMAIL, normaliseEmail } from '../../domain/accounts/email.ts';
import type { Requester } from '../../domain/accounts/requester.ts';
import type { AccountId, SessionId } from '../../domain/ids.ts';
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
const ANSWERS: Record<PasskeyRefusal['reason'], [status: number, text: string]> = {
  incorrect: [401, 'Incorrect email or password'],
  inactive: [400, 'Inactive user'],
  throttled: [429, 'Too many attempts. Try again in <N>s.'],
  no_such_passkey: [401, 'This passkey opens no account here. Use another one, or your password.'],
  asked_too_long_ago: [401, 'That took too long. Try your passkey again.'],
};

/** The token endpoint and the sign-in page say the same. */
export function describeSignInRefusal(refusal: PasskeyRefusal) {
  const [status, text] = ANSWERS[refusal.reason];
  if (refusal.reason !== 'throttled') return { status, text, retryAfterSeconds: null };
  const { seconds } = refusal;
  return { status, text: text.replace('<N>', String(seconds)), retryAfterSeconds: seconds };
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

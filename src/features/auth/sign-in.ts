import { bucketOf } from '../../domain/accounts/address-bucket.ts';
import { LONGEST_EMAIL, normaliseEmail } from '../../domain/accounts/email.ts';
import { provedToBe, type Requester } from '../../domain/accounts/requester.ts';
import {
  countFailure,
  findWindowCutoff,
  secondsToWait,
  secondsToWaitFrom,
} from '../../domain/accounts/sign-in-throttle.ts';
import type { AccountId, SessionId } from '../../domain/ids.ts';
import { type Result, refuse } from '../../domain/result.ts';
import {
  countFromAddress,
  deleteFailures,
  selectFailures,
  selectFromAddress,
  upsertFailures,
} from '../../engine/accounts/sign-in-failures.ts';
import { writeAudit } from '../../engine/audit/write-audit.ts';
import { verifyPassword } from '../../platform/auth/password.ts';
import type { TokenSigner } from '../../platform/auth/token.ts';
import type { Database } from '../../platform/db/database.ts';
import { beginSignedIn } from './begin-signed-in.ts';
import { lockAttempts, selectSignInAccount } from './queries.ts';

export interface SignInDeps {
  db: Database;
  signer: TokenSigner;
}

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

/**
 * Checks the password outside any transaction, for hashing takes long; the outcome is then decided under a lock, as if
 * attempts had come one by one. Guesses that all start before the delay cannot slip through it together.
 */
export async function signIn(
  { db, signer }: SignInDeps,
  requester: Requester,
  { username, password, userAgent, replaces = null }: Credentials,
  now: Date,
): Promise<Result<string, SignInRefusal>> {
  const address = requester.address ?? '';
  const typed = normaliseEmail(username);
  // No account has a longer one, and a counter's key has an end.
  const email = typed.slice(0, LONGEST_EMAIL);
  const from = bucketOf(address);
  const waitBefore = Math.max(
    secondsToWait(await selectFailures(db, email, from), now),
    secondsToWaitFrom(await selectFromAddress(db, from), now),
  );
  if (waitBefore > 0) return refuse({ reason: 'throttled', seconds: waitBefore });

  const account = typed === email ? await selectSignInAccount(db, email) : null;
  const isMatch = await verifyPassword(account?.passwordHash ?? null, password);

  return db.transaction(async (tx) => {
    await lockAttempts(tx, email, from);
    const failed = await selectFailures(tx, email, from);
    const seconds = secondsToWait(failed, now);
    if (seconds > 0) return refuse({ reason: 'throttled', seconds });

    const owner = account && provedToBe(requester, account);
    if (!account || !owner || !isMatch) {
      await upsertFailures(tx, email, from, countFailure(failed, now), now);
      await countFromAddress(tx, from, findWindowCutoff(now), now);
      if (owner)
        await writeAudit(tx, owner, { action: 'auth.sign_in_failed', detail: { reason: 'password' } }, now);
      return refuse({ reason: 'incorrect' });
    }
    if (!account.isActive) {
      await writeAudit(tx, owner, { action: 'auth.sign_in_failed', detail: { reason: 'inactive' } }, now);
      return refuse({ reason: 'inactive' });
    }
    if (failed) await deleteFailures(tx, email, from);
    return beginSignedIn(tx, signer, { owner, account, userAgent, replaces }, now);
  });
}

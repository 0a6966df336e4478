// Whatever proves who somebody is, is looked at outside any transaction, for that takes long; what comes of it is decided here
// under a lock, as if attempts had come one by one. Guesses that all start before the delay cannot slip through it together.
import { provedToBe, type Requester } from '../../domain/accounts/requester.ts';
import {
  countFailure,
  findWindowCutoff,
  secondsToWait,
  secondsToWaitFrom,
} from '../../domain/accounts/sign-in-throttle.ts';
import type { AccountId, SessionId } from '../../domain/ids.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import type { TokenSigner } from '../../platform/auth/token.ts';
import type { Database, ReadDatabase, Tx } from '../../platform/db/database.ts';
import { beginSignedIn } from '../accounts/begin-signed-in.ts';
import {
  countFromAddress,
  deleteFailures,
  selectFailures,
  selectFromAddress,
  upsertFailures,
} from '../accounts/sign-in-failures.ts';
import { writeAudit } from '../audit/write-audit.ts';
import { lockAttempts, type SignInAccount } from './queries.ts';

export interface SignInDeps {
  db: Database;
  signer: TokenSigner;
}

/** Where failures are counted. */
interface Counter {
  key: string;
  /** The addresses it may come from that count as one. */
  from: string;
}

interface Attempt<Unproved extends string> {
  counter: Counter;
  requester: Requester;
  /** Whose it would be. */
  account: Omit<SignInAccount, 'passwordHash'> | null;
  by: 'password' | 'passkey';
  isProved: (tx: Tx) => Promise<boolean>;
  unproved: Unproved;
  detail?: Record<string, string>;
  userAgent: string | null;
  /** Who was signed in where this sign-in comes from: that session ends with it. */
  replaces: { accountId: AccountId; sessionId: SessionId | null } | null;
}

type Refusal<Unproved extends string> =
  | { reason: 'throttled'; seconds: number }
  | { reason: 'inactive' }
  | { reason: Unproved };

export const secondsToWaitBefore = async (
  db: ReadDatabase,
  { key, from }: Counter,
  now: Date,
): Promise<number> =>
  Math.max(
    secondsToWait(await selectFailures(db, key, from), now),
    secondsToWaitFrom(await selectFromAddress(db, from), now),
  );

export function decideAttempt<Unproved extends string>(
  { db, signer }: SignInDeps,
  { counter: { key, from }, requester, account, by, isProved, unproved, ...attempt }: Attempt<Unproved>,
  now: Date,
): Promise<Result<string, Refusal<Unproved>>> {
  return db.transaction(async (tx) => {
    await lockAttempts(tx, key, from);
    const failed = await selectFailures(tx, key, from);
    const seconds = secondsToWait(failed, now);
    if (seconds > 0) return refuse({ reason: 'throttled', seconds });

    const owner = account && provedToBe(requester, account);
    if (!account || !owner || !(await isProved(tx))) {
      await upsertFailures(tx, key, from, countFailure(failed, now), now);
      await countFromAddress(tx, from, findWindowCutoff(now), now);
      if (owner) await writeAudit(tx, owner, { action: 'auth.sign_in_failed', detail: { reason: by } }, now);
      return refuse({ reason: unproved });
    }
    if (!account.isActive) {
      await writeAudit(tx, owner, { action: 'auth.sign_in_failed', detail: { reason: 'inactive' } }, now);
      return refuse({ reason: 'inactive' });
    }
    if (failed) await deleteFailures(tx, key, from);
    return ok((await beginSignedIn(tx, signer, { ...attempt, owner, account }, now)).token);
  });
}

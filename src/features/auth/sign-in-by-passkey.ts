// A passkey proves two things at once: the device, and whoever unlocked it. No address is typed, no password.
import { bucketOf } from '../../domain/accounts/address-bucket.ts';
import { provedToBe, type Requester } from '../../domain/accounts/requester.ts';
import {
  countFailure,
  findWindowCutoff,
  secondsToWait,
  secondsToWaitFrom,
} from '../../domain/accounts/sign-in-throttle.ts';
import { type Result, refuse } from '../../domain/result.ts';
import { answerChallenge, countSignature, findPasskey } from '../../engine/accounts/passkeys.ts';
import {
  countFromAddress,
  deleteFailures,
  selectFailures,
  selectFromAddress,
  upsertFailures,
} from '../../engine/accounts/sign-in-failures.ts';
import { writeAudit } from '../../engine/audit/write-audit.ts';
import type { PasskeySignIn } from '../../engine/requests/requester-of.ts';
import { provePasskey, readPasskeyAnswer } from '../../platform/auth/passkeys.ts';
import { beginSignedIn } from './begin-signed-in.ts';
import { lockAttempts } from './queries.ts';
import type { PasskeyRefusal, SignInDeps } from './sign-in.ts';

/** No email has a space: what is counted for a passkey is counted for nobody's password. */
const counterOf = (credentialId: string): string => `passkey ${credentialId.slice(0, 200)}`;

/** The answer is checked outside any transaction; what comes of it is decided under a lock, like a password. */
export async function signInByPasskey(
  { db, signer }: SignInDeps,
  requester: Requester,
  { answer, challenge, site, userAgent, replaces }: PasskeySignIn,
  now: Date,
): Promise<Result<string, PasskeyRefusal>> {
  if (!challenge) return refuse({ reason: 'asked_too_long_ago' });
  const given = readPasskeyAnswer(answer);
  if (!given) return refuse({ reason: 'no_such_passkey' });
  const from = bucketOf(requester.address ?? '');
  const counter = counterOf(given.credentialId);
  const waitBefore = Math.max(
    secondsToWait(await selectFailures(db, counter, from), now),
    secondsToWaitFrom(await selectFromAddress(db, from), now),
  );
  if (waitBefore > 0) return refuse({ reason: 'throttled', seconds: waitBefore });

  const passkey = await findPasskey(db, given.credentialId);
  const isOwners = passkey && (given.accountId ?? passkey.account.id) === passkey.account.id;
  const signatures = isOwners ? await provePasskey(given, passkey, site, challenge.challenge) : null;
  return db.transaction(async (tx) => {
    await lockAttempts(tx, counter, from);
    const failed = await selectFailures(tx, counter, from);
    const seconds = secondsToWait(failed, now);
    if (seconds > 0) return refuse({ reason: 'throttled', seconds });

    const owner = passkey && provedToBe(requester, passkey.account);
    const isProved =
      passkey !== null &&
      signatures !== null &&
      (await answerChallenge(tx, challenge.challenge, challenge.expiresAt)) &&
      (await countSignature(tx, passkey.id, signatures, now));
    if (!passkey || !owner || !isProved) {
      await upsertFailures(tx, counter, from, countFailure(failed, now), now);
      await countFromAddress(tx, from, findWindowCutoff(now), now);
      if (owner)
        await writeAudit(tx, owner, { action: 'auth.sign_in_failed', detail: { reason: 'passkey' } }, now);
      return refuse({ reason: 'no_such_passkey' });
    }
    if (!passkey.account.isActive) {
      await writeAudit(tx, owner, { action: 'auth.sign_in_failed', detail: { reason: 'inactive' } }, now);
      return refuse({ reason: 'inactive' });
    }
    if (failed) await deleteFailures(tx, counter, from);
    const detail = { passkey: passkey.name };
    return beginSignedIn(tx, signer, { owner, account: passkey.account, detail, userAgent, replaces }, now);
  });
}

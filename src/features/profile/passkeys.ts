// People add and remove passkeys of their own. Adding one asks for the password: a browser that was left signed in must not
// become somebody else's for good.

import type { SignedIn } from '../../domain/accounts/requester.ts';
import type { PasskeyId } from '../../domain/ids.ts';
import { MOSTS } from '../../domain/mosts.ts';
import { readName } from '../../domain/names.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import { lockOwnAccount } from '../../engine/accounts/lock-own-account.ts';
import {
  answerChallenge,
  deletePasskey,
  insertPasskey,
  selectPasskeys,
} from '../../engine/accounts/passkeys.ts';
import { queueAccountMail } from '../../engine/accounts/queue-account-mail.ts';
import { writeAudit } from '../../engine/audit/write-audit.ts';
import type { Challenge } from '../../engine/requests/passkey-challenge.ts';
import type { NewPasskey } from '../../platform/auth/passkeys.ts';
import type { Tx } from '../../platform/db/database.ts';

interface MadePasskey {
  challenge: Challenge;
  passkey: NewPasskey;
  host: string;
  name: string | undefined;
}

export type AddRefusal = 'answered_before' | 'known_already' | 'too_many';

export async function addPasskey(
  tx: Tx,
  requester: SignedIn,
  { challenge, passkey, host, name: typed }: MadePasskey,
  now: Date,
): Promise<Result<null, AddRefusal>> {
  if (!(await answerChallenge(tx, challenge.challenge, challenge.expiresAt)))
    return refuse('answered_before');
  await lockOwnAccount(tx, requester.accountId);
  if ((await selectPasskeys(tx, requester.accountId)).length >= MOSTS.passkeys.most)
    return refuse('too_many');
  const read = readName(typed);
  const name = read.ok ? read.value : 'Passkey';
  const added = await insertPasskey(tx, requester.accountId, { ...passkey, host, name }, now);
  if (!added) return refuse('known_already');
  await queueAccountMail(
    tx,
    { accountId: requester.accountId, kind: 'passkey_added', authorName: null },
    now,
  );
  await writeAudit(tx, requester, { action: 'account.add_passkey', detail: { passkey: name, host } }, now);
  return ok(null);
}

export async function removePasskey(
  tx: Tx,
  requester: SignedIn,
  { id }: { id: PasskeyId },
  now: Date,
): Promise<Result<null, 'no_such_passkey'>> {
  const removed = await deletePasskey(tx, requester.accountId, id);
  if (!removed) return refuse('no_such_passkey');
  await writeAudit(
    tx,
    requester,
    { action: 'account.remove_passkey', detail: { passkey: removed.name } },
    now,
  );
  return ok(null);
}

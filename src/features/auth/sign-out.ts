import { provedToBe, type Requester } from '../../domain/accounts/requester.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import { raiseGeneration } from '../../engine/accounts/accounts.ts';
import { writeAudit } from '../../engine/audit/write-audit.ts';
import type { TokenClaims } from '../../platform/auth/token.ts';
import type { Tx } from '../../platform/db/database.ts';

/** Revokes every token of the account on all devices. A token that is not valid any more changes nothing. */
export async function signOut(
  tx: Tx,
  requester: Requester,
  { accountId, generation }: TokenClaims,
  now: Date,
): Promise<Result<null, 'revoked_before'>> {
  const account = await raiseGeneration(tx, accountId, generation);
  if (!account) return refuse('revoked_before');
  const owner = provedToBe(requester, { id: accountId, name: account.name });
  await writeAudit(tx, owner, { action: 'auth.logout' }, now);
  return ok(null);
}

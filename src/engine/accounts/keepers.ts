// Who looks after the house itself. A mark on the account, beside any role: it opens nothing of any organization.
import sql from 'sql-template-tag';
import type { Requester } from '../../domain/accounts/requester.ts';
import type { AccountId, OrganizationId } from '../../domain/ids.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import type { ReadDatabase, Tx } from '../../platform/db/database.ts';
import { writeAudit } from '../audit/write-audit.ts';
import { lockAccount } from './accounts.ts';

export interface Keeper {
  id: AccountId;
  name: string;
  email: string;
  isActive: boolean;
}

const KEEPERS = sql`
  select id, name, email, is_active as "isActive" from account where is_keeper`;

export const selectKeepers = (db: ReadDatabase) => db.query<Keeper>(sql`${KEEPERS} order by name, id`);

/** Names of those whom somebody of these organizations may ask: nobody learns of people elsewhere. */
export const selectKeeperNames = async (db: ReadDatabase, organizationIds: OrganizationId[]) =>
  (
    await db.query<{ name: string }>(sql`
      select name from account where is_keeper and is_active and exists (
        select from membership
        where account_id = account.id and organization_id = any(${organizationIds}::int[]))
      order by name, id`)
  ).map(({ name }) => name);

/** All of them, so that two that go at the same time do not leave nobody. */
const lockKeepers = (tx: Tx) => tx.query<Keeper>(sql`${KEEPERS} order by id for update`);

const isKeeperAmong = (keepers: readonly Keeper[], accountId: AccountId): boolean =>
  keepers.some(({ id }) => id === accountId);

const isLastAmong = (keepers: readonly Keeper[], accountId: AccountId): boolean =>
  isKeeperAmong(keepers, accountId) && !keepers.some(({ id, isActive }) => id !== accountId && isActive);

export const isLastKeeper = async (tx: Tx, accountId: AccountId): Promise<boolean> =>
  isLastAmong(await lockKeepers(tx), accountId);

export type KeeperRefusal = 'no_such_account' | 'not_active' | 'last_keeper';

export async function setKeeper(
  tx: Tx,
  requester: Requester,
  { email, isKeeper }: { email: string; isKeeper: boolean },
  now: Date,
): Promise<Result<'changed' | 'unchanged', KeeperRefusal>> {
  const keepers = await lockKeepers(tx);
  const account = await lockAccount(tx, email);
  if (!account) return refuse('no_such_account');
  if (isKeeperAmong(keepers, account.id) === isKeeper) return ok('unchanged');
  if (isKeeper && !account.isActive) return refuse('not_active');
  if (!isKeeper && isLastAmong(keepers, account.id)) return refuse('last_keeper');
  if (isKeeper) await makeKeeper(tx, requester, account.id, now);
  else {
    await tx.query(sql`update account set is_keeper = false where id = ${account.id}`);
    await writeAudit(tx, requester, { action: 'keeper.remove', detail: { account: account.id } }, now);
  }
  return ok('changed');
}

export async function makeKeeper(tx: Tx, requester: Requester, id: AccountId, now: Date): Promise<void> {
  await tx.query(sql`update account set is_keeper = true where id = ${id}`);
  await writeAudit(tx, requester, { action: 'keeper.add', detail: { account: id } }, now);
}

import sql from 'sql-template-tag';
import type { Role } from '../../domain/accounts/role.ts';
import type { AccountId, OrganizationId } from '../../domain/ids.ts';
import type { ReadDatabase, Tx } from '../../platform/db/database.ts';

export interface OwnOrganization {
  id: OrganizationId;
  name: string;
  role: Role;
}

export const selectOrganizations = (db: ReadDatabase, accountId: AccountId) =>
  db.query<OwnOrganization>(sql`
    select organization.id, organization.name, role
    from membership join organization on organization.id = organization_id
    where account_id = ${accountId} order by organization.name`);

/** As it is now, locked: changes to an account queue up. */
export const lockOwnAccount = (tx: Tx, accountId: AccountId) =>
  tx.query<{ name: string; timezone: string }>(sql`
    select name, timezone from account where id = ${accountId} for update`);

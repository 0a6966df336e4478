import sql from 'sql-template-tag';
import type { Role } from '../../domain/accounts/role.ts';
import type { AccountId, OrganizationId } from '../../domain/ids.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';

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

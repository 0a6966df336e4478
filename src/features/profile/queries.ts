import sql from 'sql-template-tag';
import type { Role } from '../../domain/accounts/role.ts';
import type { AccountId, OrganizationId } from '../../domain/ids.ts';
import { first, type ReadDatabase } from '../../platform/db/database.ts';

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

interface ChosenLanguages {
  own: string | null;
  /** Of the first of their organizations that has one. */
  ofOrganization: string | null;
  organizationName: string | null;
}

export const selectChosenLanguages = async (db: ReadDatabase, accountId: AccountId) =>
  first(
    await db.query<ChosenLanguages>(sql`
      select account.language as "own", chosen.language as "ofOrganization", chosen.name as "organizationName"
      from account left join lateral (
        select organization.language, organization.name
        from membership join organization on organization.id = organization_id
        where account_id = account.id and organization.language is not null
        order by organization_id limit 1) chosen on true
      where account.id = ${accountId}`),
  );

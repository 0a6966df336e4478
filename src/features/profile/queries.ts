import sql from 'sql-template-tag';
import type { Role } from '../../domain/accounts/role.ts';
import type { AccountId, OrganizationId } from '../../domain/ids.ts';
import { LANGUAGES_OF_ORGANIZATIONS } from '../../engine/sql-parts/languages.ts';
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

export const selectChosenLanguages = async (db: ReadDatabase, accountId: AccountId) =>
  first(
    await db.query<{ own: string | null; ofOrganizations: (string | null)[] }>(sql`
      select language as "own", ${LANGUAGES_OF_ORGANIZATIONS} as "ofOrganizations" from account where id = ${accountId}`),
  );

import sql from 'sql-template-tag';
import type { AccountId, OrganizationId } from '../../domain/ids.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { AN_OPERATOR } from '../sql-parts/roles.ts';

/** Who can act on the services of an organization, by name. */
export const selectOperators = (db: ReadDatabase, organizationId: OrganizationId) =>
  db.query<{ id: AccountId; name: string }>(sql`
    select account.id, name from membership join account on account.id = account_id
    where organization_id = ${organizationId} and role = ${AN_OPERATOR} and is_active
    order by lower(name), account.id limit 500`);

import sql from 'sql-template-tag';
import type { OrganizationId } from '../../domain/ids.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { AN_ADMINISTRATOR } from '../sql-parts/roles.ts';

/** Whom to ask, by name, in each organization. */
export const selectAdministrators = (db: ReadDatabase, organizationIds: readonly OrganizationId[]) =>
  db.query<{ organizationId: OrganizationId; names: string[] }>(sql`
    select organization_id as "organizationId", array_agg(name order by name, account.id) as "names"
    from membership join account on account.id = account_id
    where organization_id = any(${organizationIds}::int[]) and role = ${AN_ADMINISTRATOR} and is_active
    group by organization_id`);

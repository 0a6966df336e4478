import sql from 'sql-template-tag';
import type { ReadDatabase } from '../../platform/db/database.ts';

/** Keys of the devices that have a service already. */
export async function selectDeviceKeys(db: ReadDatabase, organization: string): Promise<Set<string>> {
  const rows = await db.query<{ key: string }>(sql`
    select lower(key) as "key" from device
    join organization on organization.id = organization_id
    where organization.name = ${organization} and service_id is not null`);
  return new Set(rows.map(({ key }) => key));
}

import sql from 'sql-template-tag';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';

export const selectServiceNames = (db: ReadDatabase, organizationId: OrganizationId) =>
  db.query<{ id: ServiceId; name: string }>(sql`
    select id, name from service where organization_id = ${organizationId} and archived_at is null order by name, id`);

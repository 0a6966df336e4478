import sql from 'sql-template-tag';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import { first, type ReadDatabase } from '../../platform/db/database.ts';

export interface Unit {
  id: ServiceId;
  organizationId: OrganizationId;
  name: string;
}

/** null for an archived one too. */
export const selectUnit = async (db: ReadDatabase, serviceId: ServiceId) =>
  first(
    await db.query<Unit>(sql`
      select id, organization_id as "organizationId", name from service where id = ${serviceId} and archived_at is null`),
  );

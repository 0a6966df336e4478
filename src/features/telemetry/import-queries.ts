import sql from 'sql-template-tag';
import type { OrganizationId } from '../../domain/ids.ts';
import type { Target } from '../../domain/readings/telemetry.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';

export async function hasTarget(
  db: ReadDatabase,
  organizationId: OrganizationId,
  target: Target,
): Promise<boolean> {
  const found =
    'device' in target
      ? await db.query(sql`
          select from device
          where organization_id = ${organizationId} and lower(key) = lower(${target.device}) and service_id is not null`)
      : await db.query(
          sql`select from service where organization_id = ${organizationId} and id = ${target.serviceId}`,
        );
  return found.length > 0;
}

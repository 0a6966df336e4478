import sql from 'sql-template-tag';
import type { OrganizationId, ServiceId } from '../../../domain/ids.ts';
import type { ReadDatabase } from '../../../platform/db/database.ts';

interface Named<Id> {
  id: Id;
  name: string;
  organizationId: OrganizationId;
}

const MOST_CHOICES = 500;

export const selectGroups = (db: ReadDatabase, organizationIds: readonly OrganizationId[]) =>
  db.query<Named<number>>(sql`
    select id, name, organization_id as "organizationId" from notification_group
    where organization_id = any(${organizationIds}::int[])
    order by natural_order(name), id limit ${MOST_CHOICES}`);

/** Units whose limits could be copied. */
export const selectLimited = (db: ReadDatabase, organizationIds: readonly OrganizationId[]) =>
  db.query<Named<ServiceId>>(sql`
    select id, name, organization_id as "organizationId" from service
    where organization_id = any(${organizationIds}::int[]) and archived_at is null and exists (
      select from limits_version join limits_band on limits_version_id = limits_version.id
      where limits_version.service_id = service.id and retired_at is null and limit_value is not null)
    order by natural_order(name), id limit ${MOST_CHOICES}`);

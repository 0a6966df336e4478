import sql from 'sql-template-tag';
import type { OrganizationId } from '../../domain/ids.ts';
import { first, type ReadDatabase } from '../../platform/db/database.ts';

export interface Counts {
  members: number;
  services: number;
  archived: number;
  channels: number;
  devices: number;
  unknownDevices: number;
  assets: number;
  locations: number;
  sources: number;
  groups: number;
  walls: number;
  hasDoorCards: boolean;
  /** As they were last counted. */
  readings: number;
  readingBytes: number;
}

export const countEverything = async (db: ReadDatabase, organizationId: OrganizationId): Promise<Counts> => {
  const counts = first(
    await db.query<Counts>(sql`
      select
        (select count(*)::int from membership where organization_id = given.id) as "members",
        (select count(*)::int from service where organization_id = given.id and archived_at is null) as "services",
        (select count(*)::int from service where organization_id = given.id and archived_at is not null) as "archived",
        (select count(*)::int from channel join service on service.id = service_id
          where organization_id = given.id and archived_at is null) as "channels",
        (select count(*)::int from device where organization_id = given.id and service_id is not null) as "devices",
        (select count(*)::int from device where organization_id = given.id and service_id is null) as "unknownDevices",
        (select count(*)::int from asset where organization_id = given.id) as "assets",
        (select count(*)::int from location where organization_id = given.id) as "locations",
        (select count(*)::int from source where organization_id = given.id) as "sources",
        (select count(*)::int from notification_group where organization_id = given.id) as "groups",
        (select count(*)::int from wall_link where organization_id = given.id) as "walls",
        (select door_card is not null from organization where organization.id = given.id) as "hasDoorCards",
        (select coalesce(sum(readings), 0)::float8 from reading_usage where organization_id = given.id) as "readings",
        (select coalesce(sum(bytes), 0)::float8 from reading_usage where organization_id = given.id) as "readingBytes"
      from (values (${organizationId}::int)) as given (id)`),
  );
  if (!counts) throw new Error('The database returned no row');
  return counts;
};

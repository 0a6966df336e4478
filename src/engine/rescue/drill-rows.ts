// Units of a place, and all refuges outside of it.
import sql from 'sql-template-tag';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import type { Refuge } from '../../domain/rescue/rank-refuges.ts';
import type { TemperatureClass } from '../../domain/rescue/rescue.ts';
import type { UnitToEmpty } from '../../domain/rescue/turns.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { WITH_PLACE } from '../sql-parts/place.ts';
import { MOVED_IN, MOVED_OUT, refugeColumns } from './rescue-rows.ts';

/** All that an organization can have. */
export const selectLocations = (db: ReadDatabase, organizationId: OrganizationId) =>
  db.query<{ id: number; name: string }>(sql`
    select id, name from location where organization_id = ${organizationId} order by id`);

interface UnitThere extends Omit<UnitToEmpty, 'temperatureClass' | 'valueClass' | 'leftMs'> {
  temperatureClass: TemperatureClass | null;
}

export const selectUnitsIn = (
  db: ReadDatabase,
  organizationId: OrganizationId,
  locationIds: readonly number[],
  most: number,
) =>
  db.query<UnitThere>(sql`
    select service.id as "serviceId", service.name, location.name as "locationName",
      temperature_class as "temperatureClass", coalesce(racks, 1) - ${MOVED_OUT} + ${MOVED_IN} as racks,
      coalesce(preferred_ids, '{}') as "preferredIds", rescue_order as "rescueOrder"
    from service ${WITH_PLACE}
    left join rescue on rescue.service_id = service.id
    where service.organization_id = ${organizationId} and archived_at is null
      and asset.location_id = any(${locationIds}::int[])
    order by service.id limit ${most}`);

interface Outside {
  organizationId: OrganizationId;
  classes: readonly TemperatureClass[];
  locationIds: readonly number[];
  /** The number of the last one that was read. */
  after: number;
}

const PAGE = 5_000;

/** Whether they are fit, the domain says. `next` null: that was all. */
export async function selectRefugesOutside(
  db: ReadDatabase,
  { organizationId, classes, locationIds, after }: Outside,
  now: Date,
): Promise<{ rows: Refuge[]; next: ServiceId | null }> {
  const rows = await db.query<Refuge>(sql`
    select ${refugeColumns(now)}
    from (
      select * from rescue where organization_id = ${organizationId} and service_id > ${after}
        and temperature_class = any(${classes}::text[]) and free_racks > 0
      order by service_id limit ${PAGE}) rescue
    join service on service.id = rescue.service_id
    join alarm_state state on state.service_id = service.id
    ${WITH_PLACE}
    where archived_at is null and severity = 'normal' and stale_since is null
      and (asset.location_id is null or asset.location_id <> all(${locationIds}::int[]))
    order by service.id`);
  return { rows, next: null };
}

// Units of a place, and all refuges outside of it.
import sql from 'sql-template-tag';
import type { OrganizationId } from '../../domain/ids.ts';
import type { Refuge } from '../../domain/rescue/rank-refuges.ts';
import type { TemperatureClass } from '../../domain/rescue/rescue.ts';
import type { UnitToEmpty } from '../../domain/rescue/turns.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { WITH_PLACE } from '../sql-parts/place.ts';
import { MOVED_IN, MOVED_OUT, refugeColumns } from './rescue-rows.ts';

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
}

/**
 * Whether they are fit, the domain says. In one statement: what is asked of each of them is looked up for all at once, and rows
 * come in by and by.
 */
export const selectRefugesOutside = (
  db: ReadDatabase,
  { organizationId, classes, locationIds }: Outside,
  now: Date,
) =>
  db.query<Refuge>(sql`
    select ${refugeColumns(now)}
    from rescue join service on service.id = rescue.service_id
    join alarm_state state on state.service_id = service.id
    ${WITH_PLACE}
    where rescue.organization_id = ${organizationId} and temperature_class = any(${classes}::text[]) and free_racks > 0
      and archived_at is null and severity = 'normal' and stale_since is null
      and (asset.location_id is null or asset.location_id <> all(${locationIds}::int[]))`);

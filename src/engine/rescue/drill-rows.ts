// Units of a place, and all refuges outside of it.
import sql from 'sql-template-tag';
import type { OrganizationId } from '../../domain/ids.ts';
import type { Refuge } from '../../domain/rescue/rank-refuges.ts';
import type { TemperatureClass } from '../../domain/rescue/rescue.ts';
import type { UnitToEmpty } from '../../domain/rescue/turns.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import type { Statement } from '../../platform/db/statement.ts';
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
  /** The number of the last one that was read. */
  after: number;
}

const PAGE = 5_000;

/** Whether they are fit, the domain says. `last`: where to go on; null: that was all. */
export async function selectRefugesOutside(
  db: ReadDatabase,
  { organizationId, classes, locationIds, after }: Outside,
  now: Date,
): Promise<{ rows: Refuge[]; last: number | null }> {
  const page = sql`
    select service_id from rescue where organization_id = ${organizationId} and service_id > ${after}
      and temperature_class = any(${classes}::text[]) and free_racks > 0
    order by service_id limit ${PAGE}`;
  const { rows, end } = await db.queryAll({
    rows: sql`
      select ${refugeColumns(now)}
      from rescue join service on service.id = rescue.service_id
      join alarm_state state on state.service_id = service.id
      ${WITH_PLACE}
      where rescue.service_id in (${page}) and archived_at is null and severity = 'normal' and stale_since is null
        and (asset.location_id is null or asset.location_id <> all(${locationIds}::int[]))` as Statement<Refuge>,
    end: sql`select max(service_id) as last, count(*)::int as count from (${page}) as page` as Statement<{
      last: number | null;
      count: number;
    }>,
  });
  const [read] = end;
  return { rows, last: read && read.count === PAGE ? read.last : null };
}

// Where units stand, and how. A page of places costs by the units that stand there, however many there are elsewhere.
import sql from 'sql-template-tag';
import type { UnitState } from '../../domain/equipment/unit-state.ts';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import { IS_GATEWAY, unitState } from '../../engine/sql-parts/service-state.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';

export interface PlaceKey {
  organizationId: OrganizationId;
  /** null: units that stand nowhere. */
  locationId: number | null;
}

/** Where something stands. */
export interface StandingPlace extends PlaceKey {
  name: string | null;
  units: number;
}

/** By name, those that stand nowhere last. */
export const selectStanding = (db: ReadDatabase, organizationIds: readonly OrganizationId[]) =>
  db.query<StandingPlace>(sql`
    with standing as (
      select service.organization_id, asset.location_id, count(*)::int as units
      from service left join asset on asset.id = asset_id
      where service.organization_id = any(${organizationIds}::int[]) and archived_at is null group by 1, 2)
    select standing.organization_id as "organizationId", location_id as "locationId", name, units
    from standing left join location on location.id = location_id
    order by natural_order(name) nulls last, location_id`);

export interface PlaceAlarms extends PlaceKey {
  critical: number;
  warning: number;
  stale: number;
  newestAt: Date;
}

/** What is active and not in downtime, by place: as the alarms list has it. Costs by the alarms that there are. */
export const selectAlarms = (db: ReadDatabase, organizationIds: readonly OrganizationId[], now: Date) =>
  db.query<PlaceAlarms>(sql`
    select state.organization_id as "organizationId", asset.location_id as "locationId",
      count(*) filter (where state.severity = 'critical')::int as "critical",
      count(*) filter (where state.severity = 'warning')::int as "warning",
      count(*) filter (where state.severity = 'normal')::int as "stale",
      max(case when state.severity = 'normal' then state.stale_since else state.severity_since end) as "newestAt"
    from alarm_state state
    join service on service.id = state.service_id and archived_at is null
    left join asset on asset.id = service.asset_id
    where state.organization_id = any(${organizationIds}::int[]) and (state.severity <> 'normal' or state.stale_since is not null)
      and not exists (select from downtime where service_id = state.service_id and start_at <= ${now} and end_at > ${now})
    group by 1, 2`);

export interface PlaceUnits extends PlaceKey {
  counts: Partial<Record<UnitState, number>>;
  /** All of a small place; of a large one those that are not normal, as far as they are shown. */
  units: { id: ServiceId; name: string; state: UnitState }[];
}

export const MOST_DOTS = 200;

/** Of each place. Its units are looked up place by place, and judged once. */
export const selectUnits = (db: ReadDatabase, places: readonly PlaceKey[], now: Date) =>
  db.query<PlaceUnits>(
    sql`
    with place as (
      select * from unnest(${places.map(({ organizationId }) => organizationId)}::int[],
        ${places.map(({ locationId }) => locationId)}::int[]) with ordinality as place (organization_id, location_id, place)),
    standing as (
      select place, there.id from place cross join lateral (
        select service.id from asset join service on service.asset_id = asset.id
        where asset.location_id = place.location_id and archived_at is null offset 0) there
      union all
      select place, elsewhere.id from place cross join lateral (
        select service.id from service left join asset on asset.id = service.asset_id
        where service.organization_id = place.organization_id and archived_at is null and asset.location_id is null
        offset 0) elsewhere
      where place.location_id is null),
    unit as materialized (
      select place, id, ${unitState(now)} as how
      from standing cross join lateral (select * from alarm_state where service_id = standing.id offset 0) state),
    total as materialized (
      select place, json_object_agg(how, units) as counts, sum(units) as units
      from (select place, how, count(*)::int as units from unit group by 1, 2) counted group by 1),
    shown as (
      select place, id, how, row_number() over (partition by place order by
          array_position(array['critical', 'warning', 'stale', 'downtime', 'unwatched', 'muted'], how), id) as nth
      from unit join total using (place) where total.units <= ${MOST_DOTS} or how <> 'normal'),
    dots as (
      select place, json_agg(json_build_object('id', id, 'name', name, 'state', how) order by name_order, id) as units
      from shown cross join lateral (
        select name, name_order from service join service_search on service_id = service.id
        where service.id = shown.id offset 0) named
      where nth <= ${MOST_DOTS} group by 1)
    select organization_id as "organizationId", location_id as "locationId", counts, coalesce(dots.units, '[]') as "units"
    from place join total using (place) left join dots using (place) order by place`,
    'by_index',
  );

export interface Unheard {
  kind: 'source' | 'gateway';
  id: number;
  name: string;
  organizationId: OrganizationId;
  /** null: never. */
  lastAt: Date | null;
}

/** Sources from which nothing has come since then, and units that others send through and that are stale. */
export const selectUnheard = (
  db: ReadDatabase,
  organizationIds: readonly OrganizationId[],
  { since, limit, now }: { since: Date; limit: number; now: Date },
) =>
  db.query<Unheard>(sql`
    select 'source' as "kind", id, name, organization_id as "organizationId", last_seen_at as "lastAt" from source
    where organization_id = any(${organizationIds}::int[]) and created_at < ${since}
      and (last_seen_at is null or last_seen_at < ${since})
    union all
    select 'gateway', service.id, service.name, service.organization_id, state.stale_since
    from alarm_state state join service on service.id = state.service_id and archived_at is null
    where state.organization_id = any(${organizationIds}::int[]) and state.stale_since is not null and ${IS_GATEWAY}
      and not exists (select from downtime where service_id = state.service_id and start_at <= ${now} and end_at > ${now})
    order by "lastAt" desc nulls last, name, id limit ${limit}`);

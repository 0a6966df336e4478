// What is said of units for the day on which they fail, and of how much room there is in them.
import sql, { type Sql } from 'sql-template-tag';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import type { NamedUnit } from '../../domain/rescue/preferred-refuges.ts';
import { classesFor, type Need, type Refuge } from '../../domain/rescue/rank-refuges.ts';
import { NO_RESCUE, type Rescue } from '../../domain/rescue/rescue.ts';
import { first, type ReadDatabase, type Tx } from '../../platform/db/database.ts';
import { WITH_PLACE } from '../sql-parts/place.ts';
import { HAS_LIMITS, IS_GATEWAY, IS_HEARD, IS_MUTED, isInDowntime } from '../sql-parts/service-state.ts';

const FIELDS = sql`temperature_class as "temperatureClass", racks, free_racks as "freeRacks",
  rescue_order as "rescueOrder", danger_value as "dangerValue"`;

export interface StoredRescue extends Rescue {
  preferredIds: ServiceId[];
  /** Racks that are in others now, and those of others that are here. */
  movedOut: number;
  movedIn: number;
}

export const NOTHING_SAID: StoredRescue = { ...NO_RESCUE, preferredIds: [], movedOut: 0, movedIn: 0 };

/** Of the row of `rescue`. */
export const MOVED_OUT = sql`coalesce((select sum(moved.racks) from rescue_reservation moved
  where moved.service_id = rescue.service_id and moved.moved_at is not null and moved.returned_at is null), 0)::int`;
export const MOVED_IN = sql`coalesce((select sum(moved.racks) from rescue_reservation moved
  where moved.refuge_id = rescue.service_id and moved.moved_at is not null and moved.returned_at is null), 0)::int`;

/** null: nothing is said of it. */
export const selectRescue = async (db: ReadDatabase, serviceId: ServiceId) =>
  first(
    await db.query<StoredRescue>(sql`
      select ${FIELDS}, preferred_ids as "preferredIds", ${MOVED_OUT} as "movedOut", ${MOVED_IN} as "movedIn"
      from rescue where service_id = ${serviceId}`),
  );

/** All of an organization. */
export const selectAllRescue = (db: ReadDatabase, organizationId: OrganizationId) =>
  db.query<Rescue & { serviceId: ServiceId }>(sql`
    select service_id as "serviceId", ${FIELDS} from rescue where organization_id = ${organizationId}`);

interface NewRescue extends Rescue {
  serviceId: ServiceId;
  organizationId: OrganizationId;
}

/** In one statement, however many. Whoever calls it has looked that the requester may. */
export const saveRescues = (tx: Tx, given: readonly NewRescue[], now: Date) =>
  tx.query(sql`
    insert into rescue (service_id, organization_id, temperature_class, racks, free_racks, rescue_order, danger_value, changed_at)
    select "serviceId", "organizationId", "temperatureClass", racks, "freeRacks", "rescueOrder", "dangerValue", ${now}
    from jsonb_to_recordset(${JSON.stringify(given)}) as given ("serviceId" int, "organizationId" int, "temperatureClass" text,
      racks int, "freeRacks" int, "rescueOrder" int, "dangerValue" float8)
    on conflict (service_id) do update set temperature_class = excluded.temperature_class, racks = excluded.racks,
      free_racks = excluded.free_racks, rescue_order = excluded.rescue_order, danger_value = excluded.danger_value,
      changed_at = excluded.changed_at`);

/** By the names of those that are not archived, in their order. */
export const selectAllPreferred = (db: ReadDatabase, organizationId: OrganizationId) =>
  db.query<{ serviceId: ServiceId; names: string[] }>(sql`
    select rescue.service_id as "serviceId", array_agg(service.name order by place) as names
    from rescue cross join unnest(preferred_ids) with ordinality as preferred (id, place)
    join service on service.id = preferred.id and archived_at is null
    where rescue.organization_id = ${organizationId} group by rescue.service_id`);

interface Preferring {
  serviceId: ServiceId;
  organizationId: OrganizationId;
  preferredIds: readonly ServiceId[];
}

export const savePreferred = (tx: Tx, given: readonly Preferring[], now: Date): void =>
  tx.later(sql`
    insert into rescue (service_id, organization_id, preferred_ids, changed_at)
    select "serviceId", "organizationId", array(select jsonb_array_elements_text("preferredIds")::int), ${now}
    from jsonb_to_recordset(${JSON.stringify(given)})
      as given ("serviceId" int, "organizationId" int, "preferredIds" jsonb)
    on conflict (service_id) do update set preferred_ids = excluded.preferred_ids, changed_at = excluded.changed_at`);

/** All that one of these may mean, and those that are called like any of them. */
export const selectNamed = (
  db: ReadDatabase,
  organizationId: OrganizationId,
  { ids, names }: { ids: readonly number[]; names: readonly string[] },
) =>
  db.query<NamedUnit>(sql`
    with meant as (
      select lower(trim(name)) as name from service
      where organization_id = ${organizationId} and archived_at is null and id = any(${ids}::int[])
      union select lower(trim(name)) from unnest(${names}::text[]) as given (name))
    select id, name from service
    where organization_id = ${organizationId} and archived_at is null and lower(trim(name)) in (select name from meant)
    order by id limit ${MOST_MEANT}`);
const MOST_MEANT = 1_000;

/** A refuge, with what is measured there now. */
export interface FoundRefuge extends Refuge {
  value: number | null;
  unit: string | null;
}

/** Of more nobody reads: those that are preferred, the nearest by name and the emptiest come first. */
const MOST_LOOKED_AT = 200;

/** Those that may take it; whether they can, the domain says. */
export const selectRefuges = (
  db: ReadDatabase,
  organizationId: OrganizationId,
  { serviceId, racks, locationName, temperatureClass, preferredIds }: Need,
  now: Date,
) =>
  selectRefugesOf(
    db,
    sql`
      select rescue.service_id from rescue join alarm_state using (service_id)
      join service on service.id = rescue.service_id ${WITH_PLACE}
      where rescue.organization_id = ${organizationId} and temperature_class = any(${classesFor(temperatureClass)}::text[])
        and free_racks > 0 and free_racks >= greatest(1, ${racks}::int)
        and service.id <> ${serviceId} and archived_at is null and severity = 'normal' and stale_since is null
      order by service.id = any(${preferredIds}::int[]) desc, (location.name is not distinct from ${locationName}::text) desc, free_racks desc, service.id limit ${MOST_LOOKED_AT}`,
    now,
  );

export const selectRefuge = async (
  db: ReadDatabase,
  organizationId: OrganizationId,
  refugeId: ServiceId,
  now: Date,
) =>
  first(
    await selectRefugesOf(
      db,
      sql`select service_id from rescue where service_id = ${refugeId} and organization_id = ${organizationId}`,
      now,
    ),
  );

/** Of `service`, its `location`, its `rescue`, and its alarm row as `state`. */
export const refugeColumns = (now: Date): Sql => sql`
  service.id as "serviceId", service.name, location.name as "locationName", rescue.temperature_class as "temperatureClass",
  (coalesce(free_racks, 0) - coalesce((select sum(racks) from rescue_reservation taken
    where taken.refuge_id = service.id and taken.ended_at is null and taken.until > ${now}), 0))::int as "freeRacks",
  state.severity, state.stale_since is not null as "isStale", ${IS_MUTED} as "isMuted", ${isInDowntime(now)} as "isInDowntime",
  ${HAS_LIMITS} as "hasLimits", ${IS_HEARD} as "isHeard", ${IS_GATEWAY} as "isGateway",
  (select floor(extract(epoch from ${now}::timestamptz - coalesce(ended_at, ${now})) / 86400)::int from episode
    where episode.service_id = service.id order by began_at desc, id desc limit 1) as "calmDays"`;

const selectRefugesOf = (db: ReadDatabase, which: Sql, now: Date) =>
  db.query<FoundRefuge>(sql`
    with chosen as materialized (${which})
    select ${refugeColumns(now)}, state.channel_values[array_position(state.channel_ids, shown.id)] as "value", shown.unit
    from chosen join service on service.id = chosen.service_id and service.archived_at is null
    join rescue on rescue.service_id = service.id
    join alarm_state state on state.service_id = service.id
    ${WITH_PLACE}
    left join lateral (
      select id, unit from channel where channel.service_id = service.id and kind = 'metric'
      order by (channel.name = 'temperature') desc, id limit 1) shown on true`);

/** Whoever takes room in it waits for whoever did so before. Nobody waits for another organization. */
export const lockRefuge = async (tx: Tx, organizationId: OrganizationId, refugeId: ServiceId) =>
  first(
    await tx.query<{ freeRacks: number | null }>(sql`
      select free_racks as "freeRacks" from rescue
      where service_id = ${refugeId} and organization_id = ${organizationId} for update`),
  );

/** Of one that is locked. */
export const setFreeRacks = (tx: Tx, refugeId: ServiceId, freeRacks: number, now: Date): void =>
  tx.later(
    sql`update rescue set free_racks = ${freeRacks}, changed_at = ${now} where service_id = ${refugeId}`,
  );

// What is said of units for the day on which they fail, and the room that is taken in them.
import sql, { type Sql } from 'sql-template-tag';
import type { AccountId, OrganizationId, ServiceId } from '../../domain/ids.ts';
import { classesFor, type Need, type Refuge } from '../../domain/rescue/rank-refuges.ts';
import type { Rescue } from '../../domain/rescue/rescue.ts';
import { first, type ReadDatabase, type Tx } from '../../platform/db/database.ts';
import type { LockedService } from '../journal/lock-alarm-states.ts';
import { WITH_PLACE } from '../sql-parts/place.ts';
import { HAS_LIMITS, IS_GATEWAY, IS_HEARD, IS_MUTED, isInDowntime } from '../sql-parts/service-state.ts';

const FIELDS = sql`temperature_class as "temperatureClass", racks, free_racks as "freeRacks",
  rescue_order as "rescueOrder", danger_value as "dangerValue"`;

/** null: nothing is said of it. */
export const selectRescue = async (db: ReadDatabase, serviceId: ServiceId) =>
  first(
    await db.query<Rescue>(sql`
      select ${FIELDS} from rescue where service_id = ${serviceId}`),
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

/** A refuge, with what is measured there now. */
export interface FoundRefuge extends Refuge {
  value: number | null;
  unit: string | null;
}

/** Of more nobody reads: the nearest by name and the emptiest come first. */
const MOST_LOOKED_AT = 200;

/** Those that may take it; whether they can, the domain says. */
export const selectRefuges = (
  db: ReadDatabase,
  organizationId: OrganizationId,
  { serviceId, racks, locationName, temperatureClass }: Need,
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
      order by (location.name is not distinct from ${locationName}::text) desc, free_racks desc, service.id limit ${MOST_LOOKED_AT}`,
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

const selectRefugesOf = (db: ReadDatabase, which: Sql, now: Date) =>
  db.query<FoundRefuge>(sql`
    with chosen as materialized (${which})
    select service.id as "serviceId", service.name, location.name as "locationName",
      rescue.temperature_class as "temperatureClass",
      (coalesce(free_racks, 0) - coalesce((select sum(racks) from rescue_reservation taken
        where taken.refuge_id = service.id and taken.ended_at is null and taken.until > ${now}), 0))::int as "freeRacks",
      state.severity, state.stale_since is not null as "isStale", ${IS_MUTED} as "isMuted", ${isInDowntime(now)} as "isInDowntime",
      ${HAS_LIMITS} as "hasLimits", ${IS_HEARD} as "isHeard", ${IS_GATEWAY} as "isGateway",
      (select floor(extract(epoch from ${now}::timestamptz - max(coalesce(ended_at, ${now}))) / 86400)::int from episode
        where episode.service_id = service.id) as "calmDays",
      state.channel_values[array_position(state.channel_ids, shown.id)] as "value", shown.unit
    from chosen join service on service.id = chosen.service_id and service.archived_at is null
    join rescue on rescue.service_id = service.id
    join alarm_state state on state.service_id = service.id
    ${WITH_PLACE}
    left join lateral (
      select id, unit from channel where channel.service_id = service.id and kind = 'metric'
      order by (channel.name = 'temperature') desc, id limit 1) shown on true`);

/** Whoever takes room in it waits for whoever did so before. */
export const lockRefuge = (tx: Tx, refugeId: ServiceId) =>
  tx.query(sql`select from rescue where service_id = ${refugeId} for update`);

export interface Reservation {
  id: string;
  refugeId: ServiceId;
  refugeName: string;
  locationName: string | null;
  racks: number;
  by: string;
  at: Date;
  until: Date;
}

/** Of this alarm, those that count. */
export const selectReservations = (db: ReadDatabase, serviceId: ServiceId, episodeId: string, now: Date) =>
  db.query<Reservation>(sql`
    select taken.id, refuge_id as "refugeId", service.name as "refugeName", location.name as "locationName", racks,
      reserved_by as "by", reserved_at as "at", until
    from rescue_reservation taken join service on service.id = refuge_id ${WITH_PLACE}
    where taken.service_id = ${serviceId} and episode_id = ${episodeId}::bigint and taken.ended_at is null and until > ${now}
    order by taken.id limit 50`);

interface NewReservation {
  serviceId: LockedService;
  refugeId: ServiceId;
  episodeId: string;
  racks: number;
  by: { accountId: AccountId; name: string };
  until: Date;
}

export const insertReservation = (tx: Tx, given: NewReservation, now: Date): void =>
  tx.later(sql`
    insert into rescue_reservation (service_id, refuge_id, episode_id, racks, reserved_by_id, reserved_by, reserved_at, until)
    values (${given.serviceId}, ${given.refugeId}, ${given.episodeId}, ${given.racks}, ${given.by.accountId},
      ${given.by.name}, ${now}, ${given.until})`);

/** null: it has ended already. */
export const endReservation = async (tx: Tx, serviceId: LockedService, id: string, now: Date) =>
  first(
    await tx.query<{ refugeId: ServiceId; racks: number }>(sql`
      update rescue_reservation set ended_at = ${now}
      where service_id = ${serviceId} and id = ${id}::bigint and ended_at is null
      returning refuge_id as "refugeId", racks`),
  );

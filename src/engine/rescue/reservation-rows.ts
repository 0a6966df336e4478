// Room that somebody took in a refuge, and what became of it.
import sql, { type Sql } from 'sql-template-tag';
import type { AccountId, ServiceId } from '../../domain/ids.ts';
import type { ReservationState } from '../../domain/rescue/settle-reservation.ts';
import { first, type ReadDatabase, type Tx } from '../../platform/db/database.ts';
import type { LockedService } from '../journal/lock-alarm-states.ts';
import { WITH_PLACE } from '../sql-parts/place.ts';

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

const STATE = sql`case when taken.ended_at is null then 'open' when taken.moved_at is null then 'free'
  when taken.returned_at is null then 'moved' else 'returned' end`;

export interface StoredReservation {
  refugeId: ServiceId;
  refugeName: string;
  racks: number;
  counted: number | null;
  state: ReservationState;
}

/** null: there is none of that unit. */
export const selectReservation = async (tx: Tx, serviceId: LockedService, id: string) =>
  first(
    await tx.query<StoredReservation>(sql`
      select refuge_id as "refugeId", service.name as "refugeName", racks, counted, ${STATE} as state
      from rescue_reservation taken join service on service.id = refuge_id
      where taken.service_id = ${serviceId} and taken.id = ${id}::bigint`),
  );

interface Settled {
  serviceId: LockedService;
  id: string;
  to: ReservationState;
  by: string;
  counted: number | null;
}

/** Of a unit that is locked, and with it what is reserved for it. */
export const settle = (tx: Tx, { serviceId, id, to, by, counted }: Settled, now: Date): void =>
  tx.later(sql`
    update rescue_reservation set
      ended_at = ${to === 'open' ? null : now}::timestamptz,
      moved_at = case when ${to} in ('moved', 'returned') then coalesce(moved_at, ${now}) end,
      moved_by = case when ${to} in ('moved', 'returned') then coalesce(moved_by, ${by}) end,
      counted = ${counted}::int,
      returned_at = ${to === 'returned' ? now : null}::timestamptz
    where service_id = ${serviceId} and id = ${id}::bigint`);

/** What stands in a refuge, or is on its way there. */
export interface Guest {
  id: string;
  racks: number;
  name: string;
  at: Date;
  isDoorTight: boolean;
}

/** Room that is reserved in it now. */
export const selectGuests = (db: ReadDatabase, refugeId: ServiceId, now: Date) =>
  db.query<Guest>(sql`
    select taken.id, taken.racks, service.name, reserved_at as "at", door_tight_since is not null as "isDoorTight"
    from rescue_reservation taken join service on service.id = taken.service_id
    join rescue on rescue.service_id = refuge_id
    where refuge_id = ${refugeId} and taken.ended_at is null and until > ${now}
    order by reserved_at, taken.id limit 20`);

export interface Holding {
  id: string;
  serviceId: ServiceId;
  unitName: string;
  refugeId: ServiceId;
  refugeName: string;
  locationName: string | null;
  racks: number;
  by: string;
  at: Date;
  until: Date;
  state: Exclude<ReservationState, 'free'>;
  movedBy: string | null;
  movedAt: Date | null;
}

/** So long an act can be taken back where it was done. */
const UNDO_MS = 10 * 60_000;

/** What is reserved for a unit, or in it, or is away or here: until all of it is settled. */
export const selectHoldings = (
  db: ReadDatabase,
  of: { serviceId: ServiceId } | { refugeId: ServiceId },
  now: Date,
) =>
  db.query<Holding>(sql`
    select taken.id, taken.service_id as "serviceId", unit.name as "unitName", refuge_id as "refugeId",
      service.name as "refugeName", location.name as "locationName", racks, reserved_by as "by", reserved_at as "at", until,
      ${STATE} as state, moved_by as "movedBy", moved_at as "movedAt"
    from rescue_reservation taken join service on service.id = refuge_id ${WITH_PLACE}
    join service unit on unit.id = taken.service_id
    where ${isOf(of)} and (taken.ended_at is null or (moved_at is not null
      and (returned_at is null or returned_at > ${new Date(now.getTime() - UNDO_MS)})))
    order by reserved_at desc, taken.id desc limit 50`);

const isOf = (of: { serviceId: ServiceId } | { refugeId: ServiceId }): Sql =>
  'serviceId' in of ? sql`taken.service_id = ${of.serviceId}` : sql`refuge_id = ${of.refugeId}`;

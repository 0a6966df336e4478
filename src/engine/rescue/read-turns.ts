// Units of a room that are in alarm and have nowhere to go yet, in the order in which they are emptied.
import sql from 'sql-template-tag';
import { groupBy } from '../../domain/group-by.ts';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import {
  findTied,
  findTurn,
  inOrderOfRescue,
  type RescueTurn,
  type UnitToEmpty,
} from '../../domain/rescue/turns.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { readGuidanceOf } from '../guidance/guidance-rows.ts';
import { WITH_PLACE } from '../sql-parts/place.ts';
import { readTimesLeft } from './read-times-left.ts';
import { MOVED_IN, MOVED_OUT } from './rescue-rows.ts';

/** Those of one room, whoever comes first at the beginning. */
export interface RoomInAlarm {
  waiting: UnitToEmpty[];
  /** Nobody looked how long each of them can wait: there are too many that only that tells apart. */
  isUnclear: boolean;
}

/** Of more nobody reads what each has measured lately. */
const MOST_TIMED = 60;
/** So many at once are no list that anybody goes by. */
const MOST_WAITING = 1_000;

/** Of the rooms in which these are. Those that wait alone are in no room. */
export async function readRooms(
  db: ReadDatabase,
  serviceIds: readonly ServiceId[],
  now: Date,
): Promise<RoomInAlarm[]> {
  if (serviceIds.length === 0) return [];
  const rows = await selectWaiting(db, serviceIds, now);
  const several = [...groupBy(rows, ({ room }) => room).values()].filter(({ length }) => length > 1);
  if (several.length === 0 || rows.length === MOST_WAITING) return [];
  const guidance = await readGuidanceOf(
    db,
    several.flat().map(({ serviceId }) => serviceId),
  );
  const rooms = several.map((some) =>
    some.map((row) => ({
      ...row,
      valueClass: (guidance.get(row.serviceId)?.valueClass?.value as UnitToEmpty['valueClass']) ?? null,
    })),
  );
  const tied = rooms.flatMap((room) => findTied(room));
  const areTimed = tied.length <= MOST_TIMED;
  const left = areTimed ? await readTimesLeft(db, tied, now) : new Map<ServiceId, number>();
  return rooms.map((room) => ({
    waiting: inOrderOfRescue(room.map((one) => ({ ...one, leftMs: left.get(one.serviceId) ?? null }))),
    isUnclear: !areTimed && findTied(room).length > 0,
  }));
}

export const turnIn = (rooms: readonly RoomInAlarm[], serviceId: ServiceId): RescueTurn | null => {
  const room = rooms.find(({ waiting }) => waiting.some((one) => one.serviceId === serviceId));
  return room && !room.isUnclear ? findTurn(room.waiting, serviceId) : null;
};

/** Those that wait alone are left out. */
export async function readTurns(
  db: ReadDatabase,
  serviceIds: readonly ServiceId[],
  now: Date,
): Promise<Map<ServiceId, RescueTurn>> {
  const rooms = await readRooms(db, serviceIds, now);
  return new Map(
    serviceIds.flatMap((id): [ServiceId, RescueTurn][] => {
      const turn = turnIn(rooms, id);
      return turn ? [[id, turn]] : [];
    }),
  );
}

interface WaitingRow extends Omit<UnitToEmpty, 'leftMs' | 'valueClass'> {
  organizationId: OrganizationId;
  room: string;
  dangerValue: number | null;
  channelId: number | null;
}

const selectWaiting = (db: ReadDatabase, serviceIds: readonly ServiceId[], now: Date) =>
  db.query<WaitingRow>(sql`
    with asked as materialized (
      select distinct service.organization_id, asset.location_id from service
      left join asset on asset.id = service.asset_id where service.id = any(${serviceIds}::int[]))
    select service.id as "serviceId", service.name, service.organization_id as "organizationId",
      concat(service.organization_id, ' ', asset.location_id) as room, location.name as "locationName",
      temperature_class as "temperatureClass", coalesce(racks, 1) - ${MOVED_OUT} + ${MOVED_IN} as racks, preferred_ids as "preferredIds",
      rescue_order as "rescueOrder", danger_value as "dangerValue", measured.id as "channelId"
    from alarm_state state
    join rescue on rescue.service_id = state.service_id and temperature_class is not null
      and coalesce(racks, 1) - ${MOVED_OUT} + ${MOVED_IN} > 0
    join service on service.id = state.service_id and archived_at is null ${WITH_PLACE}
    left join channel measured on measured.service_id = service.id and measured.name = state.channel and kind = 'metric'
    where state.organization_id in (select organization_id from asked)
      -- The first half is what the index has.
      and (state.severity <> 'normal' or state.stale_since is not null) and state.severity <> 'normal'
      and exists (select from asked where asked.organization_id = service.organization_id
        and asked.location_id is not distinct from asset.location_id)
      and not exists (select from rescue_reservation taken where taken.service_id = service.id
        and taken.episode_id = state.episode_id and taken.ended_at is null and taken.until > ${now})
    order by service.id limit ${MOST_WAITING}`);

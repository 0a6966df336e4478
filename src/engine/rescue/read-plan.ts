// Where what is in a unit in alarm can go, and how long that can wait: for its page and for whoever reserves room.
import sql from 'sql-template-tag';
import { groupBy } from '../../domain/group-by.ts';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import { type Need, racksOf, rankRefuges } from '../../domain/rescue/rank-refuges.ts';
import { countPromised, shareRefuges } from '../../domain/rescue/share-refuges.ts';
import type { RescueTurn, UnitToEmpty } from '../../domain/rescue/turns.ts';
import { first, type ReadDatabase } from '../../platform/db/database.ts';
import { inSlices } from '../../platform/in-slices.ts';
import { WITH_PLACE } from '../sql-parts/place.ts';
import { readTimesLeft } from './read-times-left.ts';
import { type RoomInAlarm, readRooms, turnIn } from './read-turns.ts';
import { type FoundRefuge, type StoredRescue, selectRefuges, selectRescue } from './rescue-rows.ts';
import { type Reservation, selectReservations } from './reservation-rows.ts';

export interface RescuePlan {
  rescue: StoredRescue;
  /** null: there is no alarm. */
  episodeId: string | null;
  /** Until what is inside suffers, at the rate of now; null: nobody can tell. */
  danger: { value: number; unit: string | null; inMs: number } | null;
  /** So many are to be moved. */
  racks: number;
  /** All that was inside is elsewhere by now. */
  isEmptied: boolean;
  /** The best first. null: of what is inside the class is not said. */
  refuges: FoundRefuge[] | null;
  /** Among the units of its room that are in alarm and have no place yet; null: it waits alone, or has one. */
  turn: RescueTurn | null;
  /** What has room for it, and is left to those before it. */
  leftToOthers: FoundRefuge[];
  reservations: Reservation[];
}

interface Alarming {
  episodeId: string | null;
  locationName: string | null;
  channelId: number | null;
  unit: string | null;
}

/** null: nothing is said of it for such a day. */
export async function readPlan(
  db: ReadDatabase,
  { serviceId, organizationId }: { serviceId: ServiceId; organizationId: OrganizationId },
  now: Date,
  /** Where it may be, if somebody has looked already. */
  known?: readonly RoomInAlarm[],
): Promise<RescuePlan | null> {
  const rescue = await selectRescue(db, serviceId);
  const unit = rescue && (await selectAlarming(db, serviceId));
  if (!rescue || !unit) return null;
  const { episodeId, locationName } = unit;
  const need = needOf(serviceId, rescue, locationName);
  const rooms = episodeId === null ? [] : (known ?? (await readRooms(db, [serviceId], now)));
  const room = rooms.find(({ waiting }) => waiting.some((one) => one.serviceId === serviceId));
  const ahead = room?.waiting.slice(
    0,
    room.waiting.findIndex((one) => one.serviceId === serviceId),
  );
  return {
    rescue,
    episodeId,
    danger: await readDanger(db, serviceId, rescue, unit, now),
    racks: need ? racksOf(need) : 1,
    isEmptied: rescue.movedOut > 0 && need?.racks === 0,
    turn: turnIn(rooms, serviceId),
    ...(await findRefuges(db, organizationId, need, ahead ?? [], now)),
    reservations: episodeId === null ? [] : await selectReservations(db, serviceId, episodeId, now),
  };
}

/** Racks that those ahead of it need are promised to them. */
async function findRefuges(
  db: ReadDatabase,
  organizationId: OrganizationId,
  need: Need | null,
  ahead: readonly UnitToEmpty[],
  now: Date,
): Promise<Pick<RescuePlan, 'refuges' | 'leftToOthers'>> {
  if (!need) return { refuges: null, leftToOthers: [] };
  const found = await selectRefuges(db, organizationId, need, now);
  const all = rankRefuges(need, found) as FoundRefuge[];
  if (ahead.length === 0) return { refuges: all, leftToOthers: [] };
  const pool = new Map(found.map((one) => [one.serviceId, one]));
  for (const [temperatureClass, some] of groupBy(ahead, (one) => one.temperatureClass)) {
    const racks = Math.min(...some.map((one) => one.racks));
    const preferredIds = some.flatMap((one) => one.preferredIds);
    const theirs = { ...need, temperatureClass, racks, preferredIds };
    for (const one of await selectRefuges(db, organizationId, theirs, now)) pool.set(one.serviceId, one);
  }
  const promised = countPromised(ahead, await inSlices(shareRefuges(ahead, [...pool.values()])));
  const left = found.map((one) => ({
    ...one,
    freeRacks: one.freeRacks - (promised.get(one.serviceId) ?? 0),
  }));
  const refuges = rankRefuges(need, left) as FoundRefuge[];
  const ids = new Set(refuges.map(({ serviceId }) => serviceId));
  return { refuges, leftToOthers: all.filter(({ serviceId }) => !ids.has(serviceId)) };
}

/** null: nobody said how cold it has to be. */
export const needOf = (
  serviceId: ServiceId,
  { temperatureClass, racks, preferredIds, movedOut, movedIn }: StoredRescue,
  locationName: string | null,
): Need | null =>
  temperatureClass && {
    serviceId,
    temperatureClass,
    racks: Math.max(0, (racks ?? 1) - movedOut + movedIn),
    locationName,
    preferredIds,
  };

export const selectAlarming = async (db: ReadDatabase, serviceId: ServiceId) =>
  first(
    await db.query<Alarming>(sql`
      select case when state.severity <> 'normal' then state.episode_id end as "episodeId",
        location.name as "locationName", measured.id as "channelId", measured.unit
      from service join alarm_state state on state.service_id = service.id ${WITH_PLACE}
      left join lateral (
        select id, unit from channel where service_id = service.id and channel.name = state.channel and kind = 'metric') measured on true
      where service.id = ${serviceId}`),
  );

async function readDanger(
  db: ReadDatabase,
  serviceId: ServiceId,
  { dangerValue }: StoredRescue,
  { channelId, unit, episodeId }: Alarming,
  now: Date,
): Promise<RescuePlan['danger']> {
  if (dangerValue === null || channelId === null || episodeId === null) return null;
  const inMs = (await readTimesLeft(db, [{ serviceId, channelId, dangerValue }], now)).get(serviceId);
  return inMs === undefined ? null : { value: dangerValue, unit, inMs };
}

// Where what is in a unit in alarm can go, and how long that can wait: for its page and for whoever reserves room.
import sql from 'sql-template-tag';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import { type Need, rankRefuges } from '../../domain/rescue/rank-refuges.ts';
import { LONGEST_WINDOW_MS, timeToValue } from '../../domain/rescue/time-to-value.ts';
import { first, type ReadDatabase } from '../../platform/db/database.ts';
import { readStored } from '../readings/read-stored.ts';
import { WITH_PLACE } from '../sql-parts/place.ts';
import {
  type FoundRefuge,
  type Reservation,
  type StoredRescue,
  selectRefuges,
  selectRescue,
  selectReservations,
} from './rescue-rows.ts';

export interface RescuePlan {
  rescue: StoredRescue;
  /** null: there is no alarm. */
  episodeId: string | null;
  /** Until what is inside suffers, at the rate of now; null: nobody can tell. */
  danger: { value: number; unit: string | null; inMs: number } | null;
  /** The best first. null: of what is inside the class is not said. */
  refuges: FoundRefuge[] | null;
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
): Promise<RescuePlan | null> {
  const rescue = await selectRescue(db, serviceId);
  const unit = rescue && (await selectAlarming(db, serviceId));
  if (!rescue || !unit) return null;
  const { episodeId, locationName } = unit;
  const need = needOf(serviceId, rescue, locationName);
  return {
    rescue,
    episodeId,
    danger: await readDanger(db, serviceId, rescue, unit, now),
    refuges: need && (rankRefuges(need, await selectRefuges(db, organizationId, need, now)) as FoundRefuge[]),
    reservations: episodeId === null ? [] : await selectReservations(db, serviceId, episodeId, now),
  };
}

/** null: nobody said how cold it has to be. */
export const needOf = (
  serviceId: ServiceId,
  { temperatureClass, racks, preferredIds }: StoredRescue,
  locationName: string | null,
): Need | null =>
  temperatureClass && { serviceId, temperatureClass, racks: racks ?? 1, locationName, preferredIds };

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
  const span = { from: now.getTime() - LONGEST_WINDOW_MS, to: now.getTime() + 1 };
  const readings = (await readStored(db, [{ serviceId, channelId }], span)).byChannel.get(channelId);
  const inMs = readings ? timeToValue(readings, dangerValue, now.getTime()) : null;
  return inMs === null ? null : { value: dangerValue, unit, inMs };
}

// How long units were there between one edge and the next, and how long in alarm.
import { choosePlaces, everyPlace, type PastEpisodes } from '../../domain/history/past-episodes.ts';
import { addUp, turnsOf, type UnitTime } from '../../domain/history/unit-time.ts';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { readEpisodesHeld, selectUnitsStood } from './insight-queries.ts';

/** `begun`: all alarms of these units that began between the first edge and the last, and perhaps others. */
export async function readUnitTime(
  db: ReadDatabase,
  own: readonly OrganizationId[],
  { units, edges }: { units: readonly ServiceId[] | null; edges: readonly Date[] },
  begun: Promise<PastEpisodes>,
): Promise<UnitTime[]> {
  const [from, to] = [edges[0], edges.at(-1)];
  if (!from || !to || from >= to) return [];
  const [stood, held, fresh] = await Promise.all([
    selectUnitsStood(db, own, units, edges),
    readEpisodesHeld(db, own, units, from),
    begun,
  ]);
  const ofUnits = units && new Set<number>(units);
  const inAlarm = addUp(edges, turnsOf(fresh, choosePlaces(fresh, { units: ofUnits, from, to }), edges));
  const since = addUp(edges, turnsOf(held, everyPlace(held), edges));
  return addUp(edges, stood).map((total, place) => ({
    total,
    inAlarm: (inAlarm[place] ?? 0) + (since[place] ?? 0),
  }));
}

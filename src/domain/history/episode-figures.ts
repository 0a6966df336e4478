// What past alarms come to: how many, how soon somebody had them, how soon they were over, and which units had most.
import { findStretch } from './find-stretch.ts';
import type { PastEpisodes } from './past-episodes.ts';

export interface AlarmFigures {
  alarms: number;
  critical: number;
  acknowledged: number;
  over: number;
  /** Medians in milliseconds; null: of none. */
  toAcknowledge: number | null;
  toRecover: number | null;
}

/** Of those at these places. */
export function addUpFigures(episodes: PastEpisodes, places: readonly number[]): AlarmFigures {
  const waited = knownOf(episodes.waitedMs, places);
  const lasted = knownOf(episodes.lastedMs, places);
  return {
    alarms: places.length,
    critical: places.reduce((count, place) => count + (episodes.isCritical[place] as number), 0),
    acknowledged: waited.length,
    over: lasted.length,
    toAcknowledge: medianOf(waited),
    toRecover: medianOf(lasted),
  };
}

function knownOf(values: Float64Array, places: readonly number[]): Float64Array {
  const known = new Float64Array(places.length);
  let count = 0;
  for (const place of places) {
    const value = values[place] as number;
    if (!Number.isNaN(value)) known[count++] = value;
  }
  return known.subarray(0, count);
}

/** Of an even number the middle between the two in the middle. */
function medianOf(values: Float64Array): number | null {
  if (values.length === 0) return null;
  values.sort();
  const middle = (values.length - 1) / 2;
  return ((values[Math.floor(middle)] as number) + (values[Math.ceil(middle)] as number)) / 2;
}

/** For each of the stretches that begin so, one after the other: the places of those that began in it. */
export function shareOut(
  { beganMs }: PastEpisodes,
  places: readonly number[],
  begins: readonly Date[],
): number[][] {
  const starts = begins.map((begin) => begin.getTime());
  const shared: number[][] = starts.map(() => []);
  for (const place of places) shared[findStretch(starts, beganMs[place] as number)]?.push(place);
  return shared;
}

export interface NoisyFigures {
  serviceId: number;
  alarms: number;
  critical: number;
  inAlarmMs: number;
}

/** Those with most alarms, then those that were longest in alarm. */
export function findNoisiest(
  { serviceIds, isCritical, beganMs, lastedMs }: PastEpisodes,
  places: readonly number[],
  { now, most }: { now: Date; most: number },
): NoisyFigures[] {
  const units = new Map<number, NoisyFigures>();
  for (const place of places) {
    const serviceId = serviceIds[place] as number;
    const unit = units.get(serviceId) ?? { serviceId, alarms: 0, critical: 0, inAlarmMs: 0 };
    units.set(serviceId, unit);
    const lasted = lastedMs[place] as number;
    unit.alarms += 1;
    unit.critical += isCritical[place] as number;
    unit.inAlarmMs += Math.max(0, Number.isNaN(lasted) ? now.getTime() - (beganMs[place] as number) : lasted);
  }
  return [...units.values()]
    .sort(
      (one, other) =>
        other.alarms - one.alarms || other.inAlarmMs - one.inAlarmMs || one.serviceId - other.serviceId,
    )
    .slice(0, most);
}

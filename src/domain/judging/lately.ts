// What a channel said since it left its limits: how it is going, and the worst of it. Kept in the alarm row, so that a list
// of alarms tells both without reading what is stored.
import { type BandName, isHigh } from './band.ts';

export interface Lately {
  /** A few, by epoch milliseconds, in order of time, the newest last; those before it a minute apart. */
  readings: readonly (readonly [at: number, value: number])[];
  /** null: it left its limits before anybody kept count. */
  lowest: number | null;
  highest: number | null;
}

export type Trend = 'rising' | 'falling' | 'steady';

const MOST = 5;
const APART_MS = 60_000;

type Reading = Lately['readings'][number];

/** With the last reading within its limits, where there was one: it shows the way. */
export const beginLately = (before: Reading | null, newest: Reading): Lately => ({
  readings: before && before[0] < newest[0] ? [before, newest] : [newest],
  lowest: newest[1],
  highest: newest[1],
});

export const goOnUncounted = (before: Reading | null, newest: Reading): Lately => ({
  ...beginLately(before, newest),
  lowest: null,
  highest: null,
});

export function goOn({ readings, lowest, highest }: Lately, newest: Reading): Lately {
  const last = readings.at(-1);
  if (last && newest[0] <= last[0]) return { readings, lowest, highest };
  const beforeLast = readings.at(-2);
  const isCrowded = last && beforeLast && last[0] - beforeLast[0] < APART_MS;
  const kept = isCrowded ? readings.slice(0, -1) : readings;
  return {
    readings: [...kept, newest].slice(-MOST),
    lowest: lowest === null ? null : Math.min(lowest, newest[1]),
    highest: highest === null ? null : Math.max(highest, newest[1]),
  };
}

/** So many of all pairs of readings go the same way, or it is steady. */
const AGREEING = 0.6;
/** Less than this share of all that it went through is steady too. */
const LEAST_SHARE = 0.02;

/** null: one reading goes nowhere. */
export function findTrend({ readings, lowest, highest }: Lately): Trend | null {
  const [first, last] = [readings[0], readings.at(-1)];
  if (!first || !last || readings.length < 2) return null;
  let up = 0;
  let pairs = 0;
  for (const [index, [, earlier]] of readings.entries())
    for (const [, later] of readings.slice(index + 1)) {
      pairs += 1;
      up += Math.sign(later - earlier);
    }
  const moved = last[1] - first[1];
  const spread = (highest ?? last[1]) - (lowest ?? last[1]);
  if (Math.abs(up) < AGREEING * pairs || Math.sign(moved) !== Math.sign(up)) return 'steady';
  if (Math.abs(moved) < LEAST_SHARE * spread) return 'steady';
  return up > 0 ? 'rising' : 'falling';
}

/** Beyond a high limit the highest, beyond a low one the lowest. */
export const findWorst = ({ lowest, highest }: Lately, band: BandName): number | null =>
  isHigh(band) ? highest : lowest;

// What sticks out of the steady band: spikes that keep coming back (doors, defrosting), and excursions that do not.
import { MINUTE_MS, type Span } from '../readings/span.ts';
import { DAY_MS } from './days.ts';
import type { ChannelHistory } from './history.ts';
import { medianOf } from './quantiles.ts';
import { findRuns, type Run, type Side } from './runs.ts';

export interface SteadyBand {
  median: number;
  /** Nine tenths of the readings lie above, and below. */
  low: number;
  high: number;
  width: number;
}

const OUTSIDE_SHARE = 0.75;

/** Beyond this a reading is no part of the steady band: noise goes hardly farther than three deviations. */
export const edgeOf = ({ low, high, width }: SteadyBand, side: Side, share = OUTSIDE_SHARE): number =>
  side === 1 ? high + share * width : low - share * width;

const MUCH_LONGER = 3;
const SHORTEST_EXCURSION_MS = 30 * MINUTE_MS;
const SHORTEST_EXCURSION_READINGS = 3;

/** The few that lasted far longer than all others: no part of normal operation. */
export function findExcursions(
  history: ChannelHistory,
  side: Side,
  band: SteadyBand,
  intervalMs: number,
): Run[] {
  const runs = findRuns(history, side, edgeOf(band, side), intervalMs);
  const lengths = runs.map(({ from, to }) => to - from).sort((one, other) => other - one);
  const days = ((history.at.at(-1) ?? 0) - (history.at[0] ?? 0)) / DAY_MS;
  const most = Math.max(2, Math.floor(days / 7));
  const shortest = Math.max(SHORTEST_EXCURSION_MS, SHORTEST_EXCURSION_READINGS * intervalMs);
  // The longest that comes back is the first one not much shorter than the one before it.
  let excursions = 0;
  for (let index = 0; index < Math.min(most, lengths.length); index += 1) {
    const ordinary = Math.max(lengths[index + 1] ?? 0, shortest / MUCH_LONGER);
    if ((lengths[index] as number) > MUCH_LONGER * ordinary) excursions = index + 1;
  }
  if (excursions === 0) return [];
  const shortestKept = lengths[excursions - 1] as number;
  const core = runs.filter(({ from, to }) => to - from >= shortestKept);
  // Their slopes inside the edge belong to them.
  const border = side === 1 ? band.high : band.low;
  return findRuns(history, side, border, intervalMs).filter((run) =>
    core.some(({ from, to }) => from < run.to && to > run.from),
  );
}

export interface Spikes {
  count: number;
  typicalMinutes: number;
  longestMinutes: number;
  /** The farthest reading, as measured. */
  peak: number;
  /** From one to the next, as a rule. */
  spacingMinutes: number;
  /** Like clockwork, as a defrost; otherwise as people come and go. */
  isRegular: boolean;
  /** None lasted longer than one reading. */
  areSingleReadings: boolean;
}

const LEAST_SPIKES = 3;
// What sticks out for longer than one reading need not stick out far.
const SPIKE_SHARE = 0.5;
// Noise alone sends a reading past that now and then, but not twice as far.
const GLITCH_TIMES = 2;
const REGULAR_SHARE = 0.7;
const REGULAR_TOLERANCE = 0.15;

/** null: fewer than come by chance. */
export function summarizeSpikes(
  history: ChannelHistory,
  side: Side,
  band: SteadyBand,
  intervalMs: number,
): Spikes | null {
  const edge = edgeOf(band, side, SPIKE_SHARE);
  const runs = findRuns(history, side, edge, intervalMs);
  if (runs.length < LEAST_SPIKES) return null;
  const peak =
    side * runs.reduce((farthest, run) => Math.max(farthest, side * run.peak), Number.NEGATIVE_INFINITY);
  const reach = (peak - band.median) / (edge - band.median);
  const isNoise = medianOf(runs.map(({ readings }) => readings)) <= 1 && reach < GLITCH_TIMES;
  if (isNoise) return null;
  const minutes = runs.map(({ from, to }) => (to - from) / MINUTE_MS);
  const spacings = runs.slice(1).map(({ from }, index) => (from - (runs[index] as Span).from) / MINUTE_MS);
  const spacing = medianOf(spacings);
  const isNear = (each: number) => Math.abs(each - spacing) <= REGULAR_TOLERANCE * spacing;
  return {
    count: runs.length,
    typicalMinutes: medianOf(minutes),
    longestMinutes: minutes.reduce((longest, each) => Math.max(longest, each), 0),
    peak:
      side * runs.reduce((farthest, run) => Math.max(farthest, side * run.peak), Number.NEGATIVE_INFINITY),
    spacingMinutes: spacing,
    isRegular: spacings.filter(isNear).length >= REGULAR_SHARE * spacings.length,
    areSingleReadings: runs.every(({ readings }) => readings === 1),
  };
}

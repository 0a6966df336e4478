// From which rows a chart of one channel is drawn, so that its cost does not grow with what is stored.
import type { Instant } from '../judging/judge.ts';
import { floorTo, HOUR_MS, MINUTE_MS, type Span } from './rollup.ts';

/** Whatever is asked for, no chart reads more rows. */
export const MOST_ROWS = 10_000;
// The newest are read of what is longer. Leaves room for the minutes and readings after the last whole hour.
const MOST_HOURS = 9_800;
// Steps that divide the day, so that a chart which is moved keeps its points.
const HOURS_PER_POINT = [1, 2, 3, 4, 6, 8, 12, 24, 48, 96, 240, 480, 1200, 2400, 4800, MOST_HOURS];

export interface SeriesPlan {
  stepMs: number;
  hours: Span;
  minutes: Span;
  readings: Span;
  /** The newest readings count: there are more only while the rollups are far behind. */
  mostReadings: number;
}

/** `rolledUntil`: what is older stands in the rollups, what is newer is read as it came. `rowsRead`: on the way here. */
export function planSeries(asked: Span, most: number, rolledUntil: Instant, rowsRead = 0): SeriesPlan {
  const { to } = asked;
  const longest = Math.max(asked.from, to - MOST_HOURS * HOUR_MS);
  const isByMinute = Math.ceil((to - longest) / MINUTE_MS) <= most;
  const stepMs = isByMinute ? MINUTE_MS : hoursPerPoint(to - longest, most) * HOUR_MS;
  const from = floorTo(longest, isByMinute ? MINUTE_MS : HOUR_MS);

  const hoursUntil = isByMinute ? from : within(floorTo(rolledUntil, HOUR_MS), { from, to });
  const minutesUntil = within(rolledUntil, { from: hoursUntil, to });
  const rows = (hoursUntil - from) / HOUR_MS + (minutesUntil - hoursUntil) / MINUTE_MS;
  return {
    stepMs,
    hours: { from, to: hoursUntil },
    minutes: { from: hoursUntil, to: minutesUntil },
    readings: { from: minutesUntil, to },
    mostReadings: MOST_ROWS - rowsRead - Math.ceil(rows),
  };
}

const within = (at: Instant, { from, to }: Span) => Math.min(Math.max(at, from), to);

/** One point more than `most` may come of it, where the ends fall inside a step. */
function hoursPerPoint(spanMs: number, most: number): number {
  const needed = spanMs / HOUR_MS / most;
  return HOURS_PER_POINT.find((hours) => hours >= needed) ?? MOST_HOURS;
}

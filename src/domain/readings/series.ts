// In which steps a chart of one channel is drawn, so that its cost does not grow with what is stored.
import { DAY_MS, floorTo, HOUR_MS, MINUTE_MS, type Span } from './span.ts';

/** So many readings are unpacked for one chart; of more, what their packs come to is enough. */
const MOST_UNPACKED = 150_000;
// Steps that divide the day, so that a chart which is moved keeps its points.
const HOURS_PER_POINT = [1, 2, 3, 4, 6, 8, 12, 24, 48, 96, 240, 480, 1200, 2400, 4800, 9600, 24_000];

export interface SeriesPlan {
  stepMs: number;
  /** Days of which packs are looked at from outside. */
  outside: Span;
  /** Unpacked. */
  inside: Span;
}

/** `stored`: readings of the days that are touched. `longestPackMs`: what a pack comes to stands for so long. */
export function planSeries(
  { from, to }: Span,
  most: number,
  { stored, longestPackMs }: { stored: number; longestPackMs: number },
): SeriesPlan {
  if (stored <= MOST_UNPACKED) {
    const stepMs = chooseStep(to - from, most, 0);
    const begin = floorTo(from, stepMs);
    return { stepMs, outside: { from: begin, to: begin }, inside: { from: begin, to } };
  }
  const [begin, today] = [floorTo(from, DAY_MS), floorTo(to - 1, DAY_MS)];
  const outside = { from: begin, to: Math.max(begin, today) };
  return { stepMs: chooseStep(to - begin, most, longestPackMs), outside, inside: { from: outside.to, to } };
}

/** One point more than `most` may come of it, where the ends fall inside a step. */
function chooseStep(spanMs: number, most: number, leastMs: number): number {
  if (leastMs <= MINUTE_MS && Math.ceil(spanMs / MINUTE_MS) <= most) return MINUTE_MS;
  const needed = Math.max(spanMs / most, leastMs) / HOUR_MS;
  return (HOURS_PER_POINT.find((hours) => hours >= needed) ?? Math.ceil(needed / 24) * 24) * HOUR_MS;
}

// Stretches of readings beyond a threshold. A side is 1 for high and -1 for low: low is high upside down.
import { MINUTE_MS, type Span } from '../readings/span.ts';
import type { ChannelHistory } from './history.ts';

export type Side = 1 | -1;

export interface Run extends Span {
  /** The farthest reading, as measured. */
  peak: number;
  readings: number;
}

const GAP_INTERVALS = 5;
const LEAST_GAP_MS = 15 * MINUTE_MS;

/** No reading for longer than this is a gap: nothing is known of the time between. */
const gapOf = (intervalMs: number): number => Math.max(GAP_INTERVALS * intervalMs, LEAST_GAP_MS);

/** From the first reading beyond to the first one back, as the judge counts. */
export function findRuns(history: ChannelHistory, side: Side, threshold: number, intervalMs: number): Run[] {
  const { at, value } = history;
  const gapMs = gapOf(intervalMs);
  const runs: Run[] = [];
  let run: Run | null = null;
  let lastAt = 0;
  const end = (to: number) => {
    if (run) runs.push({ ...run, to });
    run = null;
  };
  for (let index = 0; index < at.length; index += 1) {
    const now = at[index] as number;
    const measured = value[index] as number;
    if (run && now - lastAt > gapMs) end(lastAt + intervalMs);
    if (side * (measured - threshold) > 0) {
      run ??= { from: now, to: now, peak: measured, readings: 0 };
      run.readings += 1;
      if (side * (measured - run.peak) > 0) run.peak = measured;
    } else if (run) end(now);
    lastAt = now;
  }
  if (run) end(lastAt + intervalMs);
  return runs;
}

/** The same, only for how long the longest lasted: asked for many thresholds. */
export function findLongestRun(
  { at, value }: ChannelHistory,
  side: Side,
  threshold: number,
  intervalMs: number,
): number {
  const gapMs = gapOf(intervalMs);
  let longest = 0;
  let from = -1;
  let lastAt = 0;
  for (let index = 0; index < at.length; index += 1) {
    const now = at[index] as number;
    const isGap = now - lastAt > gapMs;
    const isBeyond = side * ((value[index] as number) - threshold) > 0;
    if (from >= 0 && (isGap || !isBeyond)) {
      const began = at[from] as number;
      longest = Math.max(longest, (isGap ? lastAt + intervalMs : now) - began);
      from = -1;
    }
    if (isBeyond && from < 0) from = index;
    lastAt = now;
  }
  return from < 0 ? longest : Math.max(longest, lastAt + intervalMs - (at[from] as number));
}

// What many readings come to, by steps of time.
import type { Instant } from '../instant.ts';
import type { Readings } from './pack.ts';
import { floorTo, type Span } from './span.ts';

/** What readings come to, from `at` on. */
export interface Step {
  at: Instant;
  min: number;
  max: number;
  mean: number;
  count: number;
}

/** Of readings in order of time. */
export function stepReadings({ ats, values }: Readings, stepMs: number): Step[] {
  const steps: Step[] = [];
  let step: Step | undefined;
  for (let index = 0; index < ats.length; index += 1) {
    const [at, value] = [floorTo(ats[index] as number, stepMs), values[index] as number];
    if (!step || step.at !== at) {
      step = { at, min: value, max: value, mean: value, count: 1 };
      steps.push(step);
      continue;
    }
    if (value < step.min) step.min = value;
    if (value > step.max) step.max = value;
    step.count += 1;
    step.mean = weigh(step.mean, value, 1 / step.count);
  }
  return steps;
}

/** Steps in order of time, joined to longer ones. */
export function joinSteps(short: readonly Step[], stepMs: number): Step[] {
  const steps: Step[] = [];
  for (const { at: startsAt, ...next } of short) {
    const at = floorTo(startsAt, stepMs);
    const last = steps.at(-1);
    if (last?.at !== at) {
      steps.push({ at, ...next });
      continue;
    }
    last.min = Math.min(last.min, next.min);
    last.max = Math.max(last.max, next.max);
    last.count += next.count;
    last.mean = weigh(last.mean, next.mean, next.count / last.count);
  }
  return steps;
}

/** Share by share: the sum of two extremes would be endless. */
const weigh = (mean: number, other: number, share: number): number => mean * (1 - share) + other * share;

/** Those of the span, without copying. */
export function cutOut({ ats, values }: Readings, { from, to }: Span): Readings {
  const [begin, end] = [findPlace(ats, from), findPlace(ats, to)];
  return { ats: ats.subarray(begin, end), values: values.subarray(begin, end) };
}

/** How many are earlier. */
export function findPlace(ats: Float64Array, at: Instant): number {
  let [low, high] = [0, ats.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ats[middle] as number) < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

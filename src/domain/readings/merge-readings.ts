// Runs of readings of one channel become one, and what they come to.
import type { Readings } from './pack.ts';

/** Each run ascends. Where two have the same time, the reading of the earlier run stays: it was stored first. */
export function mergeReadings(runs: readonly Readings[]): Readings {
  let left = runs.filter(({ ats }) => ats.length > 0);
  if (follow(left)) return join(left);
  // Neighbours in pairs, so that each reading is moved a few times only and the earlier run stays the earlier one.
  while (left.length > 1) {
    const merged: Readings[] = [];
    for (let index = 0; index < left.length; index += 2)
      merged.push(mergeTwo(left[index] ?? NONE, left[index + 1] ?? NONE));
    left = merged;
  }
  return left[0] ?? NONE;
}

const NONE: Readings = { ats: new Float64Array(0), values: new Float64Array(0) };

const firstAt = ({ ats }: Readings): number => ats[0] ?? Number.POSITIVE_INFINITY;
const lastAt = ({ ats }: Readings): number => ats[ats.length - 1] ?? Number.NEGATIVE_INFINITY;

/** Whether each begins after the one before has ended. */
const follow = (runs: readonly Readings[]): boolean =>
  runs.every((run, index) => index === 0 || firstAt(run) > lastAt(runs[index - 1] ?? NONE));

function join(runs: readonly Readings[]): Readings {
  const count = runs.reduce((sum, { ats }) => sum + ats.length, 0);
  const joined = { ats: new Float64Array(count), values: new Float64Array(count) };
  let from = 0;
  for (const { ats, values } of runs) {
    joined.ats.set(ats, from);
    joined.values.set(values, from);
    from += ats.length;
  }
  return joined;
}

function mergeTwo(earlier: Readings, later: Readings): Readings {
  if (follow([earlier, later])) return join([earlier, later]);
  if (follow([later, earlier])) return join([later, earlier]);
  const most = earlier.ats.length + later.ats.length;
  const ats = new Float64Array(most);
  const values = new Float64Array(most);
  let count = 0;
  for (let one = 0, other = 0; one < earlier.ats.length || other < later.ats.length; count += 1) {
    const oneAt = earlier.ats[one] ?? Number.POSITIVE_INFINITY;
    const otherAt = later.ats[other] ?? Number.POSITIVE_INFINITY;
    const isEarlier = oneAt <= otherAt;
    ats[count] = isEarlier ? oneAt : otherAt;
    values[count] = (isEarlier ? earlier.values[one] : later.values[other]) ?? 0;
    if (isEarlier) one += 1;
    if (otherAt <= oneAt) other += 1;
  }
  return { ats: ats.slice(0, count), values: values.slice(0, count) };
}

export interface Summary {
  count: number;
  firstAt: number;
  lastAt: number;
  min: number;
  max: number;
  /** Never outside of `min` and `max`. */
  mean: number;
}

/** Of at least one reading. -0 is less than 0, so that `min` and `max` do not depend on which of them came first. */
export function summarize({ ats, values }: Readings): Summary {
  const count = ats.length;
  if (count === 0) throw new RangeError('There is no reading to summarize');
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  let sum = 0;
  for (let index = 0; index < count; index += 1) {
    const value = values[index] ?? 0;
    min = Math.min(min, value);
    max = Math.max(max, value);
    sum += value;
  }
  const mean = Number.isFinite(sum) ? sum / count : meanOfExtremes(values);
  return {
    count,
    firstAt: ats[0] ?? 0,
    lastAt: ats[count - 1] ?? 0,
    min,
    max,
    // Rounding carries the mean of three times 0.1 above 0.1.
    mean: Math.min(max, Math.max(min, mean)),
  };
}

/** Of values whose sum is too large for a number. */
const meanOfExtremes = (values: Float64Array): number =>
  values.reduce((mean, value) => mean + value / values.length, 0);

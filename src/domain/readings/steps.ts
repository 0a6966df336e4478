// Times as how much longer each step is than the usual one. A sensor's jitter shows twice in that, and four times in steps
// of steps; a gap is one odd step, not two.
import { type Bits, LARGEST, ROOM_FOR_NUMBER, readNumber, unzigzag, writeNumber, zigzag } from './bits.ts';
import { readResiduals, roomForResiduals, toDifferences, writeResiduals } from './residuals.ts';

/** The steps between times, in the largest unit that is exact for all of them. */
interface Steps {
  firstAt: number;
  unitMs: number;
  /** The usual one. */
  period: number;
  /** By how much each is longer; the first of them is none. */
  residuals: Float64Array;
}

/** null: some lie a thousand years from here. */
export function toSteps(ats: Float64Array): Steps | null {
  const [firstAt = 0, lastAt = 0] = [ats[0], ats.at(-1)];
  if (Math.abs(firstAt) > LARGEST || Math.abs(lastAt) > LARGEST) return null;
  const steps = ats.slice();
  toDifferences(steps);
  const unitMs = findUnit(steps);
  const period = findPeriod(steps) / unitMs;
  for (let index = 1; index < steps.length; index += 1) steps[index] = (steps[index] ?? 0) / unitMs - period;
  return { firstAt, unitMs, period, residuals: steps };
}

/** The largest number that divides them all, 1 where there are none. */
function findUnit(steps: Float64Array): number {
  let unit = steps[1] ?? 1;
  for (let index = 2; index < steps.length && unit > 1; index += 1) {
    const step = steps[index] ?? 0;
    if (step !== unit) unit = findDivisor(step, unit);
  }
  return unit;
}

/** The largest of two. */
function findDivisor(one: number, other: number): number {
  let [larger, smaller] = [one, other];
  while (smaller !== 0) [larger, smaller] = [smaller, larger % smaller];
  return larger;
}

const MOST_LOOKED_AT = 101;

/** The middle one of some, 0 where there are none. */
function findPeriod(steps: Float64Array): number {
  const count = steps.length - 1;
  const some = new Float64Array(Math.max(0, Math.min(MOST_LOOKED_AT, count)));
  for (let index = 0; index < some.length; index += 1)
    some[index] = steps[1 + Math.floor((index * count) / some.length)] ?? 0;
  return some.sort()[some.length >> 1] ?? 0;
}

/** Room that so many may take, in bits. */
export const roomForSteps = (count: number): number => 3 * ROOM_FOR_NUMBER + roomForResiduals(count);

export function writeSteps(bits: Bits, { firstAt, unitMs, period, residuals }: Steps): void {
  writeNumber(bits, zigzag(firstAt));
  writeNumber(bits, unitMs);
  writeNumber(bits, period);
  writeResiduals(bits, residuals);
}

/** Of at least one. Whoever reads them looks whether they ascend. */
export function readSteps(bits: Bits, count: number): Float64Array {
  const ats = new Float64Array(count);
  let at = unzigzag(readNumber(bits));
  const unitMs = readNumber(bits);
  const period = readNumber(bits);
  readResiduals(bits, ats);
  ats[0] = at;
  for (let index = 1; index < count; index += 1) {
    at += unitMs * (period + (ats[index] ?? 0));
    ats[index] = at;
  }
  return ats;
}

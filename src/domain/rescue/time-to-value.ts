// How long a unit takes to a value at the rate at which it goes there now; nothing where its readings do not make that clear.
import type { Instant } from '../instant.ts';

interface Points {
  /** In order. */
  ats: ArrayLike<number>;
  values: ArrayLike<number>;
}

const HOUR_MS = 3_600_000;
/** The shortest that is clear counts: what happens now, not what happened before it. */
const WINDOWS_MS = [0.5, 1, 2, 4, 8, 12].map((hours) => hours * HOUR_MS);
export const LONGEST_WINDOW_MS = 12 * HOUR_MS;
const FEWEST_OF_THIRD = 4;
/** Readings beside each other err alike: of more than so many, a median is no surer. */
const MOST_SURE = 8;
/** Nobody foretells for longer than a few times what was seen. */
const HORIZON_TIMES = 3;
/** Later than that, days and nights and people at work have changed it. */
/** So many times faster or slower than when it was seen first: it has only just begun, and nobody knows how it goes on. */
const MOST_BENT = 2.5;
const LONGEST_MS = 8 * HOUR_MS;
/** What its readings leave open may move the answer by so much. */
const MOST_UNSURE = 0.2;

/** In milliseconds; null: it is not clear, or it does not go there. */
export function timeToValue(points: Points, target: number, now: Instant): number | null {
  for (const windowMs of WINDOWS_MS) {
    const seen = findThirds(points, windowMs, now);
    const timeMs = seen && foretellSurely(seen, target);
    if (timeMs !== null && timeMs <= Math.min(HORIZON_TIMES * windowMs, LONGEST_MS)) return timeMs;
  }
  return null;
}

/** Of three thirds their middles: a door that was opened, and a reading gone astray, move none of them far. */
type Three = [first: number, second: number, third: number];

interface Seen {
  /** When, from now on. */
  ats: Three;
  values: Three;
}

interface Sure {
  seen: Seen;
  /** How far each of the values may be off. */
  unsure: number;
}

function findThirds({ ats, values }: Points, windowMs: number, now: Instant): Sure | null {
  const thirds: { ats: number[]; values: number[] }[] = [0, 1, 2].map(() => ({ ats: [], values: [] }));
  for (let place = ats.length - 1; place >= 0; place -= 1) {
    const at = (ats[place] as number) - now;
    if (at <= -windowMs) break;
    const third = at > 0 ? undefined : thirds[Math.min(2, Math.floor(((at + windowMs) / windowMs) * 3))];
    third?.ats.push(at);
    third?.values.push(values[place] as number);
  }
  const fewest = Math.min(...thirds.map((third) => third.ats.length));
  if (fewest < FEWEST_OF_THIRD) return null;
  const seen = {
    ats: thirds.map((third) => median(third.ats)) as Three,
    values: thirds.map((third) => median(third.values)) as Three,
  };
  const { valueAt } = follow(seen);
  const apart = thirds.flatMap((third) =>
    third.ats.map((at, place) => Math.abs((third.values[place] ?? 0) - valueAt(at))),
  );
  // Of what scatters evenly the median distance is two thirds of the usual one.
  const scatter = 1.5 * median(apart);
  return { seen, unsure: (1.25 * scatter) / Math.sqrt(Math.min(fewest, MOST_SURE)) };
}

/** The bent course through all three. */
function follow({ ats: [first, second, third], values: [one, two, three] }: Seen) {
  const before = (two - one) / (second - first);
  const after = (three - two) / (third - second);
  const bend = (after - before) / (third - first);
  return {
    valueAt: (at: number) => one + before * (at - first) + bend * (at - first) * (at - second),
    speedAt: (at: number) => before + bend * (2 * at - first - second),
    bend,
  };
}

/** Wherever within their reach the values are in truth, the answer is nearly the same. */
function foretellSurely({ seen, unsure }: Sure, target: number): number | null {
  const timeMs = foretell(seen, target);
  if (timeMs === null) return null;
  const isSure = SHIFTS.every((shift) => {
    const values = seen.values.map((value, third) => value + (shift[third] ?? 0) * unsure) as Three;
    const other = foretell({ ...seen, values }, target);
    return other !== null && Math.abs(other - timeMs) <= MOST_UNSURE * timeMs;
  });
  return isSure ? timeMs : null;
}

const SHIFTS: Three[] = [
  [1, 0, -1],
  [-1, 0, 1],
  [1, -1, 1],
  [-1, 1, -1],
];

function foretell(seen: Seen, target: number): number | null {
  const { valueAt, speedAt, bend } = follow(seen);
  const [first, second, third] = seen.values;
  const way = target - valueAt(0);
  const [begun, speed] = [speedAt(2 * seen.ats[1]), speedAt(0)];
  const isOneWay = [second - first, third - second, speed, begun].every((one) => one * way > 0);
  if (!isOneWay || Math.max(begun / speed, speed / begun) > MOST_BENT) return null;
  const root = speed ** 2 + 4 * bend * way;
  if (root < 0) return null;
  return (2 * way) / (speed + Math.sign(speed) * Math.sqrt(root));
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const half = sorted.length >> 1;
  const high = sorted[half] ?? 0;
  return sorted.length % 2 === 1 ? high : ((sorted[half - 1] ?? 0) + high) / 2;
}

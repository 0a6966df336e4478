// How often a device seems to report, from the times of its last readings.
import type { Instant } from '../instant.ts';

const MINUTE_MS = 60_000;
const MOST_GAPS = 20;
const FEWEST_GAPS = 8;
/** What counts as regular: so many of the gaps, so near to the one in the middle. */
const REGULAR_SHARE = 0.8;
const NEAR = 0.2;
/** A service is stale after twice the interval: radio loses a message now and then, so that shall be three of them. */
const RADIO_FACTOR = 1.5;
const ON_CHANGE_FACTOR = 1.2;
const USUAL_MINUTES = [1, 2, 5, 10, 15, 20, 30, 60, 90, 120, 180, 240, 360, 720, 1440];

/** In minutes; null: it has said too little. */
export function proposeInterval(times: readonly Instant[], isRadio: boolean): number | null {
  const ordered = [...new Set(times)].sort((one, other) => one - other).slice(-MOST_GAPS - 1);
  const gaps = ordered.slice(1).map((at, index) => at - (ordered[index] as Instant));
  if (gaps.length < FEWEST_GAPS) return null;
  const sorted = gaps.toSorted((one, other) => one - other);
  const median = findQuantile(sorted, 0.5);
  const near = gaps.filter((gap) => Math.abs(gap - median) <= NEAR * median);
  if (near.length < REGULAR_SHARE * gaps.length)
    return roundUp((findQuantile(sorted, 0.95) * ON_CHANGE_FACTOR) / MINUTE_MS);
  const minutes = roundNear(median / MINUTE_MS);
  return isRadio ? minutes * RADIO_FACTOR : minutes;
}

const findQuantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.ceil(share * sorted.length) - 1] ?? 0;

/** Never less than a minute: a sender that pauses for a moment is not stale. */
function roundNear(minutes: number): number {
  const nearest = (one: number, other: number) => Math.abs(one - minutes) - Math.abs(other - minutes);
  return USUAL_MINUTES.toSorted(nearest)[0] ?? 1;
}

const roundUp = (minutes: number): number =>
  USUAL_MINUTES.find((usual) => usual >= minutes) ?? Math.ceil(minutes);

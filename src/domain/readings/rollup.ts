// How far the rollups of minutes and hours may go, and how much of it to do at a time.
import type { Instant } from '../judging/judge.ts';

export const MINUTE_MS = 60 * 1000;
export const HOUR_MS = 60 * MINUTE_MS;
// Readings are left to settle before they are rolled up: what comes later than this costs a second look at its hour.
const SETTLE_MS = 10 * MINUTE_MS;

export const floorTo = (at: Instant, stepMs: number): Instant => Math.floor(at / stepMs) * stepMs;

/** Where the rollups should be. */
export const settledUntil = (now: Instant): Instant => floorTo(now - SETTLE_MS, MINUTE_MS);

export interface RollupProgress {
  /** A reading older than this marks its hour. */
  sealedUntil: Instant;
  /** Rollups are complete up to here, but for marked hours. Never beyond the seal. */
  rolledUntil: Instant;
}

/** `oldestAt`: where to begin in a database that was never rolled up. */
export function advanceSeal(progress: RollupProgress, now: Instant, oldestAt: Instant): RollupProgress {
  const settled = settledUntil(now);
  const hasBegun = progress.rolledUntil !== Number.NEGATIVE_INFINITY;
  const rolledUntil = hasBegun ? progress.rolledUntil : Math.min(oldestAt, settled);
  // The clock was set back. What came meanwhile has left marks; from here on it is all rolled up once more.
  if (progress.sealedUntil > now)
    return { sealedUntil: settled, rolledUntil: Math.min(rolledUntil, settled) };
  return { sealedUntil: Math.max(progress.sealedUntil, settled), rolledUntil };
}

export interface Span {
  from: Instant;
  to: Instant;
}

/** The next stretch to roll up, and the hours that are whole with it. */
export function nextStretch(
  { rolledUntil, sealedUntil }: RollupProgress,
  mostMs: number,
): { minutes: Span; hours: Span } | null {
  if (rolledUntil >= sealedUntil) return null;
  const minutes = { from: rolledUntil, to: Math.min(rolledUntil + mostMs, sealedUntil) };
  return { minutes, hours: { from: floorTo(minutes.from, HOUR_MS), to: floorTo(minutes.to, HOUR_MS) } };
}

const QUICK_MS = 200;
const SLOW_MS = 800;

/** Doubles what was quick and halves what was slow, so that no piece of work takes much longer than a second. */
export function adaptPace(pace: number, tookMs: number, [least, most]: readonly [number, number]): number {
  if (tookMs < QUICK_MS) return Math.min(pace * 2, most);
  if (tookMs > SLOW_MS) return Math.max(Math.floor(pace / 2), least);
  return pace;
}

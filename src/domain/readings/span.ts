import type { Instant } from '../instant.ts';

export const MINUTE_MS = 60 * 1000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

export interface Span {
  from: Instant;
  /** Exclusive. */
  to: Instant;
}

export const floorTo = (at: Instant, stepMs: number): Instant => Math.floor(at / stepMs) * stepMs;

/** Days are counted from the epoch on, UTC. */
export const dayOf = (at: Instant): number => Math.floor(at / DAY_MS);

export const writeDay = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

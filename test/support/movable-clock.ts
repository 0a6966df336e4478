import type { Clock } from '../../src/platform/clock.ts';

export const STORY_BEGINS_AT = new Date('2026-11-15T03:00:00.000Z');

export const seconds = (count: number) => count * 1000;
export const minutes = (count: number) => seconds(count * 60);
export const hours = (count: number) => minutes(count * 60);

/** Stands still until it is moved by hand. */
export interface MovableClock {
  read: Clock;
  advance(ms: number): void;
}

export function createMovableClock(startAt = STORY_BEGINS_AT): MovableClock {
  let now = startAt;
  return {
    read: () => now,
    advance(ms) {
      now = new Date(now.getTime() + ms);
    },
  };
}

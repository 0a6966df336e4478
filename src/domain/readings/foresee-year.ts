// What a year of readings will come to, by what the last days came to.
import { dayOf } from './span.ts';

/** Whole ones, the last of them yesterday. */
export const RECENT_DAYS = 7;

interface Pace {
  firstAt: Date | null;
  recentReadings: number;
  recentBytes: number;
}

export interface YearAhead {
  readings: number;
  bytes: number;
}

/** null: nothing came, or there is no whole day yet. */
export function foreseeYear({ firstAt, recentReadings, recentBytes }: Pace, now: Date): YearAhead | null {
  if (!firstAt || recentReadings === 0) return null;
  const days = Math.min(RECENT_DAYS, dayOf(now.getTime()) - dayOf(firstAt.getTime()));
  if (days < 1) return null;
  return { readings: (recentReadings / days) * 365, bytes: (recentBytes / days) * 365 };
}

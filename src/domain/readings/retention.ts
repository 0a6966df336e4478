// How long readings are kept: as many years as their organization says, and never longer than the installation allows.
import type { Instant } from '../instant.ts';
import { DAY_MS } from './span.ts';

export const DEFAULT_RETENTION_YEARS = 10;
export const LONGEST_RETENTION_YEARS = 100;

/** TOCSIN_RETENTION_DAYS; null: whatever organizations say. */
export type MostDays = number | null;

/** What is older is not kept. */
export function findOldestKept(now: Instant, years: number, mostDays: MostDays): Instant {
  const byYears = yearsBefore(now, years);
  return mostDays === null ? byYears : Math.max(byYears, now - mostDays * DAY_MS);
}

/** Such as `10 years`, or `400 days` where the installation keeps them for less. */
export function sayRetention(now: Instant, years: number, mostDays: MostDays): string {
  if (mostDays !== null && now - mostDays * DAY_MS > yearsBefore(now, years)) return sayDays(mostDays);
  return years === 1 ? '1 year' : `${years} years`;
}

const sayDays = (days: number): string => (days === 1 ? '1 day' : `${days} days`);

function yearsBefore(now: Instant, years: number): Instant {
  const at = new Date(now);
  return at.setUTCFullYear(at.getUTCFullYear() - years);
}

/** As people type it; null: not a whole number of years that can be kept. */
export function readRetentionYears(text: string | undefined): number | null {
  const years = /^\s*\d{1,3}\s*$/.test(text ?? '') ? Number(text) : 0;
  return years >= 1 && years <= LONGEST_RETENTION_YEARS ? years : null;
}

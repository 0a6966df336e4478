import type { Language } from '../language/speak.ts';

const MONDAY = Date.UTC(2024, 0, 1);
const DAY_MS = 86_400_000;

/** `Monday` or `Mon` of 1, `Sunday` or `Sun` of 7. */
export const nameWeekday = (day: number, { tag }: Language, weekday: 'long' | 'short' = 'long'): string =>
  new Intl.DateTimeFormat(tag, { timeZone: 'UTC', weekday }).format(MONDAY + (day - 1) * DAY_MS);

// The wall clock of a place as instants: in a DST gap the later instant counts, in a fold the earlier one, as everywhere.
import { Temporal } from 'temporal-polyfill';
import { readWall } from '../wall-clock.ts';

/** The same few days are asked for at every edge of weeks, and a calendar is slow. */
const known = new Map<string, number>();
const MOST_KNOWN = 5_000;

/** `day` is `2026-11-15`, `clock` is `08:00`; `days` may be added to it. */
export function instantAt(day: string, clock: string, timeZone: string, days = 0): Date {
  const key = `${day} ${clock} ${timeZone} ${days}`;
  const found = known.get(key) ?? findInstant(day, clock, timeZone, days);
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(key, found);
  return new Date(found);
}

function findInstant(day: string, clock: string, timeZone: string, days: number): number {
  const { epochMilliseconds } = Temporal.PlainDate.from(addDays(day, days))
    .toPlainDateTime(Temporal.PlainTime.from(clock))
    .toZonedDateTime(timeZone, { disambiguation: 'compatible' });
  return epochMilliseconds;
}

/** As a day is written at both ends of the calendar, too. */
export const localDay = (at: Date, timeZone: string): string =>
  new Date(readWall(at, timeZone).ms).toISOString().split('T')[0] as string;

const DAY_MS = 24 * 60 * 60_000;

/** Days of the calendar are all as long as each other. */
const numberOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / DAY_MS;

export const addDays = (day: string, days: number): string =>
  new Date((numberOf(day) + days) * DAY_MS).toISOString().split('T')[0] as string;

/** 1 is Monday, 7 is Sunday. */
export const weekdayOf = (day: string): number => ((((numberOf(day) + 3) % 7) + 7) % 7) + 1;

export const daysBetween = (day: string, later: string): number => numberOf(later) - numberOf(day);

/** Such as `2026-12-25`, and in the calendar. */
export function isDay(text: string): boolean {
  if (!/^[12][0-9]{3}-[0-9]{2}-[0-9]{2}$/.test(text)) return false;
  try {
    return Temporal.PlainDate.from(text).toString() === text;
  } catch {
    return false;
  }
}

/** `8:00` and `0800` as people type them, in the one spelling that is stored; anything else as it is. */
export function plainClock(text: string): string {
  const [, hours = '', minutes = ''] = /^(\d{1,2}):?(\d\d)$/.exec(text.trim()) ?? [];
  return hours === '' ? text.trim() : `${hours.padStart(2, '0')}:${minutes}`;
}

export const isClock = (text: string): boolean => /^([01][0-9]|2[0-3]):[0-5][0-9]$/.test(text);

// The wall clock of a place as instants: in a DST gap the later instant counts, in a fold the earlier one, as everywhere.
import { Temporal } from 'temporal-polyfill';

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

/** One for each zone: making it is what takes long. Many ask about the same moment. */
const calendars = new Map<string, { format: Intl.DateTimeFormat; at: number; day: string }>();

export function localDay(at: Date, timeZone: string): string {
  const calendar = calendars.get(timeZone) ?? { format: openCalendar(timeZone), at: Number.NaN, day: '' };
  if (calendar.at === at.getTime()) return calendar.day;
  const parts = new Map(calendar.format.formatToParts(at).map(({ type, value }) => [type, value]));
  calendar.day = `${writeYear(parts.get('year') ?? '')}-${parts.get('month')}-${parts.get('day')}`;
  calendar.at = at.getTime();
  calendars.set(timeZone, calendar);
  return calendar.day;
}

/** As a day is written at both ends of the calendar, too. */
const writeYear = (year: string): string =>
  year.length > 4 ? `+${year.padStart(6, '0')}` : year.padStart(4, '0');

const openCalendar = (timeZone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en-u-ca-iso8601', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });

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

export const isClock = (text: string): boolean => /^([01][0-9]|2[0-3]):[0-5][0-9]$/.test(text);

// Times as people write them in a form, and as pages show them to people.
import { Temporal } from 'temporal-polyfill';
import type { Language } from './language/speak.ts';
import { ok, type Result, refuse } from './result.ts';
import { readWall, writeOffset } from './wall-clock.ts';

/** Contract, Downtimes: a date alone, or a date and a time with or without seconds and offset. Nothing else. */
const LOCAL_TIME =
  /^(?<month>[0-9]{4}-(?:0[1-9]|1[0-2]))-(?<day>0[1-9]|[12][0-9]|3[01])(?:T(?<clock>(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9])?)(?<offset>Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])?)?$/;

// Outside of these years neither a JSON timestamp nor PostgreSQL has a plain way to write an instant.
const FIRST_MS = Date.parse('0001-01-01T00:00:00.000Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** Without an offset it is read in the given zone: in a DST gap the later instant counts, in a fold the earlier one. */
export function parseLocalTime(text: string, timeZone: string): Result<Date, 'unparsable'> {
  const { month, day, clock = '00:00', offset = timeZone } = LOCAL_TIME.exec(text)?.groups ?? {};
  if (month === undefined || Number(day) > Temporal.PlainYearMonth.from(month).daysInMonth) {
    return refuse('unparsable');
  }
  const { epochMilliseconds } = Temporal.PlainDateTime.from(`${month}-${day}T${clock}`).toZonedDateTime(
    offset === 'Z' ? 'UTC' : offset,
    { disambiguation: 'compatible' },
  );
  const isWritable = epochMilliseconds >= FIRST_MS && epochMilliseconds <= LAST_MS;
  return isWritable ? ok(new Date(epochMilliseconds)) : refuse('unparsable');
}

/** As people type it: the same, and a day and a time with a space between them. */
export const parseTypedTime = (text: string, timeZone: string): Result<Date, 'unparsable'> =>
  parseLocalTime(plainTime(text), timeZone);

/** `2026-11-15 4:00` and `15.11.2026 04:00`, as people type them, in the one spelling that is read everywhere; anything else as it is. */
export function plainTime(text: string): string {
  const trimmed = text.trim();
  const { year, month, day, otherDay, otherMonth, otherYear, clock } = TYPED_TIME.exec(trimmed)?.groups ?? {};
  const date =
    otherYear === undefined
      ? `${year}-${month}-${day}`
      : `${otherYear}-${otherMonth?.padStart(2, '0')}-${otherDay?.padStart(2, '0')}`;
  if (date.startsWith('undefined')) return trimmed;
  return clock === undefined ? date : `${date}T${clock.replace(/^(\d):/, '0$1:')}`;
}

const TYPED_TIME =
  /^(?:(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)|(?<otherDay>\d{1,2})\.(?<otherMonth>\d{1,2})\.(?<otherYear>\d{4}))(?:[ T]+(?<clock>\d{1,2}:.*))?$/;

/** `2026-11-15 04:00`: what a field in which a time is typed holds. */
export const formatTypedTime = (at: Date, timeZone: string): string =>
  formatLocalInput(at, timeZone).replace('T', ' ');

/** `2026-11-15 04:00 UTC+01:00`: with its offset, or the hour that a fold repeats could be either one. */
export function formatLocalTime(at: Date, timeZone: string): string {
  const { ms, clock, seconds, offsetMs } = readWall(at, timeZone);
  const [date] = new Date(ms).toISOString().split('T');
  const offset = offsetMs === 0 ? '' : writeOffset(offsetMs);
  return `${date} ${clock}${seconds === '00' ? '' : `:${seconds}`} UTC${offset}`;
}

const toZoned = (at: Date, timeZone: string) =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone);

/** `2026-11-15T04:00`: what a form's field for a local time holds. */
export const formatLocalInput = (at: Date, timeZone: string): string =>
  toZoned(at, timeZone).toPlainDateTime().toString({ smallestUnit: 'minute' });

/** `Sunday, 15 November 2026` */
export const formatLocalDay = (at: Date, timeZone: string, { tag }: Language): string =>
  new Intl.DateTimeFormat(tag === 'en' ? 'en-GB' : tag, {
    timeZone,
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  }).format(at);

// Downtimes that come again. A rule is about days; when on such a day it begins is said on the wall clock of its zone.
import { RRuleTemporal } from 'rrule-temporal';
import { Temporal } from 'temporal-polyfill';
import { instantAt } from '../on-call/local-instant.ts';

export interface Series {
  /** `2026-11-16` */
  firstDay: string;
  /** The last on which it may begin. */
  untilDay: string;
  /** `03:00` */
  localStart: string;
  minutes: number;
  timeZone: string;
  rule: string;
}

interface Occurrence {
  day: string;
  startAt: Date;
  endAt: Date;
}

interface PreviewedOccurrence extends Occurrence {
  /** The clock is put forward or back in that night: it begins at another time than it says, or comes twice. */
  isMoved: boolean;
}

export const LONGEST_SERIES_DAYS = 366;
export const LONGEST_OCCURRENCE_MINUTES = 10_080;

const PARTS: Record<string, RegExp> = {
  FREQ: /^(DAILY|WEEKLY|MONTHLY)$/,
  INTERVAL: /^[1-9][0-9]?$/,
  BYDAY: /^([+-]?[1-5])?(MO|TU|WE|TH|FR|SA|SU)(,([+-]?[1-5])?(MO|TU|WE|TH|FR|SA|SU))*$/,
  BYMONTHDAY: /^(-?([1-9]|[12][0-9]|3[01]))(,-?([1-9]|[12][0-9]|3[01]))*$/,
};

/** Only what people plan by: nothing more often than daily, and no end of its own. */
export function isRule(text: string): boolean {
  const parts = text.split(';').map((part) => part.split('='));
  const names = parts.map(([name = '']) => name);
  return (
    names[0] === 'FREQ' &&
    new Set(names).size === names.length &&
    parts.every(
      ([name = '', value = '', ...more]) => more.length === 0 && (PARTS[name]?.test(value) ?? false),
    ) &&
    // The second Monday of a week, or of every day, is none.
    (text.startsWith('FREQ=MONTHLY') || !/[0-9](MO|TU|WE|TH|FR|SA|SU)/.test(text))
  );
}

const MOST = 400;

/** Those that have not ended at `from` and begin before `until`; no other day is worked out. */
export function listOccurrences(series: Series, from: Date, until: Date): Occurrence[] {
  const { firstDay, untilDay, localStart, timeZone, minutes, rule } = series;
  const first = Temporal.PlainDate.from(firstDay).toZonedDateTime('UTC');
  const last = Temporal.PlainDate.from(untilDay).toZonedDateTime('UTC');
  // Days begin at other times elsewhere.
  const begin = dayAt(from.getTime() - minutes * 60_000 - 2 * DAY_MS);
  const end = dayAt(until.getTime() + 2 * DAY_MS);
  const days = new RRuleTemporal({ rruleString: rule, dtstart: first, temporal: Temporal }).between(
    begin,
    Temporal.ZonedDateTime.compare(end, last) < 0 ? end : last,
    true,
  );
  const occurrences: Occurrence[] = [];
  for (const { epochMilliseconds } of days.slice(0, MOST)) {
    // Asked for its year, month and day, it would work out each anew.
    const local = new Date(epochMilliseconds).toISOString().split('T')[0] as string;
    const startAt = instantAt(local, localStart, timeZone);
    if (startAt >= until) break;
    const endAt = new Date(startAt.getTime() + minutes * 60_000);
    if (endAt > from) occurrences.push({ day: local, startAt, endAt });
  }
  return occurrences;
}

const DAY_MS = 24 * 60 * 60_000;
const LAST_INSTANT = 8.64e15;

const dayAt = (ms: number) =>
  Temporal.Instant.fromEpochMilliseconds(
    Math.max(-LAST_INSTANT, Math.min(ms, LAST_INSTANT)),
  ).toZonedDateTimeISO('UTC');

function isMoved({ localStart, timeZone }: Series, day: string): boolean {
  const local = Temporal.PlainDate.from(day).toPlainDateTime(Temporal.PlainTime.from(localStart));
  const [earlier, later] = (['earlier', 'later'] as const).map(
    (disambiguation) => local.toZonedDateTime(timeZone, { disambiguation }).epochMilliseconds,
  );
  return earlier !== later;
}

/** The next so many, whenever they are: the first of them mostly come soon. */
export function previewSeries(series: Series, now: Date, count: number): PreviewedOccurrence[] {
  for (const days of PREVIEWED_DAYS) {
    const found = listOccurrences(series, now, new Date(now.getTime() + days * DAY_MS));
    if (found.length >= count || days === PREVIEWED_DAYS.at(-1))
      return found.slice(0, count).map((one) => ({ ...one, isMoved: isMoved(series, one.day) }));
  }
  return [];
}

const PREVIEWED_DAYS = [8, 60, LONGEST_SERIES_DAYS + 8];

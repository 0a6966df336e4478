// When people are in the lab. Hours choose whom an alarm reaches, never whether there is one.
import { MOSTS } from '../mosts.ts';
import { addDays, instantAt, localDay, weekdayOf } from './local-instant.ts';

export interface LabHours {
  timeZone: string;
  weekly: readonly HoursWindow[];
  /** Local days that are off hours as a whole: `2026-12-25`. */
  holidays: readonly string[];
}

export interface HoursWindow {
  /** 1 is Monday, 7 is Sunday. */
  days: readonly number[];
  from: string;
  /** Not later than `from`: it runs past midnight. */
  to: string;
}

export const MOST_WINDOWS = MOSTS.labHours.most;

export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

export const DURINGS = ['always', 'lab_hours', 'off_hours'] as const;
export type During = (typeof DURINGS)[number];

/** Where nobody has said when the lab hours are, nobody is left out. */
export const isDuring = (during: During, hours: LabHours | null, at: Date): boolean =>
  during === 'always' || hours === null || isLabHours(hours, at) === (during === 'lab_hours');

/** In lab hours, or out of them, from one edge to the next. */
interface HoursSpan {
  from: Date;
  until: Date;
  isLab: boolean;
}

/**
 * Whoever looks ahead asks about the same hours again and again, for one group after the other, and a calendar is slow. By
 * what the hours say; in the order of their ends.
 */
const spansOf = new Map<string, HoursSpan[]>();
const known = new WeakMap<LabHours, HoursSpan[]>();
const MOST_CALENDARS = 100;
const MOST_SPANS = 500;

function recallSpans(hours: LabHours): HoursSpan[] {
  const own = known.get(hours);
  if (own) return own;
  const text = JSON.stringify([hours.timeZone, hours.weekly, hours.holidays]);
  const spans = spansOf.get(text) ?? [];
  if (spansOf.size >= MOST_CALENDARS) spansOf.clear();
  spansOf.set(text, spans);
  known.set(hours, spans);
  return spans;
}

function recallSpan(hours: LabHours, at: Date): HoursSpan | undefined {
  const spans = recallSpans(hours);
  const span = spans[countEnded(spans, at)];
  return span && span.from <= at ? span : undefined;
}

/** At the first one that ends after `at`. */
function countEnded(spans: readonly HoursSpan[], at: Date): number {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((spans[middle] as HoursSpan).until <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** What is known of the same span from a later moment on goes into it. */
function rememberSpan(hours: LabHours, span: HoursSpan): void {
  const spans = recallSpans(hours);
  if (spans.length >= MOST_SPANS) spans.length = 0;
  const place = countEnded(spans, span.from);
  const isKnown = spans[place]?.until.getTime() === span.until.getTime();
  spans.splice(place, isKnown ? 1 : 0, span);
}

export const isLabHours = (hours: LabHours, at: Date): boolean =>
  recallSpan(hours, at)?.isLab ?? workOutHours(hours, at);

function workOutHours(hours: LabHours, at: Date): boolean {
  const today = localDay(at, hours.timeZone);
  if (hours.holidays.includes(today)) return false;
  return [addDays(today, -1), today].some((day) =>
    windowsOf(hours, day).some(({ startAt, endAt }) => startAt <= at && at < endAt),
  );
}

/** No shutdown of a lab is longer. */
const FURTHEST_DAYS = 366;

/** When lab hours begin or end next; null: they never do. */
export function findHoursEdge(hours: LabHours, at: Date): Date | null {
  if (hours.weekly.length === 0) return null;
  const known = recallSpan(hours, at);
  if (known) return known.until;
  const isNow = workOutHours(hours, at);
  const today = localDay(at, hours.timeZone);
  for (let ahead = -1; ahead <= FURTHEST_DAYS; ahead += 1) {
    const day = addDays(today, ahead);
    const edges = [
      instantAt(day, '00:00', hours.timeZone, 1),
      ...windowsOf(hours, day).flatMap(({ startAt, endAt }) => [startAt, endAt]),
    ].sort((one, other) => one.getTime() - other.getTime());
    // A window that runs past midnight ends among the edges of the day before: none of a later day is earlier.
    const edge = edges.find((one) => one > at && workOutHours(hours, one) !== isNow);
    if (!edge) continue;
    rememberSpan(hours, { from: at, until: edge, isLab: isNow });
    return edge;
  }
  return null;
}

function windowsOf({ weekly, timeZone }: LabHours, day: string): { startAt: Date; endAt: Date }[] {
  const weekday = weekdayOf(day);
  return weekly
    .filter(({ days }) => days.includes(weekday))
    .map(({ from, to }) => ({
      startAt: instantAt(day, from, timeZone),
      endAt: instantAt(day, to, timeZone, to <= from ? 1 : 0),
    }));
}

// Days, weeks and months as the wall clock of a reader has them, in instants.
import { addDays, instantAt, isDay, localDay, weekdayOf } from '../on-call/local-instant.ts';

export interface Stretch {
  /** The day it begins with, such as `2026-11-16`. */
  day: string;
  from: Date;
  /** Exclusive. */
  to: Date;
}

const stretch = (day: string, days: number, timeZone: string): Stretch => ({
  day,
  from: instantAt(day, '00:00', timeZone),
  to: instantAt(addDays(day, days), '00:00', timeZone),
});

const mondayOf = (day: string): string => addDays(day, 1 - weekdayOf(day));

/** The weeks, from Monday on, that hold some of the span. */
export function weeksOf({ from, to }: { from: Date; to: Date }, timeZone: string): Stretch[] {
  const weeks: Stretch[] = [];
  let day = mondayOf(localDay(from, timeZone));
  do {
    weeks.push(stretch(day, 7, timeZone));
    day = addDays(day, 7);
  } while (instantAt(day, '00:00', timeZone) < to);
  return weeks;
}

/** When so many weeks began, of which the last one is the one of `now`. */
export const beginOfWeeks = (weeks: number, now: Date, timeZone: string): Date =>
  instantAt(addDays(mondayOf(localDay(now, timeZone)), -7 * (weeks - 1)), '00:00', timeZone);

/** Such as `2026-11`: as it was asked for, unless it means nothing or is yet to come. */
export function monthOf(text: string | undefined, now: Date, timeZone: string): string {
  const newest = localDay(now, timeZone).slice(0, 7);
  return text !== undefined && text >= FIRST_MONTH && text <= newest && isDay(`${text}-01`) ? text : newest;
}

export const FIRST_MONTH = '2000-01';

export const monthBefore = (month: string): string => addDays(`${month}-01`, -1).slice(0, 7);
export const monthAfter = (month: string): string => addDays(`${month}-01`, 31).slice(0, 7);

export function daysOf(month: string, timeZone: string): Stretch[] {
  const days: Stretch[] = [];
  for (let day = `${month}-01`; day.startsWith(month); day = addDays(day, 1))
    days.push(stretch(day, 1, timeZone));
  return days;
}

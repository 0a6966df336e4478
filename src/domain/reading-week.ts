// Readings are kept in partitions of one week, Monday to Monday, UTC.

const DAY_MS = 24 * 60 * 60 * 1000;
const WEEK_MS = 7 * DAY_MS;
// The epoch was a Thursday.
const EPOCH_TO_MONDAY_MS = 4 * DAY_MS;
const WEEKS_AHEAD = 2;

export interface ReadingWeek {
  partition: string;
  from: Date;
  to: Date;
}

export function weekOf(at: Date): ReadingWeek {
  const from = Math.floor((at.getTime() - EPOCH_TO_MONDAY_MS) / WEEK_MS) * WEEK_MS + EPOCH_TO_MONDAY_MS;
  const day = new Date(from).toISOString().slice(0, 10).replaceAll('-', '_');
  return { partition: `reading_${day}`, from: new Date(from), to: new Date(from + WEEK_MS) };
}

/** Every week a reading may fall into: from the retention's edge up to two weeks ahead. */
export function weeksToKeep(now: Date, retentionDays: number): ReadingWeek[] {
  const weeks: ReadingWeek[] = [];
  const last = weekOf(new Date(now.getTime() + WEEKS_AHEAD * WEEK_MS)).from.getTime();
  let from = weekOf(new Date(now.getTime() - retentionDays * DAY_MS)).from.getTime();
  for (; from <= last; from += WEEK_MS) weeks.push(weekOf(new Date(from)));
  return weeks;
}

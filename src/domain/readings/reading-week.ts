// Readings and their rollups are kept in partitions of one week, Monday to Monday, UTC.

const DAY_MS = 24 * 60 * 60 * 1000;
const WEEK_MS = 7 * DAY_MS;
// The epoch was a Thursday.
const EPOCH_TO_MONDAY_MS = 4 * DAY_MS;
const WEEKS_AHEAD = 2;

export const READING_TABLES = ['reading', 'reading_minute', 'reading_hour'] as const;
type ReadingTable = (typeof READING_TABLES)[number];

export interface ReadingWeek {
  /** The partition of the readings themselves. */
  partition: string;
  from: Date;
  to: Date;
}

export const partitionOf = (table: ReadingTable, { from }: Pick<ReadingWeek, 'from'>) =>
  `${table}_${from.toISOString().slice(0, 10).replaceAll('-', '_')}`;

export function weekOf(at: Date): ReadingWeek {
  const monday = Math.floor((at.getTime() - EPOCH_TO_MONDAY_MS) / WEEK_MS) * WEEK_MS + EPOCH_TO_MONDAY_MS;
  const from = new Date(monday);
  return { partition: partitionOf('reading', { from }), from, to: new Date(monday + WEEK_MS) };
}

/** Every week a reading may fall into: from the retention's edge up to two weeks ahead. */
export function weeksToKeep(now: Date, retentionDays: number): ReadingWeek[] {
  const weeks: ReadingWeek[] = [];
  const last = weekOf(new Date(now.getTime() + WEEKS_AHEAD * WEEK_MS)).from.getTime();
  let from = weekOf(new Date(now.getTime() - retentionDays * DAY_MS)).from.getTime();
  for (; from <= last; from += WEEK_MS) weeks.push(weekOf(new Date(from)));
  return weeks;
}

/** The weeks of the given partitions that lie wholly before the retention, oldest first. */
export function expiredWeeks(partitions: Iterable<string>, now: Date, retentionDays: number): ReadingWeek[] {
  const edge = now.getTime() - retentionDays * DAY_MS;
  const weeks = new Map<number, ReadingWeek>();
  for (const partition of partitions) {
    const [, day] = /_(\d{4}_\d{2}_\d{2})$/.exec(partition) ?? [];
    if (!day) continue;
    const week = weekOf(new Date(day.replaceAll('_', '-')));
    if (week.to.getTime() <= edge) weeks.set(week.from.getTime(), week);
  }
  return [...weeks.values()].sort((one, other) => one.from.getTime() - other.from.getTime());
}

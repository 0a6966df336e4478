// Packs of readings are kept in partitions of one month, UTC.
import type { Instant } from '../instant.ts';
import { DAY_MS, writeDay } from './span.ts';

export interface ReadingMonth {
  partition: string;
  /** As dates. */
  from: string;
  to: string;
}

export function monthOf(day: number): ReadingMonth {
  const at = new Date(day * DAY_MS);
  const [from, to] = [0, 1].map((more) =>
    writeDay(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + more) / DAY_MS),
  ) as [string, string];
  return { partition: `reading_pack_${from.slice(0, 7).replace('-', '_')}`, from, to };
}

/** By the names of their partitions, oldest first. */
export const readMonths = (partitions: Iterable<string>): ReadingMonth[] =>
  [...partitions]
    .flatMap((partition) => {
      const [, year, month] = /^reading_pack_(\d{4})_(\d{2})$/.exec(partition) ?? [];
      return year && month ? [monthOf(Date.UTC(Number(year), Number(month) - 1) / DAY_MS)] : [];
    })
    .sort((one, other) => one.from.localeCompare(other.from));

/** Whether all its readings are older. */
export const isExpired = ({ to }: ReadingMonth, edge: Instant): boolean => Date.parse(to) <= edge;

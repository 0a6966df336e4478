// A month of days: how much of the time no alarm held.
import { nameDay } from '../../domain/history/name-days.ts';
import type { PastEpisodes } from '../../domain/history/past-episodes.ts';
import {
  daysOf,
  FIRST_MONTH,
  monthAfter,
  monthBefore,
  monthOf,
  type Stretch,
} from '../../domain/history/reader-days.ts';
import { type Grade, gradeOf, percentOf, shareInRange } from '../../domain/history/share-in-range.ts';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import type { Language } from '../../domain/language/speak.ts';
import { localDay, weekdayOf } from '../../domain/on-call/local-instant.ts';
import { nameWeekday } from '../../domain/weekday-name.ts';
import type { Visitor } from '../../engine/pages/visitor.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { INSIGHT } from './paths.ts';
import { episodesPath, type TypedEpisodes } from './read-search.ts';
import { readUnitTime } from './unit-time.ts';

export interface CalendarModel {
  month: string;
  earlierPath: string | null;
  /** null: it is the newest. */
  laterPath: string | null;
  weekdays: { short: string; long: string }[];
  /** From Monday on; null: of another month. */
  rows: (DayModel | null)[][];
}

export interface DayModel {
  date: number;
  title: string;
  /** null: it is yet to come, or there was no unit. */
  share: { said: string; grade: Grade } | null;
}

export const saidShare = (share: number, { number, say }: Language): string =>
  say('{percent} %', { percent: number(percentOf(share), 1) });

export async function readCalendar(
  db: ReadDatabase,
  visitor: Visitor,
  asked: {
    own: readonly OrganizationId[];
    units: readonly ServiceId[] | null;
    typed: TypedEpisodes;
    /** All alarms of these units that began in the span, and perhaps others. */
    readBegun: (span: { from: Date; to: Date }) => Promise<PastEpisodes>;
  },
  text: string | undefined,
): Promise<CalendarModel> {
  const { now, timezone, language } = visitor;
  const month = monthOf(text, now, timezone);
  const days = daysOf(month, timezone);
  const begun = days.map(({ from }) => from).filter((from) => from < now);
  const edges = [...begun, endOf(days, now)];
  const span = { from: edges[0] as Date, to: edges.at(-1) as Date };
  const times = await readUnitTime(db, asked.own, { units: asked.units, edges }, asked.readBegun(span));
  const shown = days.map(({ day }, index): DayModel => {
    const share = times[index] ? shareInRange(times[index]) : null;
    return {
      date: Number(day.slice(8)),
      title: nameDay(day, language, 'whole day'),
      share: share === null ? null : { said: saidShare(share, language), grade: gradeOf(share) },
    };
  });
  const pathOf = (other: string) => `${episodesPath(INSIGHT, asked.typed, { month: other })}#in-range`;
  return {
    month: nameDay(`${month}-01`, language, 'month'),
    earlierPath: month > FIRST_MONTH ? pathOf(monthBefore(month)) : null,
    laterPath: month < localDay(now, timezone).slice(0, 7) ? pathOf(monthAfter(month)) : null,
    weekdays: [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({
      short: nameWeekday(weekday, language, 'short'),
      long: nameWeekday(weekday, language),
    })),
    rows: intoWeeks(shown, weekdayOf(`${month}-01`)),
  };
}

function intoWeeks(days: readonly DayModel[], firstWeekday: number): CalendarModel['rows'] {
  const cells = [...Array.from({ length: firstWeekday - 1 }, () => null), ...days];
  return Array.from({ length: Math.ceil(cells.length / 7) }, (_, row) =>
    Array.from({ length: 7 }, (_, column) => cells[row * 7 + column] ?? null),
  );
}

const endOf = (days: readonly Stretch[], now: Date): Date => {
  const end = days.at(-1)?.to ?? now;
  return end < now ? end : now;
};

// Figures of past alarms, for whoever looks at them.
import { organizationNameIn, roleIn } from '../../domain/accounts/requester.ts';
import { canAdminister } from '../../domain/accounts/role.ts';
import type { AlarmFigures } from '../../domain/history/episode-figures.ts';
import { nameDay } from '../../domain/history/name-days.ts';
import { beginOfWeeks, type Stretch, weeksOf } from '../../domain/history/reader-days.ts';
import { shareInRange } from '../../domain/history/share-in-range.ts';
import type { Language } from '../../domain/language/speak.ts';
import { formatLocalInput } from '../../domain/local-time.ts';
import { DAY_MS, MINUTE_MS } from '../../domain/readings/span.ts';
import { describeSpan } from '../../domain/span.ts';
import { listPlace } from '../../domain/words/place.ts';
import { editPath } from '../../engine/pages/untold.tsx';
import type { Visitor } from '../../engine/pages/visitor.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { type ShownTime, showTime } from '../../platform/html/time.tsx';
import { type CalendarModel, readCalendar, saidShare } from './calendar-model.ts';
import { type CountedAlarms, countAlarms } from './count-alarms.ts';
import { type AskedFigures, countEpisodes, readEpisodesBegun, readEpisodesFound } from './insight-queries.ts';
import { HISTORY, INSIGHT } from './paths.ts';
import { selectNamed } from './queries.ts';
import type { AskedEpisodes } from './read-asked.ts';
import { episodesPath, type TypedEpisodes } from './read-search.ts';
import { readUnitTime } from './unit-time.ts';

/** Unless a time is asked for. */
const USUAL_WEEKS = 12;
const MOST_WEEKS = 53;

export interface InsightModel {
  from: ShownTime;
  /** null: until now. */
  to: ShownTime | null;
  /** More was asked for than is counted at once. */
  isShortened: boolean;
  all: ShownFigures & { before: number; share: string | null };
  weeks: WeekModel[];
  noisy: NoisyModel[];
  calendar: CalendarModel;
  /** The list of the same alarms, and the same figures as CSV. */
  listPath: string;
  csvPath: string;
}

interface ShownFigures extends Omit<AlarmFigures, 'toAcknowledge' | 'toRecover'> {
  /** In words; null: of none. */
  toAcknowledge: string | null;
  toRecover: string | null;
}

export interface WeekModel extends ShownFigures {
  /** The day it begins with: as a date, short, and in full. */
  day: string;
  label: string;
  title: string;
  path: string;
  /** In milliseconds. */
  medians: Pick<AlarmFigures, 'toAcknowledge' | 'toRecover'>;
}

export interface NoisyModel {
  name: string;
  place: string[];
  alarms: number;
  critical: number;
  inAlarm: string;
  historyPath: string;
  /** Where other limits are tried on what was measured; null: not by this visitor. */
  limitsPath: string | null;
}

export async function readInsight(
  db: ReadDatabase,
  visitor: Visitor,
  asked: AskedEpisodes,
  month: string | undefined,
): Promise<InsightModel> {
  const { own, typed } = asked;
  const { now, timezone, language } = visitor;
  const { from, to, isShortened } = spanOf(asked.search, visitor);
  const named = await selectNamed(db, own, asked.search);
  const figures: AskedFigures = { search: { ...asked.search, from, to }, named };
  const earlier = new Date(2 * from.getTime() - to.getTime());
  const weeks = weeksOf({ from, to }, timezone);
  const units = named.byWords ?? named.units;
  const begun = readEpisodesBegun(db, own, units, { from, to });
  const readBegun = (span: { from: Date; to: Date }) =>
    span.from >= from && span.to <= to ? begun : readEpisodesBegun(db, own, units, span);
  const isFound = named.people !== null || named.byWords !== null;
  const [counted, before, [time], calendar] = await Promise.all([
    (isFound ? readEpisodesFound(db, own, figures) : begun).then((episodes) =>
      countAlarms(db, episodes, { own, figures, weeks, now }),
    ),
    countEpisodes(db, own, { named, search: { ...asked.search, from: earlier, to: from } }),
    to.getTime() - from.getTime() < DAY_MS ? [] : readUnitTime(db, own, { units, edges: [from, to] }, begun),
    readCalendar(db, visitor, { own, units, typed, readBegun }, month),
  ]);
  const typedSpan = { ...typed, ...typeSpan({ from, to: asked.search.to && to }, timezone) };
  const share = time ? shareInRange(time) : null;
  return {
    from: showTime(from, visitor),
    to: asked.search.to && showTime(to, visitor),
    isShortened,
    all: {
      ...showFigures(counted.all, language),
      before,
      share: share === null ? null : saidShare(share, language),
    },
    weeks: weeks.map((week, index) => {
      const figures = counted.weeks[index] as AlarmFigures;
      return {
        ...showFigures(figures, language),
        ...nameWeek(week, language),
        medians: figures,
        path: weekPath(week, { from, to }, typedSpan, visitor),
      };
    }),
    noisy: counted.noisy.map((unit) => showNoisy(unit, typedSpan, visitor)),
    calendar,
    listPath: episodesPath(HISTORY, typedSpan),
    csvPath: episodesPath(`${INSIGHT}.csv`, typed),
  };
}

/** Never more than a year: it costs by what it shows. */
function spanOf({ from, to }: AskedEpisodes['search'], { now, timezone }: Visitor) {
  const end = to !== null && to < now ? to : now;
  const earliest = beginOfWeeks(MOST_WEEKS, end, timezone);
  const begin = from ?? beginOfWeeks(USUAL_WEEKS, end, timezone);
  return {
    from: begin > end ? end : begin < earliest ? earliest : begin,
    to: end,
    isShortened: begin < earliest,
  };
}

const typeSpan = (
  { from, to }: { from: Date; to: Date | null },
  timezone: string,
): Pick<TypedEpisodes, 'from' | 'to'> => ({
  from: formatLocalInput(from, timezone),
  to: to ? formatLocalInput(to, timezone) : '',
});

const nameWeek = ({ day }: Stretch, language: Language) => ({
  day,
  label: nameDay(day, language, 'day'),
  title: nameDay(day, language, 'whole day'),
});

const weekPath = (
  week: Stretch,
  span: { from: Date; to: Date },
  typed: TypedEpisodes,
  { timezone }: Visitor,
): string => {
  const from = week.from < span.from ? span.from : week.from;
  return episodesPath(HISTORY, {
    ...typed,
    ...typeSpan({ from, to: week.to < span.to ? week.to : span.to }, timezone),
  });
};

const showFigures = (figures: AlarmFigures, language: Language): ShownFigures => ({
  ...figures,
  toAcknowledge: sayMedian(figures.toAcknowledge, language),
  toRecover: sayMedian(figures.toRecover, language),
});

/** Never less than nothing: clocks are set back now and then. */
function sayMedian(length: number | null, language: Language): string | null {
  if (length === null) return null;
  const ms = Math.max(0, length);
  return describeSpan(ms < MINUTE_MS ? ms : Math.floor(ms / MINUTE_MS) * MINUTE_MS, language);
}

function showNoisy(unit: CountedAlarms['noisy'][number], typed: TypedEpisodes, visitor: Visitor): NoisyModel {
  const { serviceId, organizationId, locationName, isArchived, alarms, critical, inAlarmMs } = unit;
  const role = roleIn(visitor, organizationId);
  return {
    name: unit.name,
    place: listPlace({ organizationName: organizationNameIn(visitor, organizationId), locationName }),
    alarms,
    critical,
    inAlarm: sayMedian(inAlarmMs, visitor.language) ?? '',
    historyPath: episodesPath(HISTORY, { ...typed, service: String(serviceId), q: '' }),
    limitsPath: role && canAdminister(role) && !isArchived ? editPath(serviceId) : null,
  };
}

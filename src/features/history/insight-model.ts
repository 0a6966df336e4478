// Figures of past alarms, for whoever looks at them.
import { organizationNameIn, roleIn } from '../../domain/accounts/requester.ts';
import { canAdminister } from '../../domain/accounts/role.ts';
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
import {
  type AlarmFigures,
  type AskedFigures,
  countEpisodes,
  type NoisyUnit,
  selectInsight,
  selectUnitTime,
} from './insight-queries.ts';
import { HISTORY } from './paths.ts';
import { selectNamed } from './queries.ts';
import type { AskedEpisodes } from './read-asked.ts';
import { episodesPath, type TypedEpisodes } from './read-search.ts';

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
  /** The list of the same alarms. */
  listPath: string;
}

interface ShownFigures extends Omit<AlarmFigures, 'toAcknowledge' | 'toRecover'> {
  /** In words; null: of none. */
  toAcknowledge: string | null;
  toRecover: string | null;
}

export interface WeekModel extends ShownFigures {
  /** The day it begins with: short, and in full. */
  label: string;
  title: string;
  path: string;
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
  const [stored, before, [time], calendar] = await Promise.all([
    selectInsight(
      db,
      own,
      figures,
      weeks.map(({ from: begin }) => begin),
      now,
    ),
    countEpisodes(db, own, { named, search: { ...asked.search, from: earlier, to: from } }),
    to.getTime() - from.getTime() < DAY_MS ? [] : selectUnitTime(db, own, units, [from, to]),
    readCalendar(db, visitor, { own, units, typed }, month),
  ]);
  const typedSpan = { ...typed, ...typeSpan({ from, to: asked.search.to && to }, timezone) };
  const share = time ? shareInRange(time) : null;
  return {
    from: showTime(from, visitor),
    to: asked.search.to && showTime(to, visitor),
    isShortened,
    all: {
      ...showFigures(stored.all, language),
      before,
      share: share === null ? null : saidShare(share, language),
    },
    weeks: weeks.map((week, index) => {
      const own = stored.weeks.find((one) => one.week === index + 1) ?? NONE;
      return {
        ...showFigures(own, language),
        ...nameWeek(week, language),
        path: weekPath(week, { from, to }, typedSpan, visitor),
      };
    }),
    noisy: stored.noisy.map((unit) => showNoisy(unit, typedSpan, visitor)),
    calendar,
    listPath: episodesPath(HISTORY, typedSpan),
  };
}

const NONE: AlarmFigures = {
  alarms: 0,
  critical: 0,
  acknowledged: 0,
  over: 0,
  toAcknowledge: null,
  toRecover: null,
};

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
function sayMedian(seconds: number | null, language: Language): string | null {
  if (seconds === null) return null;
  const ms = Math.max(0, seconds * 1000);
  return describeSpan(ms < MINUTE_MS ? ms : Math.floor(ms / MINUTE_MS) * MINUTE_MS, language);
}

function showNoisy(unit: NoisyUnit, typed: TypedEpisodes, visitor: Visitor): NoisyModel {
  const { serviceId, serviceName, organizationId, locationName, isArchived, alarms, critical, inAlarm } =
    unit;
  const role = roleIn(visitor, organizationId);
  return {
    name: serviceName,
    place: listPlace({ organizationName: organizationNameIn(visitor, organizationId), locationName }),
    alarms,
    critical,
    inAlarm: sayMedian(inAlarm, visitor.language) ?? '',
    historyPath: episodesPath(HISTORY, { ...typed, service: String(serviceId), q: '' }),
    limitsPath: role && canAdminister(role) && !isArchived ? editPath(serviceId) : null,
  };
}

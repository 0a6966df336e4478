// What is said of an alarm that holds, wherever it is said: the newest value and its way, the limit, since when it is beyond
// it, since when it is an alarm, and the worst so far. No other value is ever said.
import { type BandName, isHigh, severityOfBand } from '../judging/band.ts';
import { findTrend, findWorst, type Lately, type Trend } from '../judging/lately.ts';
import type { Language } from '../language/speak.ts';
import { describeSpan } from '../span.ts';
import { type Measured, measuredOf, sayLimit, sayNumber, sayValue } from './say-value.ts';
import type { StateChannel } from './state-words.ts';

export interface AlarmFacts {
  severity: 'critical' | 'warning';
  /** What is measured, as people call it. */
  name: string;
  measured: Measured;
  /** The newest value of the alarming channel; null: it has none any more. */
  newest: { value: number; at: Date } | null;
  /** null: nobody can tell, or it is a state. */
  trend: Trend | null;
  band: BandName | null;
  limit: number | null;
  /** The limit is a deviation from the setpoint. */
  isPercentage: boolean;
  /** When the value went beyond the limit. */
  overSince: Date | null;
  /** When it became an alarm of this severity. */
  alarmSince: Date;
  /** null: not known. */
  worst: number | null;
  /** Nothing newer has come for too long. */
  isStale: boolean;
}

export interface StoredFacts {
  severity: 'critical' | 'warning';
  since: Date;
  staleSince: Date | null;
  channel: (StateChannel & { label: string | null; unit: string | null }) | null;
  channelName: string;
  value: number | null;
  at: number | null;
  band: BandName | null;
  limit: number | null;
  isPercentage: boolean;
  standing: { breaches?: Partial<Record<BandName, number>>; lately?: Lately } | null;
}

export function toFacts(stored: StoredFacts, language: Language): AlarmFacts {
  const { severity, channel, channelName, value, at, band, limit, standing } = stored;
  const measured = channel ? measuredOf(channel, language) : { unit: null, words: null };
  const lately = measured.words ? undefined : standing?.lately;
  const begunAt = band === null ? undefined : standing?.breaches?.[band];
  return {
    severity,
    name: channel?.label ?? channelName,
    measured,
    newest: value === null || at === null ? null : { value, at: new Date(at) },
    trend: lately ? findTrend(lately) : null,
    band,
    limit,
    isPercentage: stored.isPercentage,
    overSince: begunAt === undefined ? null : new Date(begunAt),
    alarmSince: stored.since,
    worst: lately && band !== null ? findWorst(lately, band) : null,
    isStale: stored.staleSince !== null,
  };
}

/** `5.29 °C, rising` */
export function sayNow({ newest, measured, trend, isStale }: AlarmFacts, language: Language): string | null {
  if (!newest) return null;
  const value = sayValue(newest.value, measured, language);
  if (trend === null || isStale) return value;
  return `${value}, ${sayTrend(trend, language)}`;
}

const sayTrend = (trend: Trend, { say }: Language): string =>
  say('{trend, select, rising {rising} falling {falling} other {steady}}', { trend });

/** `Temperature 5.29 °C is above the critical limit of −8 °C`, or `Door open`; null: the limit is not known. */
export function sayAlarm(facts: AlarmFacts, language: Language): string | null {
  const { name, newest, measured, band, limit, isPercentage, severity } = facts;
  if (band === null || limit === null || !newest) return null;
  const value = sayValue(newest.value, measured, language);
  const reading = `${name} ${value}`;
  const isState = measured.words !== null && (newest.value === 0 || newest.value === 1);
  if (isState) return reading;
  const shown = sayLimitOf(facts, language) ?? '';
  if (isPercentage)
    return language.say(
      '{reading} is beyond the {severity, select, critical {critical} other {warning}} limit of {limit}',
      { reading, severity, limit: shown },
    );
  const high = isHigh(band);
  const told = { reading, severity: severityOfBand(band), limit: shown };
  if (high ? newest.value <= limit : newest.value >= limit)
    return language.say(
      '{reading} is within the {severity, select, critical {critical} other {warning}} limit of {limit} again',
      told,
    );
  // Closer than the decimals show.
  const isClose = value === sayValue(limit, measured, language);
  return sayBeyond({ ...told, side: `${isClose ? 'just ' : ''}${high ? 'above' : 'below'}` }, language);
}

/** `−8 °C`, or `5 % from its setpoint`; null: a state has none. */
export function sayLimitOf(
  { band, limit, isPercentage, measured }: Pick<AlarmFacts, 'band' | 'limit' | 'isPercentage' | 'measured'>,
  language: Language,
): string | null {
  if (band === null || limit === null) return null;
  if (isPercentage)
    return language.say('{limit} from its setpoint', {
      limit: sayLimit(band, limit, { unit: '%', words: null }, language),
    });
  return measured.words ? null : sayLimit(band, limit, measured, language);
}

const sayWorst = ({ worst, measured }: AlarmFacts, language: Language): string | null =>
  worst === null ? null : sayValue(worst, measured, language);

/** `5.29 °C, rising (limit −8)`, where there is little room; null: as its message has it. */
export function sayInBrief(facts: AlarmFacts, language: Language): string | null {
  const { limit, isPercentage, measured } = facts;
  const now = sayNow(facts, language);
  if (now === null || limit === null || measured.words) return sayAlarm(facts, language);
  const said = `${sayNumber(limit, language)}${isPercentage ? ' %' : ''}`;
  return language.say('{now} (limit {limit})', { now, limit: said });
}

interface Beyond {
  reading: string;
  severity: string;
  limit: string;
  side: string;
}

/** Also of an alarm of which nothing but its message is kept. */
export function sayBeyond({ side, ...facts }: Beyond, { say }: Language): string {
  switch (side) {
    case 'above':
      return say(
        '{reading} is above the {severity, select, critical {critical} other {warning}} limit of {limit}',
        facts,
      );
    case 'just above':
      return say(
        '{reading} is just above the {severity, select, critical {critical} other {warning}} limit of {limit}',
        facts,
      );
    case 'just below':
      return say(
        '{reading} is just below the {severity, select, critical {critical} other {warning}} limit of {limit}',
        facts,
      );
    default:
      return say(
        '{reading} is below the {severity, select, critical {critical} other {warning}} limit of {limit}',
        facts,
      );
  }
}

export interface Fact {
  title: string;
  value: string | Date;
}

/** In the order in which they are read, without those that are not known. */
export function listFacts(facts: AlarmFacts, language: Language): Fact[] {
  const { say } = language;
  const all: [title: string, value: string | Date | null][] = [
    [facts.isStale ? say('Last known') : say('Now'), sayNow(facts, language)],
    [say('Limit'), sayLimitOf(facts, language)],
    [say('Over since'), facts.overSince],
    [say('Alarm since'), facts.alarmSince],
    [say('Worst so far'), sayWorst(facts, language)],
  ];
  return all.flatMap(([title, value]) => (value === null ? [] : [{ title, value }]));
}

/**
 * `, rising. Over for 32 minutes, in alarm for 2 minutes, worst so far 6.1 °C.` Behind `sayAlarm`, without a clock's time: for
 * whoever reads or hears it in whatever zone.
 */
export function sayRest(facts: AlarmFacts, now: Date, language: Language, { withTrend = true } = {}): string {
  const { trend, isStale, overSince, alarmSince } = facts;
  const way = trend === null || isStale || !withTrend ? '' : `, ${sayTrend(trend, language)}`;
  return `${way}. ${sayLasting(
    {
      over: overSince && saySpan(overSince, now, language),
      alarm: saySpan(alarmSince, now, language),
      worst: sayWorst(facts, language),
    },
    language,
  )}`;
}

interface Lasting {
  over: string | null;
  alarm: string;
  worst: string | null;
}

function sayLasting({ over, alarm, worst }: Lasting, { say }: Language): string {
  if (over !== null && worst !== null)
    return say('Over for {over}, in alarm for {alarm}, worst so far {worst}.', { over, alarm, worst });
  if (over !== null) return say('Over for {over}, in alarm for {alarm}.', { over, alarm });
  if (worst !== null) return say('In alarm for {alarm}, worst so far {worst}.', { alarm, worst });
  return say('In alarm for {alarm}.', { alarm });
}

/** Nothing lasts less than a minute. */
const saySpan = (since: Date, now: Date, language: Language): string =>
  describeSpan(Math.max(1, Math.floor((now.getTime() - since.getTime()) / 60_000)) * 60_000, language);

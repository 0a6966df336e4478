// What is said of an alarm that holds, wherever it is said: the newest value and its way, the limit, since when it is beyond
// it, since when it is an alarm, and the worst so far. No other value is ever said.
import { type BandName, isHigh, severityOfBand } from '../judging/band.ts';
import { findTrend, findWorst, type Lately, type Trend } from '../judging/lately.ts';
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

export function toFacts(stored: StoredFacts): AlarmFacts {
  const { severity, channel, channelName, value, at, band, limit, standing } = stored;
  const measured = channel ? measuredOf(channel) : { unit: null, words: null };
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
export function sayNow({ newest, measured, trend, isStale }: AlarmFacts): string | null {
  if (!newest) return null;
  const value = sayValue(newest.value, measured);
  return trend === null || isStale ? value : `${value}, ${trend}`;
}

/** `Temperature 5.29 °C is above the critical limit of −8 °C`, or `Door open`; null: the limit is not known. */
export function sayAlarm(facts: AlarmFacts): string | null {
  const { name, newest, measured, band, limit, isPercentage, severity } = facts;
  if (band === null || limit === null || !newest) return null;
  const value = `${name} ${sayValue(newest.value, measured)}`;
  const isState = measured.words !== null && (newest.value === 0 || newest.value === 1);
  if (isState) return value;
  const shown = sayLimitOf(facts);
  if (isPercentage) return `${value} is beyond the ${severity} limit of ${shown}`;
  const high = isHigh(band);
  if (high ? newest.value <= limit : newest.value >= limit)
    return `${value} is within the ${severityOfBand(band)} limit of ${shown} again`;
  const side = high ? 'above' : 'below';
  const isClose = sayValue(newest.value, measured) === sayValue(limit, measured);
  return `${value} is ${isClose ? 'just ' : ''}${side} the ${severityOfBand(band)} limit of ${shown}`;
}

/** `−8 °C`, or `5 % from its setpoint`; null: a state has none. */
function sayLimitOf({ band, limit, isPercentage, measured }: AlarmFacts): string | null {
  if (band === null || limit === null) return null;
  if (isPercentage) return `${sayLimit(band, limit, { unit: '%', words: null })} from its setpoint`;
  return measured.words ? null : sayLimit(band, limit, measured);
}

const sayWorst = ({ worst, measured }: AlarmFacts): string | null =>
  worst === null ? null : sayValue(worst, measured);

/** `5.29 °C, rising (limit −8)`, where there is little room; null: as its message has it. */
export function sayInBrief(facts: AlarmFacts): string | null {
  const { limit, isPercentage, measured } = facts;
  const now = sayNow(facts);
  if (now === null || limit === null || measured.words) return sayAlarm(facts);
  return `${now} (limit ${sayNumber(limit)}${isPercentage ? ' %' : ''})`;
}

export interface Fact {
  title: string;
  value: string | Date;
}

/** In the order in which they are read, without those that are not known. */
export function listFacts(facts: AlarmFacts): Fact[] {
  const all: [title: string, value: string | Date | null][] = [
    [facts.isStale ? 'Last known' : 'Now', sayNow(facts)],
    ['Limit', sayLimitOf(facts)],
    ['Over since', facts.overSince],
    ['Alarm since', facts.alarmSince],
    ['Worst so far', sayWorst(facts)],
  ];
  return all.flatMap(([title, value]) => (value === null ? [] : [{ title, value }]));
}

/**
 * `, rising. Over for 32 minutes, in alarm for 2 minutes, worst so far 6.1 °C.` Behind `sayAlarm`, without a clock's time: for
 * whoever reads or hears it in whatever zone.
 */
export function sayRest(facts: AlarmFacts, now: Date, { withTrend = true } = {}): string {
  const { trend, isStale, overSince, alarmSince } = facts;
  const way = trend === null || isStale || !withTrend ? '' : `, ${trend}`;
  const worst = sayWorst(facts);
  const rest = [
    ...(overSince ? [`over for ${saySpan(overSince, now)}`] : []),
    `in alarm for ${saySpan(alarmSince, now)}`,
    ...(worst === null ? [] : [`worst so far ${worst}`]),
  ].join(', ');
  return `${way}. ${rest.charAt(0).toUpperCase()}${rest.slice(1)}.`;
}

/** Nothing lasts less than a minute. */
const saySpan = (since: Date, now: Date): string =>
  describeSpan(Math.max(1, Math.floor((now.getTime() - since.getTime()) / 60_000)) * 60_000);

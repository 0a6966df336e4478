// Why a service stands as it does, in sentences.

import { isHigh, severityOfBand } from '../../../domain/judging/band.ts';
import { findLimitsFor, type Limits } from '../../../domain/judging/limits.ts';
import { english } from '../../../domain/language/english.ts';
import { findLimitWord, measuredOf, sayNumber, sayValue } from '../../../domain/words/say-value.ts';
import type { Explanation } from '../../../engine/alarm-state/explain.ts';
import { type Reader, type ShownTime, showTime } from '../../../platform/html/time.tsx';
import type {
  AcknowledgementRecord,
  DowntimeRecord,
  MuteRecord,
  ShownService,
} from '../shown-service/queries.ts';

/** A sentence, with at most one time in it. */
export interface Sentence {
  before: string;
  at: ShownTime | null;
  after: string;
}

/** `isPercentage`: what was compared is a deviation from the setpoint. */
type ExplainedBand = Explanation['bands'][number] & { isPercentage: boolean };

interface ExplainedService {
  service: ShownService;
  explanation: Explanation;
  acknowledgements: AcknowledgementRecord[];
  mutes: MuteRecord[];
  downtimes: DowntimeRecord[];
  /** Of the versions in force. */
  limits: Pick<Limits, 'channel' | 'isPercentage'>[];
  reader: Reader;
}

const say = (before: string, at: ShownTime | null = null, after = ''): Sentence => ({ before, at, after });

export function explainInWords(explained: ExplainedService): Sentence[] {
  return [
    ...explainValues(explained),
    explainStale(explained),
    ...explainUnheard(explained),
    ...explainHolds(explained),
  ];
}

function explainValues({ service, explanation, limits, reader }: ExplainedService): Sentence[] {
  const isPercentage = (name: string) => {
    const channel = service.channels.find((known) => known.name === name);
    return (channel && findLimitsFor(limits, channel)?.isPercentage) ?? false;
  };
  const limited = explanation.bands
    .filter(({ limit }) => limit !== null)
    .map((band) => ({ ...band, isPercentage: isPercentage(band.channel) }));
  if (limited.length === 0) return [say('No limits are set, so no value can raise an alarm.')];
  const channels = [...new Set(limited.map(({ channel }) => channel))];
  return channels.flatMap((name) => {
    const bands = limited.filter(({ channel }) => channel === name);
    const breached = bands.filter(({ standing }) => IS_BREACH.has(standing));
    if (breached.length > 0) return breached.map((band) => explainBreach(service, band, reader));
    return explainCalm(service, bands);
  });
}

const IS_BREACH = new Set<ExplainedBand['standing']>(['active', 'running', 'clearing']);

function explainBreach(service: ShownService, band: ExplainedBand, reader: Reader): Sentence {
  const { label, measured, limit, isWord } = nameParts(service, band);
  const severity = severityOfBand(band.band);
  const since = band.breachedSince === null ? null : showTime(new Date(band.breachedSince), reader);
  if (band.standing === 'clearing') {
    const left = band.minutesLeft === null ? '' : ` in ${formatMinutes(band.minutesLeft)}`;
    const words = `${label} ${measured} is within the ${severity} limit${isWord ? '' : ` of ${limit}`} again, but`;
    const lasts = left === '' ? 'not far enough' : `the alarm is over${left} at the earliest`;
    return say(`${words} ${lasts}. It began `, since, '.');
  }
  const side = isHigh(band.band) ? 'above' : 'below';
  const after =
    band.standing === 'running'
      ? `. It becomes ${severity} in ${formatMinutes(band.minutesLeft ?? 0)} unless it ends before.`
      : `, ${band.sustainedMinutes > 0 ? `longer than the ${formatMinutes(band.sustainedMinutes)} allowed` : 'which counts at once'}.`;
  const beyond = isWord ? '' : ` is ${side} the ${severity} limit of ${limit}`;
  return say(`${label} ${measured}${beyond} since `, since, after);
}

function explainCalm(service: ShownService, bands: ExplainedBand[]): Sentence[] {
  const [band] = bands;
  if (!band) return [];
  const { label, measured, isWord } = nameParts(service, band);
  switch (band.standing) {
    case 'not judged: no reading':
      return [say(`${label} has limits but has not reported yet.`)];
    case 'not judged: no setpoint':
      return [say(`${label} is not judged: its limits are percentages, and no setpoint is known.`)];
    case 'not judged: off':
      return [say(`${label} is not judged: the unit is switched off.`)];
    default:
      return [say(`${label} ${measured}${isWord ? ', as it should be' : ' is within its limits'}.`)];
  }
}

function nameParts({ channels }: ShownService, explained: ExplainedBand) {
  const { channel, measured, limit, band, isPercentage } = explained;
  const known = channels.find(({ name }) => name === channel);
  const own = known ? measuredOf(known, english) : { unit: null, words: null };
  const scale = isPercentage ? { unit: '%', words: null } : own;
  const shown = measured === null ? '' : sayValue(measured, scale, english);
  return {
    label: known?.label ?? channel,
    measured: isPercentage ? `at ${shown} from its setpoint` : shown,
    limit: limit === null ? '' : sayValue(limit, { ...scale, words: null }, english),
    /** A state that is as its limit says, or the other one: there is no more to say of it. */
    isWord: limit !== null && findLimitWord(band, limit, scale.words) !== null,
  };
}

const explainUnheard = ({ explanation, reader }: ExplainedService): Sentence[] =>
  explanation.devices.flatMap(({ key, heardAt, isSilent }) =>
    isSilent && heardAt
      ? [say(`Nothing has come from ${key} since `, showTime(new Date(heardAt), reader), '.')]
      : [],
  );

function explainStale({ service, explanation, reader }: ExplainedService): Sentence {
  const { staleSince, channelAt, createdAt } = service;
  const hasReported = channelAt.length > 0;
  const last = hasReported ? new Date(Math.max(...channelAt)) : createdAt;
  if (staleSince) {
    const words = hasReported ? 'No data has come since ' : 'No data has ever come. The service was made ';
    return say(words, showTime(last, reader), '. The service is stale.');
  }
  if (explanation.staleAt === null) return say('Stale data raises no alarm: that is switched off.');
  const staleAt = new Date(explanation.staleAt);
  if (staleAt <= reader.now) return say('The service is about to count as stale.');
  return say('Without new data the service counts as stale from ', showTime(staleAt, reader), '.');
}

function explainHolds({ acknowledgements, mutes, downtimes, reader }: ExplainedService): Sentence[] {
  const because = (text: string | null) => (text === null ? '.' : `: “${text}”`);
  return [
    ...acknowledgements
      .filter(({ endedAt }) => endedAt === null)
      .map(({ severity, by, at, comment }) =>
        say(`Acknowledged at ${severity.toLowerCase()} by ${by}, `, showTime(at, reader), because(comment)),
      ),
    ...mutes
      .filter(({ endedAt }) => endedAt === null)
      .map(({ by, at, reason }) =>
        say(`Nobody is notified: muted by ${by}, `, showTime(at, reader), because(reason)),
      ),
    ...downtimes
      .filter(({ startAt }) => startAt <= reader.now)
      .map(({ by, endAt, reason }) =>
        say(`In downtime, planned by ${by}, until `, showTime(endAt, reader), because(reason)),
      ),
  ];
}

function formatMinutes(minutes: number): string {
  const rounded = minutes < 10 ? Math.ceil(minutes * 10) / 10 : Math.ceil(minutes);
  return `${sayNumber(rounded, english)} min`;
}

// Why a service stands as it does, in sentences.

import { isHigh, severityOfBand } from '../../../domain/judging/band.ts';
import { findLimitsFor, type Limits } from '../../../domain/judging/limits.ts';
import type { Language } from '../../../domain/language/speak.ts';
import { sayBeyond } from '../../../domain/words/alarm-facts.ts';
import { findLimitWord, measuredOf, sayValue } from '../../../domain/words/say-value.ts';
import type { Explanation } from '../../../engine/alarm-state/explain.ts';
import { type Reader, type ShownText, showTime } from '../../../platform/html/time.tsx';
import type {
  AcknowledgementRecord,
  DowntimeRecord,
  MuteRecord,
  ShownService,
} from '../shown-service/queries.ts';

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

export function explainInWords(explained: ExplainedService): ShownText[] {
  return [
    ...explainValues(explained),
    explainStale(explained),
    ...explainUnheard(explained),
    ...explainHolds(explained),
  ];
}

function explainValues({ service, explanation, limits, reader }: ExplainedService): ShownText[] {
  const isPercentage = (name: string) => {
    const channel = service.channels.find((known) => known.name === name);
    return (channel && findLimitsFor(limits, channel)?.isPercentage) ?? false;
  };
  const limited = explanation.bands
    .filter(({ limit }) => limit !== null)
    .map((band) => ({ ...band, isPercentage: isPercentage(band.channel) }));
  if (limited.length === 0)
    return [[reader.language.say('No limits are set, so no value can raise an alarm.')]];
  const channels = [...new Set(limited.map(({ channel }) => channel))];
  return channels.flatMap((name) => {
    const bands = limited.filter(({ channel }) => channel === name);
    const breached = bands.filter(({ standing }) => IS_BREACH.has(standing));
    if (breached.length > 0) return breached.map((band) => explainBreach(service, band, reader));
    return bands.slice(0, 1).map((band) => [explainCalm(service, band, reader.language)]);
  });
}

const IS_BREACH = new Set<ExplainedBand['standing']>(['active', 'running', 'clearing']);

function explainBreach(service: ShownService, band: ExplainedBand, reader: Reader): ShownText {
  const { language } = reader;
  const { reading, limit, isWord } = nameParts(service, band, language);
  const severity = severityOfBand(band.band);
  const since = band.breachedSince === null ? '' : showTime(new Date(band.breachedSince), reader);
  if (band.standing === 'clearing') {
    const standing = isWord
      ? language.say(
          '{reading} is within the {severity, select, critical {critical} other {warning}} limit again',
          {
            reading,
            severity,
          },
        )
      : language.say(
          '{reading} is within the {severity, select, critical {critical} other {warning}} limit of {limit} again',
          { reading, severity, limit },
        );
    return band.minutesLeft === null
      ? language.sayParts('{standing}, but not far enough. It began {since}.', { standing, since })
      : language.sayParts('{standing}, but the alarm is over in {left} at the earliest. It began {since}.', {
          standing,
          left: sayLeft(band.minutesLeft, language),
          since,
        });
  }
  const side = isHigh(band.band) ? 'above' : 'below';
  const standing = isWord ? reading : sayBeyond({ reading, severity, limit, side }, language);
  if (band.standing === 'running')
    return language.sayParts(
      '{standing} since {since}. It becomes {severity, select, critical {critical} other {warning}} in {left} unless it ends before.',
      { standing, since, severity, left: sayLeft(band.minutesLeft ?? 0, language) },
    );
  return band.sustainedMinutes > 0
    ? language.sayParts('{standing} since {since}, longer than the {allowed} allowed.', {
        standing,
        since,
        allowed: sayLeft(band.sustainedMinutes, language),
      })
    : language.sayParts('{standing} since {since}, which counts at once.', { standing, since });
}

function explainCalm(service: ShownService, band: ExplainedBand, language: Language): string {
  const { say } = language;
  const { label: channel, reading, isWord } = nameParts(service, band, language);
  switch (band.standing) {
    case 'not judged: no reading':
      return say('{channel} has limits but has not reported yet.', { channel });
    case 'not judged: no setpoint':
      return say('{channel} is not judged: its limits are percentages, and no setpoint is known.', {
        channel,
      });
    case 'not judged: off':
      return say('{channel} is not judged: the unit is switched off.', { channel });
    default:
      return isWord
        ? say('{reading}, as it should be.', { reading })
        : say('{reading} is within its limits.', { reading });
  }
}

function nameParts({ channels }: ShownService, explained: ExplainedBand, language: Language) {
  const { channel, measured, limit, band, isPercentage } = explained;
  const known = channels.find(({ name }) => name === channel);
  const label = known?.label ?? channel;
  const own = known ? measuredOf(known, language) : { unit: null, words: null };
  const scale = isPercentage ? { unit: '%', words: null } : own;
  const value = measured === null ? '' : sayValue(measured, scale, language);
  return {
    label,
    reading: isPercentage
      ? language.say('{channel} at {deviation} from its setpoint', { channel: label, deviation: value })
      : `${label} ${value}`,
    limit: limit === null ? '' : sayValue(limit, { ...scale, words: null }, language),
    /** A state that is as its limit says, or the other one: there is no more to say of it. */
    isWord: limit !== null && findLimitWord(band, limit, scale.words) !== null,
  };
}

const explainUnheard = ({ explanation, reader }: ExplainedService): ShownText[] =>
  explanation.devices.flatMap(({ key, heardAt, isSilent }) =>
    isSilent && heardAt
      ? [
          reader.language.sayParts('Nothing has come from {device} since {since}.', {
            device: key,
            since: showTime(new Date(heardAt), reader),
          }),
        ]
      : [],
  );

function explainStale({ service, explanation, reader }: ExplainedService): ShownText {
  const { staleSince, channelAt, createdAt } = service;
  const { language } = reader;
  if (staleSince)
    return channelAt.length > 0
      ? language.sayParts('No data has come since {since}. The service is stale.', {
          since: showTime(new Date(Math.max(...channelAt)), reader),
        })
      : language.sayParts('No data has ever come. The service was made {at}. The service is stale.', {
          at: showTime(createdAt, reader),
        });
  if (explanation.staleAt === null)
    return [language.say('Stale data raises no alarm: that is switched off.')];
  const staleAt = new Date(explanation.staleAt);
  if (staleAt <= reader.now) return [language.say('The service is about to count as stale.')];
  return language.sayParts('Without new data the service counts as stale from {at}.', {
    at: showTime(staleAt, reader),
  });
}

function explainHolds({ acknowledgements, mutes, downtimes, reader }: ExplainedService): ShownText[] {
  const { language } = reader;
  return [
    ...acknowledgements
      .filter(({ endedAt }) => endedAt === null)
      .map(({ severity, by, at, comment }): ShownText => {
        const facts = { severity, by, at: showTime(at, reader) };
        // For translators: {by} is the name of whoever acknowledged the alarm, {at} a time, {comment} what they wrote
        return comment === null
          ? language.sayParts(
              'Acknowledged at {severity, select, CRITICAL {critical} other {warning}} by {by}, {at}.',
              facts,
            )
          : language.sayParts(
              'Acknowledged at {severity, select, CRITICAL {critical} other {warning}} by {by}, {at}: “{comment}”',
              { ...facts, comment },
            );
      }),
    ...mutes
      .filter(({ endedAt }) => endedAt === null)
      .map(({ by, at, reason }): ShownText => {
        const facts = { by, at: showTime(at, reader) };
        return reason === null
          ? language.sayParts('Nobody is notified: muted by {by}, {at}.', facts)
          : language.sayParts('Nobody is notified: muted by {by}, {at}: “{reason}”', { ...facts, reason });
      }),
    ...downtimes
      .filter(({ startAt }) => startAt <= reader.now)
      .map(
        ({ by, endAt, reason }): ShownText =>
          language.sayParts('In downtime, planned by {by}, until {end}: “{reason}”', {
            by,
            end: showTime(endAt, reader),
            reason,
          }),
      ),
  ];
}

/** No shorter than it is. */
function sayLeft(minutes: number, { say }: Language): string {
  const rounded = minutes < 10 ? Math.ceil(minutes * 10) / 10 : Math.ceil(minutes);
  return say('{minutes} min', { minutes: rounded });
}

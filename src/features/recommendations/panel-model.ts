import { ADVICE_TEXTS } from '../../domain/advisor/words.ts';
import { BAND_LABELS, type Band } from '../../domain/judging/band.ts';
import type { Limits } from '../../domain/judging/limits.ts';
import type { Language } from '../../domain/language/speak.ts';
import { type Measured, measuredOf, sayLimit, withTrueMinus } from '../../domain/words/say-value.ts';
import { sayAgain } from '../../domain/words/written.ts';
import { sayWhyNoAdvice } from '../../engine/advice/failure-words.ts';
import { type Reader, type ShownTime, showTime } from '../../platform/html/time.tsx';
import type { ComparedBand } from './compare-bands.ts';
import type { Advice, ShownRecommendation } from './read-recommendation.ts';
import type { ShownBacktest } from './shown-result.ts';

export interface PanelModel {
  serviceId: number;
  serviceName: string;
  canAdminister: boolean;
  status: StatusModel;
}

export type StatusModel =
  | { state: 'none' }
  | { state: 'pending'; requestedBy: string; requestedAt: ShownTime }
  | { state: 'failed'; reason: string; failedAt: ShownTime | null }
  | { state: 'completed'; resultId: string; finishedAt: ShownTime | null; advice: AdviceModel }
  | { state: 'applied'; appliedAt: ShownTime | null; advice: AdviceModel };

export interface AdviceModel {
  proposal: ProposalModel | 'missing' | 'unusable';
  reasoning: string[];
  backtest: BacktestModel | null;
}

export interface ProposalModel {
  channelName: string;
  /** Applied, and not changed since: there is nothing to compare. */
  isInForce: boolean;
  /** What people should know before they apply it. */
  notes: string[];
  bands: {
    name: string;
    current: BandModel | null;
    proposed: BandModel | null;
    change: ComparedBand['change'];
  }[];
}

export interface BandModel {
  limit: string;
  /** Only those that there are. */
  times: string[];
}

export interface BacktestModel {
  from: ShownTime | null;
  to: ShownTime | null;
  readings: number | null;
  /** What stands over the figures of the limits that it was compared with. */
  before: string;
  rows: { name: string; current: string; proposed: string }[];
}

export function toPanel(shown: ShownRecommendation, reader: Reader): PanelModel {
  const { serviceId, serviceName, canAdminister } = shown;
  return { serviceId, serviceName, canAdminister, status: toStatus(shown, reader) };
}

function toStatus({ newest, advice }: ShownRecommendation, reader: Reader): StatusModel {
  const at = (time: Date | null) => time && showTime(time, reader);
  if (!newest) return { state: 'none' };
  if (advice) {
    const isApplied = newest.state === 'applied';
    const model = toAdvice(advice, isApplied, reader);
    return isApplied
      ? { state: 'applied', appliedAt: at(newest.appliedAt), advice: model }
      : { state: 'completed', resultId: newest.id, finishedAt: at(newest.finishedAt), advice: model };
  }
  if (newest.state === 'failed')
    return {
      state: 'failed',
      reason: sayWhyNoAdvice(withTrueMinus(newest.failureReason ?? ''), reader.language),
      failedAt: at(newest.finishedAt),
    };
  const requestedAt = showTime(newest.requestedAt, reader);
  return { state: 'pending', requestedBy: newest.requestedByName, requestedAt };
}

const toAdvice = (
  { proposal, reasoning, backtest }: Advice,
  isApplied: boolean,
  reader: Reader,
): AdviceModel => ({
  proposal: typeof proposal === 'string' ? proposal : toProposal(proposal, isApplied, reader.language),
  reasoning: reasoning.map((sentence) => sayAgain(withTrueMinus(sentence), ADVICE_TEXTS, reader.language)),
  backtest: backtest && {
    ...toBacktest(backtest, reader),
    before: isApplied ? reader.language.say('Limits before') : reader.language.say('Current limits'),
  },
});

function toProposal(
  { limits, channel, current, bands }: Exclude<Advice['proposal'], string>,
  isApplied: boolean,
  language: Language,
): ProposalModel {
  const { say } = language;
  const plain = { unit: null, words: null };
  const scaleOf = ({ isPercentage }: Limits): Measured =>
    isPercentage ? { ...plain, unit: '%' } : channel ? measuredOf(channel, language) : plain;
  const isInForce = isApplied && bands.every(({ change }) => change === 'unchanged');
  const [scaleNow, scaleThen] = [scaleOf(current ?? limits), scaleOf(limits)];
  return {
    channelName: limits.channel === null ? say('all channels') : (channel?.label ?? limits.channel),
    isInForce,
    notes: isApplied
      ? [noteStanding(isInForce, language), ...noteMode(limits, limits, language)]
      : [...noteMode(limits, current, language), ...noteScope(limits, current, language)],
    bands: bands.map(({ band, current: now, proposed, change }) => ({
      name: say(BAND_LABELS[band]),
      current: now && toBand(now, scaleNow, language),
      proposed: proposed && toBand(proposed, scaleThen, language),
      change,
    })),
  };
}

const noteStanding = (isInForce: boolean, { say }: Language): string =>
  isInForce ? say('These limits are in force.') : say('The limits have been changed since.');

function noteMode(limits: Limits, current: Limits | null, { say }: Language): string[] {
  if (!limits.isPercentage)
    return current?.isPercentage
      ? [say('The proposed limits are absolute; the current ones are percentages.')]
      : [];
  return limits.setpointChannel === null
    ? [
        say(
          'The proposed limits are percentages of a setpoint, but no setpoint channel is known: they would never fire.',
        ),
      ]
    : [
        say('The proposed limits are deviations from {setpoint} in percent.', {
          setpoint: limits.setpointChannel,
        }),
      ];
}

const noteScope = (limits: Limits, current: Limits | null, { say }: Language): string[] =>
  limits.channel !== null && current?.channel === null
    ? [say('Now the limits of the whole service apply. The proposed ones would be of this channel alone.')]
    : [];

const toBand = (
  { band, limit, delayMinutes, sustainedMinutes }: Band,
  measured: Measured,
  language: Language,
): BandModel => ({
  limit: limit === null ? language.say('No limit') : sayLimit(band, limit, measured, language),
  times: [
    sustainedMinutes > 0 && language.say('sustained {minutes} min', { minutes: sustainedMinutes }),
    delayMinutes > 0 && language.say('delay {minutes} min', { minutes: delayMinutes }),
  ].filter((time) => time !== false),
});

function toBacktest(
  { from, to, readings, current, proposed }: ShownBacktest,
  reader: Reader,
): Omit<BacktestModel, 'before'> {
  const { language } = reader;
  const { say } = language;
  const figure = (value: number) => language.number(value, 1);
  const minutes = (value: number) => say('{minutes} min', { minutes: figure(value) });
  const row = (name: string, key: keyof typeof current, write: (value: number) => string) => ({
    name,
    current: write(current[key]),
    proposed: write(proposed[key]),
  });
  return {
    from: from && showTime(from, reader),
    to: to && showTime(to, reader),
    readings,
    rows: [
      row(say('Alarms'), 'alarms', figure),
      row(say('Time in alarm'), 'alarm_minutes', minutes),
      row(say('Longest excursion'), 'longest_minutes', minutes),
    ],
  };
}

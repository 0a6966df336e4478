import { BAND_LABELS, type Band } from '../../domain/judging/band.ts';
import type { Limits } from '../../domain/judging/limits.ts';
import { english } from '../../domain/language/english.ts';
import { type Measured, measuredOf, sayLimit, withTrueMinus } from '../../domain/words/say-value.ts';
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
      reason: withTrueMinus(newest.failureReason ?? ''),
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
  proposal: typeof proposal === 'string' ? proposal : toProposal(proposal, isApplied),
  reasoning: reasoning.map(withTrueMinus),
  backtest: backtest && {
    ...toBacktest(backtest, reader),
    before: isApplied ? 'Limits before' : 'Current limits',
  },
});

function toProposal(
  { limits, channel, current, bands }: Exclude<Advice['proposal'], string>,
  isApplied: boolean,
): ProposalModel {
  const plain = { unit: null, words: null };
  const scaleOf = ({ isPercentage }: Limits): Measured =>
    isPercentage ? { ...plain, unit: '%' } : channel ? measuredOf(channel, english) : plain;
  const isInForce = isApplied && bands.every(({ change }) => change === 'unchanged');
  const [scaleNow, scaleThen] = [scaleOf(current ?? limits), scaleOf(limits)];
  return {
    channelName: limits.channel === null ? 'all channels' : (channel?.label ?? limits.channel),
    isInForce,
    notes: isApplied
      ? [noteStanding(isInForce), ...noteMode(limits, limits)]
      : [...noteMode(limits, current), ...noteScope(limits, current)],
    bands: bands.map(({ band, current: now, proposed, change }) => ({
      name: BAND_LABELS[band],
      current: now && toBand(now, scaleNow),
      proposed: proposed && toBand(proposed, scaleThen),
      change,
    })),
  };
}

const noteStanding = (isInForce: boolean): string =>
  isInForce ? 'These limits are in force.' : 'The limits have been changed since.';

function noteMode(limits: Limits, current: Limits | null): string[] {
  if (!limits.isPercentage)
    return current?.isPercentage
      ? ['The proposed limits are absolute; the current ones are percentages.']
      : [];
  return limits.setpointChannel === null
    ? [
        'The proposed limits are percentages of a setpoint, but no setpoint channel is known: they would never fire.',
      ]
    : [`The proposed limits are deviations from ${limits.setpointChannel} in percent.`];
}

const noteScope = (limits: Limits, current: Limits | null): string[] =>
  limits.channel !== null && current?.channel === null
    ? ['Now the limits of the whole service apply. The proposed ones would be of this channel alone.']
    : [];

const toBand = ({ band, limit, delayMinutes, sustainedMinutes }: Band, measured: Measured): BandModel => ({
  limit: limit === null ? 'No limit' : sayLimit(band, limit, measured, english),
  times: [
    sustainedMinutes > 0 && `sustained ${sustainedMinutes} min`,
    delayMinutes > 0 && `delay ${delayMinutes} min`,
  ].filter((time) => time !== false),
});

function toBacktest(
  { from, to, readings, current, proposed }: ShownBacktest,
  reader: Reader,
): Omit<BacktestModel, 'before'> {
  const row = (name: string, key: keyof typeof current, unit: string) => ({
    name,
    current: `${round(current[key])}${unit}`,
    proposed: `${round(proposed[key])}${unit}`,
  });
  return {
    from: from && showTime(from, reader),
    to: to && showTime(to, reader),
    readings,
    rows: [
      row('Alarms', 'alarms', ''),
      row('Time in alarm', 'alarm_minutes', ' min'),
      row('Longest excursion', 'longest_minutes', ' min'),
    ],
  };
}

const round = (value: number): number => Number(value.toFixed(1));

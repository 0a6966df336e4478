// The builtin advisor: statistics on stored readings, nothing else.
import { isHigh } from '../judging/band.ts';
import { findLimitsFault } from '../judging/limits.ts';
import { MINUTE_MS } from '../readings/span.ts';
import { chooseBands, type Normal } from './choose-bands.ts';
import type { ChannelHistory, Span } from './history.ts';
import { quantile, sorted } from './quantiles.ts';
import type { ProposedBand } from './recommendation.ts';
import type { Side } from './runs.ts';
import { type Spikes, summarizeSpikes } from './spikes.ts';
import { type Study, study } from './study.ts';
import { explainBands, explainHistory, explainShortcoming } from './words.ts';

export interface AdviceRequest {
  channel: string;
  label: string | null;
  unit: string | null;
  history: ChannelHistory;
  /** Known downtimes and past excursions: not normal operation. */
  ignored: Span[];
  now: number;
}

export type Advice = { bands: ProposedBand[]; reasoning: string[] } | { refusal: string };

export function advise(request: AdviceRequest): Advice {
  const found = study(request.history, request.ignored, request.now);
  const { normal, shortcoming } = found;
  if (shortcoming || !normal) return { refusal: explainShortcoming(request, shortcoming) };
  const bands = findSides(found).flatMap((side) => chooseBands(normal, side, canPass(request, normal, side)));
  if (!areSound(bands, normal)) return { refusal: explainShortcoming(request, null) };
  const spikes = findSpikes(normal);
  return {
    bands,
    reasoning: [
      ...explainHistory(request, found, normal, spikes),
      ...explainBands(request, normal, spikes, bands),
    ],
  };
}

/** What is filled up again is watched on the side to which it sinks. */
const findSides = ({ refillSlope }: Study): Side[] =>
  refillSlope === null ? [1, -1] : [refillSlope > 0 ? 1 : -1];

const isTemperature = ({ channel, label, unit }: AdviceRequest) =>
  /°|^[CF]$|temp/i.test(`${unit ?? ''}`) || (unit === null && /temp/i.test(`${channel} ${label ?? ''}`));

/** A share never leaves 0 to 100 %, and hardly anything but a temperature goes below zero if it never did. */
function canPass(request: AdviceRequest, { history }: Normal, side: Side): (limit: number) => boolean {
  if (side === 1) {
    const isShare = request.unit === '%' && history.value.every((value) => value <= 100);
    return isShare ? (limit) => limit < 100 : () => true;
  }
  const isNeverNegative = !isTemperature(request) && history.value.every((value) => value >= 0);
  return isNeverNegative ? (limit) => limit > 0 : () => true;
}

/** Numbers so large that their differences drown in rounding give limits on the wrong side. */
function areSound(bands: ProposedBand[], { band: { median } }: Normal): boolean {
  const isOnItsSide = ({ band, limit }: ProposedBand) =>
    Number.isFinite(limit) && (isHigh(band) ? limit > median : limit < median);
  const asSaved = bands.map(({ band, limit }) => ({ band, limit, delayMinutes: 0, sustainedMinutes: 0 }));
  return (
    bands.length > 0 &&
    bands.every(isOnItsSide) &&
    findLimitsFault({ isPercentage: false, bands: asSaved }) === null
  );
}

const findSpikes = ({ history, band, intervalMs }: Normal): { high: Spikes | null; low: Spikes | null } => ({
  high: summarizeSpikes(history, 1, band, intervalMs),
  low: summarizeSpikes(history, -1, band, intervalMs),
});

const QUANTILES = [0, 0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 1] as const;

/** Figures in words a person understands. Spans are minutes, instants epoch milliseconds. */
export interface HistorySummary {
  readings: number;
  from: number | null;
  to: number | null;
  intervalMinutes: number | null;
  /** Of all readings that were not to be ignored: the value below which this share of them lies. */
  quantiles: { share: number; value: number }[];
  /** Of normal operation, nine tenths of the time on either side; null when none was recognised. */
  steady: { from: number; to: number; low: number; median: number; high: number } | null;
  spikes: { high: Spikes | null; low: Spikes | null };
  driftPerDay: number | null;
  levelChange: { at: number; from: number; to: number } | null;
  excursions: { from: number; to: number; peak: number }[];
  /** Why the builtin advisor would propose nothing; null when it would. */
  shortcoming: string | null;
}

export function summarize(request: AdviceRequest): HistorySummary {
  const found = study(request.history, request.ignored, request.now);
  const { history, intervalMs, normal, levelChange } = found;
  const ascending = sorted(history.value);
  return {
    readings: history.at.length,
    from: history.at[0] ?? null,
    to: history.at.at(-1) ?? null,
    intervalMinutes: intervalMs === null ? null : intervalMs / MINUTE_MS,
    quantiles:
      ascending.length === 0 ? [] : QUANTILES.map((share) => ({ share, value: quantile(ascending, share) })),
    steady: normal && {
      from: normal.history.at[0] as number,
      to: normal.history.at.at(-1) as number,
      low: normal.band.low,
      median: normal.band.median,
      high: normal.band.high,
    },
    spikes: normal ? findSpikes(normal) : { high: null, low: null },
    driftPerDay: found.drift?.perDay ?? found.refillSlope,
    levelChange: levelChange && { at: levelChange.at, from: levelChange.from, to: levelChange.to },
    excursions: found.excursions.map(({ run: { from, to, peak } }) => ({ from, to, peak })),
    shortcoming: normal ? null : explainShortcoming(request, found.shortcoming),
  };
}

// Finds out which part of a history is normal operation, and what else happened in it.
import { HOUR_MS, type Span } from '../readings/span.ts';
import { chooseStep, type Normal } from './choose-bands.ts';
import {
  DAY_MS,
  type Day,
  type Drift,
  findDrift,
  findRefillSlope,
  levelOf,
  middleOf,
  splitAtJumps,
  sumUpDays,
  typicalWidth,
} from './days.ts';
import { type ChannelHistory, keepReadings, mergeSpans, within, withoutSpans } from './history.ts';
import { medianOf, quantile, sorted } from './quantiles.ts';
import type { Run, Side } from './runs.ts';
import { findExcursions, type SteadyBand } from './spikes.ts';

/** A number that nothing measures is the word of a broken sensor, and too large to be reckoned with. */
const LARGEST_MEASURED = 1e100;
export const LEAST_READINGS = 200;
export const LEAST_DAYS = 3;
const LEAST_COVERED = 0.5;
const LEAST_NORMAL_READINGS = 60;

export type Shortcoming =
  | { kind: 'few readings'; readings: number }
  | { kind: 'few days'; days: number }
  | { kind: 'a state' }
  | { kind: 'never changes'; value: number }
  | { kind: 'gaps'; covered: number }
  | { kind: 'only drift'; perDay: number }
  | { kind: 'never steady' };

interface LevelChange {
  at: number;
  from: number;
  to: number;
  /** The newer level is too new to learn from. */
  isTooNew: boolean;
}

export interface Study {
  /** Without what was to be ignored. */
  history: ChannelHistory;
  intervalMs: number | null;
  normal: Normal | null;
  shortcoming: Shortcoming | null;
  levelChange: LevelChange | null;
  drift: Drift | null;
  /** Per day, of a level that sinks and is filled up again. */
  refillSlope: number | null;
  excursions: { side: Side; run: Run }[];
  /** The value has not changed at all since. */
  stuckSince: number | null;
}

export function study(given: ChannelHistory, ignored: readonly Span[], now: number): Study {
  const isUsable = (index: number) =>
    (given.at[index] as number) <= now && Math.abs(given.value[index] as number) <= LARGEST_MEASURED;
  const history = withoutSpans(keepReadings(given, isUsable), ignored);
  const intervalMs = findInterval(history);
  const nothing: Study = {
    history,
    intervalMs,
    normal: null,
    shortcoming: null,
    levelChange: null,
    drift: null,
    refillSlope: null,
    excursions: [],
    stuckSince: null,
  };
  const shortcoming = findShortcoming(history, intervalMs, ignored);
  if (shortcoming || intervalMs === null) {
    return { ...nothing, shortcoming: shortcoming ?? { kind: 'few days', days: 0 } };
  }
  const stuckSince = findStuckSince(history);
  const moving =
    stuckSince === null ? history : keepReadings(history, (index) => isBefore(history, index, stuckSince));
  return { ...nothing, stuckSince, ...findNormal(moving, intervalMs) };
}

const isBefore = ({ at }: ChannelHistory, index: number, end: number) => (at[index] as number) < end;

/** As a rule between two readings; null when there are none at different times. */
function findInterval({ at }: ChannelHistory): number | null {
  const steps = at.subarray(1).map((each, index) => each - (at[index] as number));
  const positive = sorted(steps.filter((step) => step > 0));
  return positive.length > 0 ? quantile(positive, 0.5) : null;
}

function findShortcoming(
  { at, value }: ChannelHistory,
  intervalMs: number | null,
  ignored: readonly Span[],
): Shortcoming | null {
  const [first, last] = [at[0] ?? 0, at.at(-1) ?? 0];
  const days = (last - first) / DAY_MS;
  if (at.length < LEAST_READINGS) return { kind: 'few readings', readings: at.length };
  if (days < LEAST_DAYS || intervalMs === null) return { kind: 'few days', days };
  if (value.every((each) => each === value[0])) return { kind: 'never changes', value: value[0] as number };
  if (value.every((each) => each === 0 || each === 1)) return { kind: 'a state' };
  let coveredMs = 0;
  for (let index = 1; index < at.length; index += 1) {
    coveredMs += Math.min((at[index] as number) - (at[index - 1] as number), 3 * intervalMs);
  }
  const ignoredMs = mergeSpans(ignored).reduce(
    (sum, { from, to }) => sum + Math.max(0, Math.min(to, last) - Math.max(from, first)),
    0,
  );
  const covered = coveredMs / Math.max(last - first - ignoredMs, coveredMs);
  return covered < LEAST_COVERED ? { kind: 'gaps', covered } : null;
}

const STUCK_MS = 6 * HOUR_MS;
const STUCK_READINGS = 20;
const STUCK_TIMES = 5;

/** A sensor that died says the same for ever, far longer than it ever did before. */
function findStuckSince({ at, value }: ChannelHistory): number | null {
  let first = at.length - 1;
  while (first > 0 && value[first - 1] === value[first]) first -= 1;
  const stuckMs = (at.at(-1) as number) - (at[first] as number);
  if (stuckMs < STUCK_MS || at.length - first < STUCK_READINGS) return null;
  let longestMs = 0;
  let from = 0;
  for (let index = 1; index <= first; index += 1) {
    if (value[index] === value[from]) continue;
    longestMs = Math.max(longestMs, (at[index - 1] as number) - (at[from] as number));
    from = index;
  }
  return stuckMs > STUCK_TIMES * longestMs ? (at[first] as number) : null;
}

type Findings = Pick<
  Study,
  'normal' | 'shortcoming' | 'levelChange' | 'drift' | 'refillSlope' | 'excursions'
>;

function findNormal(history: ChannelHistory, intervalMs: number): Findings {
  const days = sumUpDays(history, intervalMs);
  const width = typicalWidth(days);
  const parts = splitAtJumps(days, width);
  const findings: Findings = {
    normal: null,
    shortcoming: null,
    levelChange: null,
    drift: null,
    refillSlope: findRefillSlope(parts),
    excursions: [],
  };
  if (findings.refillSlope !== null) return describeNormal(history, intervalMs, findings);

  const index = parts.findLastIndex(isLongEnough);
  const part = parts[index];
  if (!part) return { ...findings, shortcoming: { kind: 'never steady' } };
  const levelChange = describeLevelChange(parts, index);
  const drift = findDrift(part, width);
  if (drift && !isLongEnough(drift.steady)) {
    return { ...findings, levelChange, drift, shortcoming: { kind: 'only drift', perDay: drift.perDay } };
  }
  const steady = trimJumps(drift ? drift.steady : part, parts, index);
  const span = { from: (steady[0] as Day).from, to: (steady.at(-1) as Day).to };
  return describeNormal(within(history, span), intervalMs, { ...findings, levelChange, drift });
}

const isLongEnough = (days: readonly Day[]) =>
  days.length >= LEAST_DAYS && days.reduce((sum, { readings }) => sum + readings, 0) >= LEAST_NORMAL_READINGS;

/** A jump falls somewhere within a day: the days next to it belong to both levels. */
function trimJumps(days: Day[], parts: readonly Day[][], index: number): Day[] {
  const first = index > 0 ? 1 : 0;
  const isLastWhole = index === parts.length - 1 || days.at(-1) !== parts[index]?.at(-1);
  const trimmed = days.slice(first, isLastWhole ? undefined : -1);
  return isLongEnough(trimmed) ? trimmed : days;
}

/** Of the newest level: the change to it, or, when it is too new to count, away from the one that counts. */
function describeLevelChange(parts: readonly Day[][], index: number): LevelChange | null {
  const isTooNew = index < parts.length - 1;
  const before = isTooNew ? parts[index] : parts[index - 1];
  const after = isTooNew ? parts[index + 1] : parts[index];
  const newest = parts.at(-1);
  if (!before || !after || !newest) return null;
  return { at: middleOf(after[0] as Day), from: levelOf(before), to: levelOf(newest), isTooNew };
}

function describeNormal(part: ChannelHistory, intervalMs: number, findings: Findings): Findings {
  const rough = describeBand(part);
  const excursions = ([1, -1] as const).flatMap((side) =>
    findExcursions(part, side, rough, intervalMs).map((run) => ({ side, run })),
  );
  const history = withoutSpans(
    part,
    excursions.map(({ run }) => run),
  );
  const band = excursions.length > 0 ? describeBand(history) : rough;
  const isUsable = band.width > 0 && Number.isFinite(band.width);
  if (!isUsable) return { ...findings, shortcoming: { kind: 'never changes', value: band.median } };
  return { ...findings, excursions, normal: { history, band, intervalMs, step: chooseStep(band) } };
}

/** Of a value that hardly ever moves, the rare moves count. */
function describeBand({ value }: ChannelHistory): SteadyBand {
  const ascending = sorted(value);
  for (const share of [0.1, 0.01, 0]) {
    const [low, high] = [quantile(ascending, share), quantile(ascending, 1 - share)];
    if (high > low) return { median: quantile(ascending, 0.5), low, high, width: high - low };
  }
  const only = medianOf(value);
  return { median: only, low: only, high: only, width: 0 };
}

// Which limits catch a failure earliest without firing in normal operation.
import type { BandName } from '../judging/band.ts';
import { MINUTE_MS } from '../readings/span.ts';
import type { ChannelHistory } from './history.ts';
import type { ProposedBand } from './recommendation.ts';
import { roundStep, roundUp, roundUpMinutes } from './round-numbers.ts';
import { findLongestRun, type Side } from './runs.ts';
import { edgeOf, type SteadyBand } from './spikes.ts';

/** What normal operation looks like. */
export interface Normal {
  history: ChannelHistory;
  band: SteadyBand;
  intervalMs: number;
  /** Limits are multiples of it. */
  step: number;
}

interface SideNames {
  critical: BandName;
  warning: BandName;
}
const NAMES: Record<Side, SideNames> = {
  1: { critical: 'CRITICAL_HIGH', warning: 'WARNING_HIGH' },
  [-1]: { critical: 'CRITICAL_LOW', warning: 'WARNING_LOW' },
};

/** A person reads a scale in about five steps. */
export const chooseStep = ({ width }: SteadyBand): number => roundStep(width / 5);

/** Of one side. `isPossible`: a limit the quantity can pass at all. */
export function chooseBands(
  normal: Normal,
  side: Side,
  isPossible: (limit: number) => boolean,
): ProposedBand[] {
  const candidates = findCandidates(normal, side).filter(({ limit }) => isPossible(limit));
  const edge = side * edgeOf(normal.band, side);
  const apart = APART_SHARE * normal.band.width;
  let best: Candidate[] = [];
  let least = Number.POSITIVE_INFINITY;
  const offer = (pair: Candidate[]) => {
    const cost = slownessOf(pair, normal.intervalMs);
    if (cost < least) [best, least] = [pair, cost];
  };
  for (const critical of candidates) {
    if (side * critical.limit < edge) continue;
    for (const warning of candidates) {
      if (side * (critical.limit - warning.limit) >= apart) offer([critical, warning]);
    }
  }
  // Where only one limit can be passed, it is the one that matters.
  if (best.length === 0) for (const critical of candidates) offer([critical]);
  const names = NAMES[side];
  return best.map(({ limit, sustained }, index) => {
    return { band: index === 0 ? names.critical : names.warning, limit, delay: 0, sustained };
  });
}

interface Candidate {
  limit: number;
  sustained: number;
  /** Minutes until a failure is caught, for each speed of LOSS_MINUTES. */
  caughtAfter: number[];
}

const APART_SHARE = 0.3;
const MOST_CANDIDATES = 300;
const COARSER_SHARE = 1 / 10;
const MARGIN = 0.08;
const LONGER = 1.5;
const LONGEST_SUSTAINED_MINUTES = 240;

/** Every round limit beyond the steady band with the time it needs so that nothing normal makes it fire. */
function findCandidates(normal: Normal, side: Side): Candidate[] {
  const { history, band, intervalMs, step } = normal;
  const middle = side * band.median;
  const most = Math.max(LONGEST_SUSTAINED_MINUTES, (6 * intervalMs) / MINUTE_MS);
  const curve = traceLongestRuns(normal, side);
  const candidates: Candidate[] = [];
  let limit = roundUp(side * (side === 1 ? band.high : band.low) + step / 4, step);
  for (let count = 0; count < MOST_CANDIDATES; count += 1) {
    const distance = limit - middle;
    // As if all readings had come closer to the limit: tomorrow is never quite like yesterday.
    const run = findLongestRun(history, side, side * (limit - MARGIN * distance), intervalMs);
    const needed = run > 0 ? roundUpMinutes((LONGER * run + intervalMs) / MINUTE_MS) : 0;
    // A band of limit 0 with no times would count as blank.
    const sustained = needed === 0 && limit === 0 ? 1 : needed;
    if (sustained <= most) {
      const caughtAfter = predictCatch(curve, { distance, sustained }, band);
      candidates.push({ limit: side * limit + 0, sustained, caughtAfter });
    }
    // Past the edge, and the first limit that nothing reaches, farther ones are only later.
    if (run === 0 && distance - step >= APART_SHARE * band.width && limit >= side * edgeOf(band, side)) break;
    const coarser = Math.max(step, roundStep(distance * COARSER_SHARE));
    limit = roundUp(limit + coarser / 2, coarser);
  }
  return candidates;
}

interface RunsBeyond {
  /** From the middle of the steady band. */
  distance: number;
  longestMinutes: number;
}

const CURVE_POINTS = 48;

/** The farther out, the shorter normal operation stays there. */
function traceLongestRuns({ history, band, intervalMs }: Normal, side: Side): RunsBeyond[] {
  const farthest = history.value.reduce((most, each) => Math.max(most, side * (each - band.median)), 0);
  const nearest = Math.max(side * ((side === 1 ? band.high : band.low) - band.median), band.width / 20);
  if (farthest <= nearest) return [{ distance: farthest, longestMinutes: 0 }];
  const growth = (farthest / nearest) ** (1 / CURVE_POINTS);
  return Array.from({ length: CURVE_POINTS + 1 }, (_, point) => {
    const distance = point === CURVE_POINTS ? farthest : nearest * growth ** point;
    const run = findLongestRun(history, side, band.median + side * distance, intervalMs);
    return { distance, longestMinutes: run / MINUTE_MS };
  });
}

// From a unit that loses its whole band in a minute to one that takes a week.
const LOSS_MINUTES = [1, 2, 5, 20, 60, 360, 1440, 10_080];
const DAY_MINUTES = 1440;

/**
 * A fast failure passes the limit by itself. A slow one lifts what is normal, until a door or a defrost on top of it is
 * too much; that shows within a day.
 */
function predictCatch(
  curve: RunsBeyond[],
  { distance, sustained }: { distance: number; sustained: number },
  { width }: SteadyBand,
): number[] {
  const reached = curve.findLast(({ longestMinutes }) => longestMinutes >= sustained)?.distance ?? 0;
  const missing = Math.max(0, distance - reached);
  return LOSS_MINUTES.map((minutes) =>
    Math.min((distance / width) * minutes + sustained, (missing / width) * minutes + DAY_MINUTES),
  );
}

const CRITICAL_WEIGHT = 0.5;

/**
 * How long failures of every speed go unnoticed, on a scale on which halving the time counts the same for each. It
 * matters most when the first of the limits catches one, and also when the critical one does.
 */
function slownessOf(pair: readonly Candidate[], intervalMs: number): number {
  const [critical] = pair;
  return LOSS_MINUTES.reduce((sum, _, speed) => {
    const first = pair.reduce(
      (least, { caughtAfter }) => Math.min(least, caughtAfter[speed] as number),
      Number.POSITIVE_INFINITY,
    );
    const last = critical?.caughtAfter[speed] as number;
    const interval = intervalMs / MINUTE_MS;
    return sum + Math.log(first + interval) + CRITICAL_WEIGHT * Math.log(last + interval);
  }, 0);
}

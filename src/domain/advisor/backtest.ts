// How often limits would have fired on the stored history. Judged by the very functions that judge live data.

import { isBreached, type JudgedLimits, type JudgedService, judge } from '../judging/judge.ts';
import type { Measurement } from '../judging/measurement.ts';
import { MINUTE_MS, type Span } from '../readings/span.ts';
import type { BacktestFigures } from './recommendation.ts';

// Moments are judged in pieces, so that a year of them need not stand in memory at once.
const PIECE = 10_000;

/**
 * `measurements`: of all channels concerned, in order of time. Those before the window only prepare it (the last setpoint,
 * a breach that runs). An alarm that holds when the window opens or closes counts for its part inside.
 */
export function backtest(
  measurements: Iterable<Measurement>,
  limits: ReadonlyMap<string, JudgedLimits>,
  window: Span,
): BacktestFigures {
  const episodes = findEpisodes(measurements, limits, window.to)
    .map(({ from, to }) => ({ from: Math.max(from, window.from), to }))
    .filter(({ from, to }) => to > from || (to === from && to > window.from));
  const minutes = episodes.map(({ from, to }) => (to - from) / MINUTE_MS);
  return {
    alarms: episodes.length,
    alarm_minutes: minutes.reduce((sum, each) => sum + each, 0),
    longest_minutes: minutes.reduce((longest, each) => Math.max(longest, each), 0),
  };
}

/** From the moment the service leaves normal until it is normal again, or until the end. */
export function findEpisodes(
  measurements: Iterable<Measurement>,
  limits: ReadonlyMap<string, JudgedLimits>,
  until: number,
): Span[] {
  const episodes: Span[] = [];
  let service: JudgedService = {
    limits,
    channels: new Map(),
    verdict: { severity: 'normal', since: null, channel: null },
  };
  let begunAt: number | null = null;
  const take = (piece: readonly Measurement[], end: number) => {
    const { channels, verdict, changes } = judge(service, piece, end);
    for (const { at, from, to } of changes) {
      if (from === 'normal') begunAt = at;
      if (to !== 'normal' || begunAt === null) continue;
      episodes.push({ from: begunAt, to: at });
      begunAt = null;
    }
    service = { limits, channels, verdict };
  };

  let piece: Measurement[] = [];
  for (const measurement of leaveOutCalm(measurements, limits)) {
    if (measurement.at > until) break;
    piece.push(measurement);
    if (piece.length < PIECE) continue;
    take(piece, measurement.at);
    piece = [];
  }
  take(piece, until);
  if (begunAt !== null) episodes.push({ from: begunAt, to: until });
  return episodes;
}

/**
 * A value within the limits, after another one within them, changes nothing: nearly all are like that, and are not worth
 * judging. Percentages are all judged, for they change with their setpoint.
 */
function* leaveOutCalm(
  measurements: Iterable<Measurement>,
  limits: ReadonlyMap<string, JudgedLimits>,
): Generator<Measurement> {
  if ([...limits.values()].some(({ isPercentage }) => isPercentage)) return yield* measurements;
  const beyond = new Set<string>();
  for (const measurement of measurements) {
    let isCalm = true;
    for (const [channel, value] of measurement.values) {
      const isBeyond = limits.get(channel)?.bands.some((band) => isBreached(band, value)) ?? false;
      if (isBeyond || beyond.has(channel)) isCalm = false;
      if (isBeyond) beyond.add(channel);
      else beyond.delete(channel);
    }
    if (!isCalm) yield measurement;
  }
}

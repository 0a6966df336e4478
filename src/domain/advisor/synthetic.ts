// Labs with a known truth, for the advisor's tests: what is normal, when it fails and how.
import type { BandName } from '../judging/band.ts';
import type { JudgedLimits } from '../judging/judge.ts';
import { MINUTE_MS } from '../readings/span.ts';
import { chanceAt, seedFor } from '../simulation/chance.ts';
import { compressorCycle, DAY_MS, defrost, doorEffect } from '../simulation/rhythms.ts';
import { readUnit, type SimulatedUnit } from '../simulation/unit.ts';
import { findEpisodes } from './backtest.ts';
import { type ChannelHistory, mergeMeasurements, type Span } from './history.ts';
import type { ProposedBand } from './recommendation.ts';

export type Truth = (at: number) => number;

/** A Monday. */
export const START = Date.UTC(2026, 9, 5);
export const days = (count: number) => count * DAY_MS;
export const minutes = (count: number) => count * MINUTE_MS;

const round = (value: number) => Number(value.toFixed(2));

/** What a sensor that reports every few minutes makes of the truth; null is a missing reading. */
export function record(
  truth: (at: number) => number | null,
  { from, to }: Span,
  everyMinutes = 1,
): ChannelHistory {
  const at: number[] = [];
  const value: number[] = [];
  for (let time = from; time < to; time += minutes(everyMinutes)) {
    const measured = truth(time);
    if (measured === null) continue;
    at.push(time);
    value.push(round(measured));
  }
  return { at: Float64Array.from(at), value: Float64Array.from(value) };
}

export const unitTruth =
  (unit: Partial<SimulatedUnit> & Pick<SimulatedUnit, 'kind'>, channel = 'temperature'): Truth =>
  (at) =>
    Number(readUnit({ seed: 7, failure: null, offlineFrom: null, ...unit }, at)?.[channel]);

export const uniformNoise = (seed: number, at: number, size: number) =>
  (chanceAt(seedFor(seed, 77), at) * 2 - 1) * size;

/** Bell-shaped. */
export function gaussianNoise(seed: number, at: number, size: number): number {
  const radius = Math.sqrt(-2 * Math.log(1 - chanceAt(seedFor(seed, 78), at)));
  return size * radius * Math.cos(2 * Math.PI * chanceAt(seedFor(seed, 79), at));
}

export interface Cooling {
  seed: number;
  degrees: number;
  swing: number;
  door?: number;
  defrosting?: number;
  noise?: number;
}

export const cooled =
  ({ seed, degrees, swing, door = 0, defrosting = 0, noise = 0.1 }: Cooling): Truth =>
  (at) =>
    degrees +
    swing * compressorCycle(seed, at) +
    door * doorEffect(seed, at) +
    defrosting * defrost(seed, at) +
    uniformNoise(seed, at, noise);

/** The compressor stops: what it cooled warms towards the room, slower and slower. Doors are still opened. */
export const stopped =
  (cooling: Cooling, failsAt: number, { room = 22, timeConstantMinutes = 500 } = {}): Truth =>
  (at) => {
    if (at < failsAt) return cooled(cooling)(at);
    const { seed, door = 0, noise = 0.1 } = cooling;
    const start = cooled({ ...cooling, door: 0, noise: 0 })(failsAt);
    const share = 1 - Math.exp(-(at - failsAt) / minutes(timeConstantMinutes));
    return start + (room - start) * share + door * doorEffect(seed, at) + uniformNoise(seed, at, noise);
  };

/** Creeps away from normal, so many degrees a day. */
export const creeping =
  (normal: Truth, beginsAt: number, perDay: number): Truth =>
  (at) =>
    normal(at) + (Math.max(0, at - beginsAt) / DAY_MS) * perDay;

const judgedLimits = (bands: readonly ProposedBand[]): ReadonlyMap<string, JudgedLimits> =>
  new Map([
    [
      'x',
      {
        versionId: 1,
        isPercentage: false,
        setpointChannel: null,
        stateChannel: null,
        bands: bands.map(({ band, limit, sustained }) => ({ band, limit, sustainedMs: minutes(sustained) })),
      },
    ],
  ]);

export const episodesOf = (history: ChannelHistory, bands: readonly ProposedBand[]): Span[] =>
  findEpisodes(mergeMeasurements(new Map([['x', history]])), judgedLimits(bands), history.at.at(-1) ?? 0);

/** The tightest limits without a sustained time that raise no alarm on what is known to be normal. */
export function bestFixedLimits(normal: ChannelHistory): ProposedBand[] {
  const fixed = (band: BandName, limit: number) => ({ band, limit, delay: 0, sustained: 0 });
  const { value } = normal;
  return [
    fixed(
      'CRITICAL_HIGH',
      value.reduce((most, each) => Math.max(most, each)),
    ),
    fixed(
      'CRITICAL_LOW',
      value.reduce((least, each) => Math.min(least, each)),
    ),
  ];
}

/** Minutes from the failure to the first alarm; null when it is never caught. */
export function minutesUntilCaught(
  failing: ChannelHistory,
  bands: readonly ProposedBand[],
  failsAt: number,
): number | null {
  const caught = episodesOf(failing, bands).find(({ to }) => to >= failsAt);
  return caught ? Math.max(0, caught.from - failsAt) / MINUTE_MS : null;
}

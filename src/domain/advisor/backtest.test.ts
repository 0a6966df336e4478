import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { BandName } from '../judging/band.ts';
import { type JudgedLimits, judge } from '../judging/judge.ts';
import type { Measurement } from '../judging/measurement.ts';
import { MINUTE_MS } from '../readings/span.ts';
import { backtest, findEpisodes } from './backtest.ts';

const limits = (
  bands: Partial<Record<BandName, [limit: number, sustainedMinutes?: number]>>,
  rest: Partial<JudgedLimits> = {},
): JudgedLimits => ({
  versionId: 1,
  isPercentage: false,
  setpointChannel: null,
  stateChannel: null,
  bands: Object.entries(bands).map(([band, [limit, sustained = 0]]) => ({
    band: band as BandName,
    limit,
    sustainedMs: sustained * MINUTE_MS,
  })),
  ...rest,
});

/** Values by minute: `{ 0: { t: -80 } }`. */
const story = (measurements: Record<number, Record<string, number>>): Measurement[] =>
  Object.entries(measurements).map(([minute, values]) => ({
    at: Number(minute) * MINUTE_MS,
    values: Object.entries(values),
  }));
const window = (from: number, to: number) => ({ from: from * MINUTE_MS, to: to * MINUTE_MS });
const figures = (alarms: number, minutes: number, longest: number) => ({
  alarms,
  alarm_minutes: minutes,
  longest_minutes: longest,
});

const HIGH = new Map([['t', limits({ CRITICAL_HIGH: [10], WARNING_HIGH: [5] })]]);

describe('a backtest counts', () => {
  test('nothing where nothing was stored', () =>
    expect(backtest([], HIGH, window(0, 100))).toEqual(figures(0, 0, 0)));

  test('an episode from leaving normal to being normal again, whatever happens between', () => {
    const measurements = story({
      0: { t: 0 },
      10: { t: 6 },
      15: { t: 12 },
      20: { t: 6 },
      30: { t: 1 },
      40: { t: 7 },
      42: { t: 0 },
    });
    expect(backtest(measurements, HIGH, window(0, 100))).toEqual(figures(2, 22, 20));
  });

  test('from the moment a breach has lasted long enough', () => {
    const sustained = new Map([['t', limits({ CRITICAL_HIGH: [5, 10] })]]);
    const measurements = story({ 0: { t: 6 }, 9: { t: 0 }, 20: { t: 6 }, 29: { t: 6 }, 45: { t: 0 } });
    expect(backtest(measurements, sustained, window(0, 100))).toEqual(figures(1, 15, 15));
  });

  test('two channels in alarm at once as one episode', () => {
    const both = new Map([
      ['t', limits({ CRITICAL_HIGH: [5] })],
      ['u', limits({ WARNING_LOW: [0] })],
    ]);
    const measurements = story({ 0: { t: 6, u: 1 }, 5: { u: -1 }, 10: { t: 0 }, 20: { u: 1 } });
    expect(backtest(measurements, both, window(0, 100))).toEqual(figures(1, 20, 20));
  });

  test('an alarm that still holds up to the end', () =>
    expect(backtest(story({ 10: { t: 6 } }), HIGH, window(0, 60))).toEqual(figures(1, 50, 50)));

  test('only what lies in the window, prepared by what came before it', () => {
    const measurements = story({ 0: { t: 6 }, 5: { t: 0 }, 10: { t: 6 }, 30: { t: 0 }, 90: { t: 6 } });
    expect(backtest(measurements, HIGH, window(20, 80))).toEqual(figures(1, 10, 10));
  });

  test('deviations from the setpoint, and nothing while the unit is off', () => {
    const percentage = new Map([
      [
        't',
        limits({ WARNING_LOW: [-20] }, { isPercentage: true, setpointChannel: 'sp', stateChannel: 'on' }),
      ],
    ]);
    const measurements = story({ 0: { t: 7, sp: 10, on: 1 }, 10: { on: 0 }, 20: { on: 1 }, 25: { sp: 8 } });
    expect(backtest(measurements, percentage, window(0, 100))).toEqual(figures(2, 15, 10));
  });
});

/** Leaving and reaching normal, as the judge tells it of all measurements at once. */
function judgeAll(measurements: Measurement[], by: ReadonlyMap<string, JudgedLimits>, until: number) {
  const verdict = { severity: 'normal' as const, since: null, channel: null };
  const { changes } = judge({ limits: by, channels: new Map(), verdict }, measurements, until);
  const begun = changes.filter(({ from }) => from === 'normal').map(({ at }) => at);
  const ended = changes.filter(({ to }) => to === 'normal').map(({ at }) => at);
  return begun.map((from, index) => ({ from, to: ended[index] ?? until }));
}

test('judged in pieces it comes to the same as in one go', () => {
  const step = fc.record({ minutes: fc.integer({ min: 1, max: 5 }), t: fc.integer({ min: -3, max: 12 }) });
  const by = new Map([['t', limits({ CRITICAL_HIGH: [8, 3], WARNING_HIGH: [5, 7], WARNING_LOW: [0] })]]);
  fc.assert(
    fc.property(fc.array(step, { minLength: 50, maxLength: 120 }), (steps) => {
      const measurements: Measurement[] = [];
      let at = 0;
      // More than one piece: the same story again and again.
      while (measurements.length < 21_000) {
        for (const { minutes, t } of steps) {
          at += minutes * MINUTE_MS;
          measurements.push({ at, values: [['t', t]] });
        }
      }
      const until = at + 20 * MINUTE_MS;
      expect(findEpisodes(measurements, by, until)).toEqual(judgeAll(measurements, by, until));
    }),
    { numRuns: 4 },
  );
});

test('what is left out as calm changes nothing, whatever the channels, bands and times', () => {
  const value = fc.integer({ min: -2, max: 8 });
  const step = fc.record({
    minutes: fc.integer({ min: 1, max: 6 }),
    values: fc.dictionary(fc.constantFrom('t', 'u', 'sp'), value, { minKeys: 1 }),
  });
  const sustained = fc.integer({ min: 0, max: 9 });
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 60 }),
      fc.array(sustained, { minLength: 4, maxLength: 4 }),
      fc.boolean(),
      (steps, [one = 0, two = 0, three = 0, four = 0], isPercentage) => {
        const setpoint = isPercentage ? { isPercentage, setpointChannel: 'sp' } : {};
        const by = new Map([
          ['t', limits({ CRITICAL_HIGH: [5, one], WARNING_HIGH: [3, two], WARNING_LOW: [0, three] })],
          ['u', limits({ CRITICAL_LOW: [1, four] }, setpoint)],
        ]);
        let at = 0;
        const measurements = steps.map(({ minutes, values }) => {
          at += minutes * MINUTE_MS;
          return { at, values: Object.entries(values) };
        });
        const until = at + 5 * MINUTE_MS;
        expect(findEpisodes(measurements, by, until)).toEqual(judgeAll(measurements, by, until));
      },
    ),
    { numRuns: 500 },
  );
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { BandName } from '../band.ts';
import { type JudgedLimits, judge, type Moment } from '../judge.ts';
import { MINUTE_MS } from '../rollup.ts';
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
const story = (moments: Record<number, Record<string, number>>): Moment[] =>
  Object.entries(moments).map(([minute, values]) => ({
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
    const moments = story({
      0: { t: 0 },
      10: { t: 6 },
      15: { t: 12 },
      20: { t: 6 },
      30: { t: 1 },
      40: { t: 7 },
      42: { t: 0 },
    });
    expect(backtest(moments, HIGH, window(0, 100))).toEqual(figures(2, 22, 20));
  });

  test('from the moment a breach has lasted long enough', () => {
    const sustained = new Map([['t', limits({ CRITICAL_HIGH: [5, 10] })]]);
    const moments = story({ 0: { t: 6 }, 9: { t: 0 }, 20: { t: 6 }, 29: { t: 6 }, 45: { t: 0 } });
    expect(backtest(moments, sustained, window(0, 100))).toEqual(figures(1, 15, 15));
  });

  test('two channels in alarm at once as one episode', () => {
    const both = new Map([
      ['t', limits({ CRITICAL_HIGH: [5] })],
      ['u', limits({ WARNING_LOW: [0] })],
    ]);
    const moments = story({ 0: { t: 6, u: 1 }, 5: { u: -1 }, 10: { t: 0 }, 20: { u: 1 } });
    expect(backtest(moments, both, window(0, 100))).toEqual(figures(1, 20, 20));
  });

  test('an alarm that still holds up to the end', () =>
    expect(backtest(story({ 10: { t: 6 } }), HIGH, window(0, 60))).toEqual(figures(1, 50, 50)));

  test('only what lies in the window, prepared by what came before it', () => {
    const moments = story({ 0: { t: 6 }, 5: { t: 0 }, 10: { t: 6 }, 30: { t: 0 }, 90: { t: 6 } });
    expect(backtest(moments, HIGH, window(20, 80))).toEqual(figures(1, 10, 10));
  });

  test('deviations from the setpoint, and nothing while the unit is off', () => {
    const percentage = new Map([
      [
        't',
        limits({ WARNING_LOW: [-20] }, { isPercentage: true, setpointChannel: 'sp', stateChannel: 'on' }),
      ],
    ]);
    const moments = story({ 0: { t: 7, sp: 10, on: 1 }, 10: { on: 0 }, 20: { on: 1 }, 25: { sp: 8 } });
    expect(backtest(moments, percentage, window(0, 100))).toEqual(figures(2, 15, 10));
  });
});

test('judged in pieces it comes to the same as in one go', () => {
  const step = fc.record({ minutes: fc.integer({ min: 1, max: 5 }), t: fc.integer({ min: -3, max: 12 }) });
  const bands = limits({ CRITICAL_HIGH: [8, 3], WARNING_HIGH: [5, 7], WARNING_LOW: [0] });
  fc.assert(
    fc.property(fc.array(step, { minLength: 50, maxLength: 120 }), (steps) => {
      const moments: Moment[] = [];
      let at = 0;
      // More than one piece: the same story again and again.
      while (moments.length < 21_000) {
        for (const { minutes, t } of steps) {
          at += minutes * MINUTE_MS;
          moments.push({ at, values: [['t', t]] });
        }
      }
      const until = at + 20 * MINUTE_MS;
      const { changes } = judge(
        {
          limits: new Map([['t', bands]]),
          channels: new Map(),
          verdict: { severity: 'normal', since: null, channel: null },
        },
        moments,
        until,
      );
      const episodes = findEpisodes(moments, new Map([['t', bands]]), until);
      expect(episodes.map(({ from }) => from)).toEqual(
        changes.filter(({ from }) => from === 'normal').map(({ at: from }) => from),
      );
      const ends = changes.filter(({ to }) => to === 'normal').map(({ at: to }) => to);
      expect(episodes.slice(0, ends.length).map(({ to }) => to)).toEqual(ends);
    }),
    { numRuns: 4 },
  );
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ChannelState, JudgedLimits } from './judge.ts';
import { faultBands, findSilent, hearProbe, isCelsius, mayBeFaultValue, type Probe } from './probe-fault.ts';

const UNHEARD: Probe = { at: null, value: null, isFaulty: false, faultAt: null };

/** What is said by minute, and what the fault becomes: `[[0, -80], [1, null]]`. */
const tell = (said: [minute: number, value: number | null][], unit = '°C'): (0 | 1 | null)[] => {
  let probe = UNHEARD;
  return said.map(([at, value]) => {
    const heard = hearProbe(probe, { at, value, isCelsius: isCelsius(unit) });
    probe = heard.probe;
    return heard.becomes;
  });
};

describe('what is said of a probe, one after the other', () => {
  test.each<[string, [number, number | null][], (0 | 1 | null)[]]>([
    [
      'good values say nothing',
      [
        [0, -80],
        [1, -79.5],
      ],
      [null, null],
    ],
    ['the first fault counts, though nothing was measured before', [[0, null]], [1]],
    [
      'a fault is said once',
      [
        [0, -80],
        [1, null],
        [2, null],
        [3, null],
      ],
      [null, 1, null, null],
    ],
    [
      'the next good value ends it, once',
      [
        [0, null],
        [1, -80],
        [2, -80],
      ],
      [1, 0, null],
    ],
    [
      'it comes and goes',
      [
        [0, null],
        [1, -80],
        [2, null],
        [3, -80],
      ],
      [1, 0, 1, 0],
    ],
    [
      'the same fault twice is one',
      [
        [1, null],
        [1, null],
      ],
      [1, null],
    ],
    [
      'a fault older than what was measured says nothing',
      [
        [5, -80],
        [4, null],
      ],
      [null, null],
    ],
    [
      'one of the same time neither',
      [
        [5, -80],
        [5, null],
      ],
      [null, null],
    ],
    [
      'a good value older than the fault does not end it',
      [
        [5, null],
        [4, -80],
        [6, -80],
      ],
      [1, null, 0],
    ],
    [
      'a fault older than its end does not begin it again',
      [
        [1, null],
        [3, -80],
        [2, null],
      ],
      [1, 0, null],
    ],
    [
      '-127 far from the last good value is a fault',
      [
        [0, -80],
        [1, -127],
        [2, -127],
        [3, -80],
      ],
      [null, 1, null, 0],
    ],
    [
      '85 too',
      [
        [0, 4],
        [1, 85],
        [2, 4],
      ],
      [null, 1, 0],
    ],
    [
      '85 after 80 is a temperature',
      [
        [0, 80],
        [1, 85],
        [2, 85],
      ],
      [null, null, null],
    ],
    [
      '85 after exactly 75 too',
      [
        [0, 75],
        [1, 85],
      ],
      [null, null],
    ],
    [
      '-127 in liquid nitrogen too',
      [
        [0, -130],
        [1, -127],
      ],
      [null, null],
    ],
    [
      'without a value before, neither is a fault',
      [
        [0, 85],
        [1, 4],
      ],
      [null, null],
    ],
    [
      'what a fault interrupted goes on from where it was',
      [
        [0, 84],
        [1, null],
        [2, 85],
      ],
      [null, 1, 0],
    ],
    [
      '-127 after 85 is as broken as before',
      [
        [0, 4],
        [1, 85],
        [2, -127],
        [3, 4],
      ],
      [null, 1, null, 0],
    ],
    [
      '-999 is one whatever was before',
      [
        [0, -999],
        [1, -9999],
      ],
      [1, null],
    ],
    [
      'so is what a short integer ends with',
      [
        [0, 327.67],
        [1, -20],
        [2, -3276.8],
      ],
      [1, 0, 1],
    ],
    [
      'nothing is colder than that',
      [
        [0, -273.15],
        [1, -273.16],
      ],
      [null, 1],
    ],
  ])('%s', (_, said, becomes) => expect(tell(said)).toEqual(becomes));

  test('only temperatures have values that stand for a fault', () => {
    for (const unit of ['%', 'hPa', '°F', 'ppm'])
      expect(
        tell(
          [
            [0, 4],
            [1, 85],
            [2, -999],
            [3, -300],
          ],
          unit,
        ),
      ).toEqual([null, null, null, null]);
  });

  test('however it goes, it changes in turns, and never to what an older word says', () => {
    const word = fc.tuple(fc.nat(20), fc.constantFrom(null, -80, -127, 85, -999, 4));
    fc.assert(
      fc.property(fc.array(word, { maxLength: 30 }), (said) => {
        const turns = tell(said).filter((becomes) => becomes !== null);
        expect(turns).toEqual(turns.map((_, index) => (index % 2 === 0 ? 1 : 0)));
        let probe = UNHEARD;
        for (const [at, value] of said) {
          const heard = hearProbe(probe, { at, value, isCelsius: true });
          if (heard.becomes !== null) expect(at).toBeGreaterThan(probe.faultAt ?? -1);
          expect(hearProbe(heard.probe, { at, value, isCelsius: true }).becomes).toBeNull();
          probe = heard.probe;
        }
      }),
    );
  });

  test('whatever is a fault may be one', () => {
    for (const value of [-127, 85, -999, 327.68, -300]) expect(mayBeFaultValue(value)).toBe(true);
    for (const value of [-80, 4, 0, 84.9, -273.15, 120]) expect(mayBeFaultValue(value)).toBe(false);
  });
});

test.each(['°C', '° C', 'C', '℃', 'Cel', 'degC'])('%s is a temperature', (unit) =>
  expect(isCelsius(unit)).toBe(true),
);
test.each(['°F', 'K', '%', 'CO2', null])('%s is none in °C', (unit) => expect(isCelsius(unit)).toBe(false));

describe('channels that fall silent in a service that goes stale after 10 minutes', () => {
  const limits: JudgedLimits = {
    versionId: 1,
    isPercentage: false,
    setpointChannel: null,
    stateChannel: null,
    bands: [{ band: 'CRITICAL_HIGH', limit: -60, sustainedMs: 0 }],
  };
  const state = (at: number, value = 0): ChannelState => ({
    at,
    value,
    breaches: {},
    severity: 'normal',
    since: null,
    band: null,
  });
  const listen = (
    channels: Record<string, [at: number, value?: number]>,
    judged: Record<string, Partial<JudgedLimits>>,
  ) => ({
    limits: new Map(Object.entries(judged).map(([name, rest]) => [name, { ...limits, ...rest }])),
    channels: new Map(Object.entries(channels).map(([name, [at, value]]) => [name, state(at, value)])),
    isMetric: (name: string) => name !== 'door',
    spanMs: 10 as number | null,
    spanOf: (name: string) => (name === 'slow' ? 30 : 10),
  });
  const T = { t: {} };

  test.each<[string, Record<string, [number, number?]>, number, string[], number | null]>([
    ['both talk', { t: [20], battery: [20] }, 25, [], 30],
    ['not yet', { t: [20], battery: [29] }, 29, [], 30],
    ['not before the device was heard after the span', { t: [20], battery: [29] }, 35, [], null],
    ['after the span', { t: [20], battery: [30] }, 30, ['t'], null],
    ['long after', { t: [20], battery: [95] }, 100, ['t'], null],
    ['a device that stopped is stale', { t: [20], battery: [20] }, 30, [], null],
    ['one that stopped a moment after it too', { t: [20], battery: [21] }, 30, [], null],
    ['one that comes back without it is heard', { t: [20], battery: [99] }, 100, ['t'], null],
    [
      'what is known to be faulty is not said again',
      { t: [20], t_fault: [21, 1], battery: [30] },
      30,
      [],
      null,
    ],
    ['what was, and measured again, is', { t: [20], t_fault: [19, 0], battery: [30] }, 30, ['t'], null],
    ['what was never heard is not silent', { battery: [29] }, 30, [], null],
  ])('%s', (_, channels, now, silent, nextAt) => {
    expect(findSilent(listen(channels, T), now)).toMatchObject({ silent, nextAt });
  });

  test('only metrics with limits, and those that are not switched off', () => {
    const told = { t: [20], door: [20], free: [20], p: [20], run: [30, 0] } as Record<
      string,
      [number, number?]
    >;
    const percentage = { isPercentage: true, stateChannel: 'run' };
    expect(findSilent(listen(told, { t: { bands: [] }, door: {}, p: percentage }), 30).silent).toEqual([]);
    expect(findSilent(listen({ ...told, run: [30, 1] }, { p: percentage }), 30).silent).toEqual(['p']);
  });

  test('a channel of a device that reports seldom may be silent for longer', () => {
    const channels: Record<string, [number]> = { slow: [20], battery: [45] };
    expect(findSilent(listen(channels, { slow: {} }), 45)).toMatchObject({ silent: [], nextAt: 50 });
    expect(findSilent(listen({ ...channels, battery: [50] }, { slow: {} }), 50).silent).toEqual(['slow']);
  });

  test('a service that never goes stale has none', () => {
    const never = { ...listen({ t: [20], battery: [30] }, T), spanMs: null };
    expect(findSilent(never, 90).silent).toEqual([]);
  });
});

test('a fault warns after 5 minutes, and is critical after two intervals', () => {
  expect(faultBands(20).map(({ band, sustainedMinutes }) => [band, sustainedMinutes])).toEqual([
    ['WARNING_HIGH', 5],
    ['CRITICAL_HIGH', 20],
  ]);
});

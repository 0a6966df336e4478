import { describe, expect, test } from 'vitest';
import { beginLately, findTrend, findWorst, goOn, goOnUncounted, type Lately } from './lately.ts';

const MINUTE = 60_000;
/** A value each minute, after one within the limits. */
const say = (values: readonly number[], everyMs = MINUTE): Lately => {
  const [before = 0, first = 0, ...rest] = values;
  return rest.reduce<Lately>(
    (lately, value, index) => goOn(lately, [(index + 2) * everyMs, value]),
    beginLately([0, before], [everyMs, first]),
  );
};

describe('how it is going', () => {
  test.each<[what: string, values: number[], trend: string | null]>([
    ['from within its limits to beyond them', [-80, -50], 'rising'],
    ['up, minute by minute', [-80, -60, -58, -57.5, -56], 'rising'],
    ['up, with one step back', [-80, -60, -58, -58.5, -56, -55], 'rising'],
    ['down again', [-80, -50, -52, -54, -56, -58, -60, -62, -63], 'falling'],
    ['to and fro', [-80, -50, -51, -50, -51, -50, -51, -50, -51, -50], 'steady'],
    ['the same all the time', [-50, -50, -50, -50], 'steady'],
    [
      'up by next to nothing of all it went through',
      [-80, -60, ...Array.from({ length: 6 }, (_, i) => -50 + i / 100)],
      'steady',
    ],
  ])('%s', (_, values, trend) => expect(findTrend(say(values))).toBe(trend));

  test('of one reading nobody can tell', () => expect(findTrend(beginLately(null, [0, -50]))).toBeNull());

  test('a reading each second is told by minutes, and always with the newest', () => {
    const lately = say([-80, ...Array.from({ length: 1_000 }, (_, second) => -60 + second / 100)], 1_000);
    expect(lately.readings).toHaveLength(5);
    expect(lately.readings.at(-1)?.[1]).toBeCloseTo(-50.01);
    expect(findTrend(lately)).toBe('rising');
    const ats = lately.readings.map(([at]) => at);
    for (const [index, at] of ats.slice(1, -1).entries())
      expect(at - (ats[index] ?? 0)).toBeGreaterThanOrEqual(MINUTE);
  });

  test('what was taken earlier changes nothing', () => {
    const lately = say([-80, -50, -49]);
    expect(goOn(lately, [MINUTE, -10])).toEqual(lately);
  });
});

test('the worst is beyond the limit, whichever side that is', () => {
  const lately = say([-80, -50, -45, -55]);
  expect(findWorst(lately, 'CRITICAL_HIGH')).toBe(-45);
  expect(findWorst(lately, 'WARNING_LOW')).toBe(-55);
});

test('of what nobody counted from its beginning the worst is not known', () => {
  const lately = goOn(goOnUncounted([0, -50], [MINUTE, -49]), [2 * MINUTE, -48]);
  expect(findWorst(lately, 'CRITICAL_HIGH')).toBeNull();
  expect(findTrend(lately)).toBe('rising');
});

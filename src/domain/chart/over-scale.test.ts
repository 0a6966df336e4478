import { expect, test } from 'vitest';
import { type OverCurve, scaleOver, valueAt } from './over-scale.ts';

const curve = (more: Partial<OverCurve>): OverCurve => ({
  label: 'Door',
  unit: null,
  words: { off: 'closed', on: 'open' },
  at: [1_000, 2_000, 5_000],
  value: [0, 1, 0],
  ...more,
});

test('a door lies in the lowest eighth, what is measured has all of the height', () => {
  expect(scaleOver(curve({}))).toEqual({ low: 0, high: 8 });
  expect(scaleOver(curve({ words: null, value: [31, 48] }))).toMatchObject({ low: 30, high: 50 });
  expect(scaleOver(curve({ value: [0, 7] })).high).toBeGreaterThanOrEqual(7);
});

test('at an instant the last value before it counts', () => {
  expect([999, 1_000, 1_999, 2_000, 9_000].map((at) => valueAt(curve({}), at))).toEqual([null, 0, 0, 1, 0]);
  expect(valueAt(curve({ at: [], value: [] }), 5)).toBeNull();
});

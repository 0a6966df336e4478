import fc from 'fast-check';
import { expect, test } from 'vitest';
import { gradeOf, percentOf, shareInRange } from './share-in-range.ts';

test.each([
  [{ total: 0, inAlarm: 0 }, null],
  [{ total: 86_400, inAlarm: 0 }, 1],
  [{ total: 86_400, inAlarm: 21_600 }, 0.75],
  // Two alarms of a unit never hold at once, but a unit may have been made known after its first alarm.
  [{ total: 3600, inAlarm: 7200 }, 0],
])('%j is %s', (time, expected) => expect(shareInRange(time)).toBe(expected));

test.each([
  [1, 'whole', 100],
  [0.999_999, 'nearly', 99.9],
  [0.99, 'nearly', 99],
  [0.989_9, 'partly', 98.9],
  [0.9, 'partly', 90],
  [0.25, 'little', 25],
  [0, 'little', 0],
] as const)('%s is %s, and said as %s', (share, grade, percent) => {
  expect(gradeOf(share)).toBe(grade);
  expect(percentOf(share)).toBe(percent);
});

test('100 is said of the whole alone', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 0.999_999, noNaN: true }), (share) => percentOf(share) < 100),
  );
});

import { expect, test } from 'vitest';
import { proposeInterval } from './propose-interval.ts';

const MINUTE = 60_000;
const timesOf = (gaps: number[]): number[] => {
  let at = 1_794_711_540_000;
  return [at, ...gaps.map((gap) => (at += gap * MINUTE))];
};
const every = (minutes: number, count = 20) => Array.from({ length: count }, () => minutes);

test.each<[name: string, gaps: number[], isRadio: boolean, proposed: number | null]>([
  ['seven gaps are too few', every(10, 7), false, null],
  ['eight gaps are enough', every(10, 8), false, 10],
  ['by radio, twice the interval are three misses', every(10), true, 15],
  ['a clock that wanders a little', [9.6, 10.2, 10.1, 9.8, 10.3, 9.9, 10, 10.1, 9.7], false, 10],
  ['one in five may be lost', [10, 10, 10, 10, 20, 10, 10, 10, 10, 20], false, 10],
  ['every second is a minute', every(1 / 60), false, 1],
  ['only the last twenty count', [...every(60, 30), ...every(5)], false, 5],
  [
    'who speaks when something changes: nearly the longest, and a little more',
    [1, 40, 3, 70, 2, 9, 25, 5, 50],
    false,
    90,
  ],
  ['an hour stays an hour', every(61), false, 60],
])('%s', (_, gaps, isRadio, proposed) => {
  expect(proposeInterval(timesOf(gaps), isRadio)).toBe(proposed);
});

test('readings of several channels at one time are one time, in whatever order they come', () => {
  const times = timesOf(every(5));
  expect(proposeInterval([...times, ...times.toReversed()], false)).toBe(5);
});

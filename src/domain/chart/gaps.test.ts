import { expect, test } from 'vitest';
import { findGap, splitAtGaps } from './gaps.ts';

const MINUTE = 60_000;

test.each<[what: string, minutes: number[], runs: number[][]]>([
  ['nothing', [], []],
  ['one point', [3], [[3]]],
  ['a steady rhythm', [0, 1, 2], [[0, 1, 2]]],
  ['a pause as long as is allowed', [0, 5], [[0, 5]]],
  ['a longer one', [0, 1, 6.1, 7], [[0, 1], [6.1, 7]]], // biome-ignore format: one line a case
])('%s', (_, minutes, runs) =>
  expect(splitAtGaps(minutes, (minute) => minute * MINUTE, 5 * MINUTE)).toEqual(runs),
);

test('a gap is five times what is usual, or what a point stands for', () => {
  const at = [0, 1, 2, 3, 60].map((minute) => minute * MINUTE);
  expect(findGap(at, null)).toBe(5 * MINUTE);
  expect(findGap(at, 60 * MINUTE)).toBe(300 * MINUTE);
  expect(findGap([], null)).toBe(0);
});

import { expect, test } from 'vitest';
import { roundUp } from './round-up.ts';

test.each([
  [0, 1],
  [1, 1],
  [3, 3],
  [5, 6],
  [9, 10],
  [11, 20],
  [61, 80],
  [81, 100],
  [4321, 6000],
])('%d ends at %d', (count, expected) => expect(roundUp(count)).toBe(expected));

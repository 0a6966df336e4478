import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shareOf } from './share-of.ts';

test('a share, whatever the numbers', () => {
  const finite = fc.double({ noNaN: true, noDefaultInfinity: true });
  fc.assert(
    fc.property(finite, finite, finite, (...numbers) => {
      const [low, value, high] = numbers.sort((one, other) => one - other) as [number, number, number];
      const share = shareOf(value, low, high);
      expect(share).toBeGreaterThanOrEqual(0);
      expect(share).toBeLessThanOrEqual(1);
    }),
  );
});

test.each([
  [0, -80, -80, -60],
  [0.25, -75, -80, -60],
  [1, -60, -80, -60],
  [0.5, 0, -Number.MAX_VALUE, Number.MAX_VALUE],
  [1, Number.MAX_VALUE, -Number.MAX_VALUE, Number.MAX_VALUE],
  [0.5, 7, 7, 7],
])('%d: %d between %d and %d', (share, value, low, high) => expect(shareOf(value, low, high)).toBe(share));

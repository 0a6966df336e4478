import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chooseScale } from './scale.ts';
import { shareOf } from './share-of.ts';

test.each([
  [
    [-71.2, -69.8],
    [-69.5, -70, -70.5, -71, -71.5],
  ],
  [
    [0, 1],
    [1.5, 1, 0.5, 0, -0.5],
  ],
])('%j', (values, ticks) => {
  const scale = chooseScale(values);
  expect(scale.ticks).toEqual(ticks);
  expect(scale.low).toBeLessThan(Math.min(...values));
  expect(scale.high).toBeGreaterThan(Math.max(...values));
});

test('without values there is still something to draw on', () => {
  expect(chooseScale([])).toEqual({ low: 0, high: 1, ticks: [1, 0] });
});

test('values too close together for ten digits still lie inside', () => {
  const { low, high } = chooseScale([-999999.749318182, -999999.7495000002]);
  expect(low).toBeLessThan(-999999.7495000002);
  expect(high).toBeGreaterThan(-999999.749318182);
});

test('every value is inside, and the ticks are few and evenly spaced', () => {
  const values = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(values, (given) => {
      const { low, high, ticks } = chooseScale(given);
      expect(low).toBeLessThanOrEqual(Math.min(...given));
      expect(high).toBeGreaterThanOrEqual(Math.max(...given));
      expect(ticks.length).toBeGreaterThanOrEqual(2);
      expect(ticks.length).toBeLessThanOrEqual(8);
      expect([ticks[0], ticks.at(-1)]).toEqual([high, low]);
    }),
  );
});

test('whatever the numbers, every value has its place', () => {
  const finite = fc.double({ noNaN: true, noDefaultInfinity: true });
  fc.assert(
    fc.property(fc.array(finite, { minLength: 1, maxLength: 5 }), (given) => {
      const { low, high, ticks } = chooseScale(given);
      expect([low, high, ...ticks].every(Number.isFinite)).toBe(true);
      for (const value of given) {
        expect(shareOf(value, low, high)).toBeGreaterThanOrEqual(0);
        expect(shareOf(value, low, high)).toBeLessThanOrEqual(1);
      }
    }),
  );
});

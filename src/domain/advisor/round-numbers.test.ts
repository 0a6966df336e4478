import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { roundStep, roundUp, roundUpMinutes, showNumber } from './round-numbers.ts';

describe('numbers as a person would write them', () => {
  test.each([
    [0.82, 1],
    [1.4, 1],
    [1.5, 2],
    [3, 2],
    [3.5, 5],
    [7, 5],
    [8, 10],
    [0.043, 0.05],
    [4200, 5000],
  ])('a step near %d is %d', (size, step) => expect(roundStep(size)).toBe(step));

  test.each([
    [-64.83, 5, -60],
    [-65.1, 5, -65],
    [37.12, 0.05, 37.15],
    [0.3, 0.1, 0.3],
    [-0.4, 1, 0],
  ])('%d goes up in steps of %d to %d', (value, step, rounded) => expect(roundUp(value, step)).toBe(rounded));

  test.each([
    [0, 0],
    [0.2, 1],
    [7, 8],
    [16, 20],
    [61, 75],
    [121, 150],
  ])('%d minutes are written as %d', (minutes, rounded) => expect(roundUpMinutes(minutes)).toBe(rounded));

  test('a number shows the decimals of its step', () => {
    expect(showNumber(-81.234, 1)).toBe('-81');
    expect(showNumber(-81.234, 1, 1)).toBe('-81.2');
    expect(showNumber(37.1549, 0.05)).toBe('37.15');
    expect(showNumber(-0.001, 0.1)).toBe('0');
  });

  test('rounded up is never less, and less than a step more', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -1e6, max: 1e6, noNaN: true }),
        fc.constantFrom(0.05, 0.1, 0.2, 1, 2, 5, 50),
        (value, step) => {
          const more = roundUp(value, step) - value;
          expect(more).toBeGreaterThanOrEqual(-1e-6);
          expect(more).toBeLessThan(step + 1e-6);
        },
      ),
    );
  });
});

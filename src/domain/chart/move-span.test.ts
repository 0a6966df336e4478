import fc from 'fast-check';
import { expect, test } from 'vitest';
import { moveSpan } from './move-span.ts';

const HOUR = 3_600_000;
const NOW = Date.parse('2026-11-15T12:00:00Z');
const day = { from: NOW - 24 * HOUR, to: NOW };

test('half a length along, never into what has not happened', () => {
  expect(moveSpan(day, 'earlier', NOW)).toEqual({ from: NOW - 36 * HOUR, to: NOW - 12 * HOUR });
  expect(moveSpan(day, 'later', NOW)).toEqual(day);
  expect(moveSpan({ from: NOW - 30 * HOUR, to: NOW - 6 * HOUR }, 'later', NOW)).toEqual(day);
});

test('closer and wider keep the middle, or the present', () => {
  expect(moveSpan(day, 'closer', NOW)).toEqual({ from: NOW - 12 * HOUR, to: NOW });
  expect(moveSpan(day, 'wider', NOW)).toEqual({ from: NOW - 48 * HOUR, to: NOW });
  const past = { from: NOW - 72 * HOUR, to: NOW - 48 * HOUR };
  expect(moveSpan(past, 'closer', NOW)).toEqual({ from: NOW - 66 * HOUR, to: NOW - 54 * HOUR });
  expect(moveSpan(past, 'wider', NOW)).toEqual({ from: NOW - 84 * HOUR, to: NOW - 36 * HOUR });
});

test('whatever is asked, a span is left that has an order, a length and an end in the past', () => {
  const moves = fc.constantFrom('earlier' as const, 'later' as const, 'closer' as const, 'wider' as const);
  fc.assert(
    fc.property(fc.array(moves, { maxLength: 60 }), fc.integer({ min: 1, max: 400 * 24 }), (path, hours) => {
      let span = { from: NOW - hours * HOUR, to: NOW };
      for (const move of path) span = moveSpan(span, move, NOW);
      expect(span.to).toBeLessThanOrEqual(NOW);
      expect(span.to - span.from).toBeGreaterThanOrEqual(60_000);
      expect(Number.isInteger(span.from) && Number.isInteger(span.to)).toBe(true);
    }),
  );
});

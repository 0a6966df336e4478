import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS } from './rollup.ts';
import { MOST_ROWS, planSeries } from './series.ts';

const NOW = Date.parse('2026-11-15T03:07:30Z');
const ROLLED_UNTIL = Date.parse('2026-11-15T02:57:00Z');
const DAY_MS = 24 * HOUR_MS;

test.each([
  ['a day is drawn by the minute', DAY_MS, 2000, MINUTE_MS],
  ['two days by the hour', 2 * DAY_MS, 2000, HOUR_MS],
  ['a year by six hours', 365 * DAY_MS, 2000, 6 * HOUR_MS],
  ['a year on a narrow screen by two days', 365 * DAY_MS, 300, 48 * HOUR_MS],
])('%s', (_, span, most, stepMs) =>
  expect(planSeries({ from: NOW - span, to: NOW }, most, ROLLED_UNTIL).stepMs).toBe(stepMs),
);

test('hours, then the minutes of the hour under way, then readings', () => {
  const { hours, minutes, readings } = planSeries({ from: NOW - 9 * DAY_MS, to: NOW }, 500, ROLLED_UNTIL);
  const lastHour = Date.parse('2026-11-15T02:00:00Z');
  expect(hours).toEqual({ from: Date.parse('2026-11-06T03:00:00Z'), to: lastHour });
  expect(minutes).toEqual({ from: lastHour, to: ROLLED_UNTIL });
  expect(readings).toEqual({ from: ROLLED_UNTIL, to: NOW });
});

test('whatever is asked for, the parts join and never come to too many rows or points', () => {
  const instant = fc.integer({ min: 0, max: 4_000_000_000_000 });
  const rolled = fc.oneof(
    instant.map((at) => at - (at % MINUTE_MS)),
    fc.constant(Number.NEGATIVE_INFINITY),
  );
  fc.assert(
    fc.property(
      instant,
      instant,
      fc.integer({ min: 1, max: 4000 }),
      rolled,
      (one, other, most, rolledUntil) => {
        fc.pre(one !== other);
        const asked = { from: Math.min(one, other), to: Math.max(one, other) };
        const { stepMs, hours, minutes, readings, mostReadings } = planSeries(asked, most, rolledUntil);
        expect(hours.from).toBeLessThanOrEqual(hours.to);
        expect(minutes.from).toBe(hours.to);
        expect(minutes.from).toBeLessThanOrEqual(minutes.to);
        expect(readings.from).toBe(minutes.to);
        expect(readings.to).toBe(asked.to);
        const rows = Math.ceil((hours.to - hours.from) / HOUR_MS + (minutes.to - minutes.from) / MINUTE_MS);
        expect(rows + mostReadings).toBeLessThanOrEqual(MOST_ROWS);
        expect(mostReadings).toBeGreaterThan(0);
        expect((asked.to - hours.from) / stepMs).toBeLessThanOrEqual(most + 1);
      },
    ),
  );
});

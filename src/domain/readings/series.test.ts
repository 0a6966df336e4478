import { describe, expect, test } from 'vitest';
import { planSeries } from './series.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from './span.ts';

const NOW = Date.UTC(2026, 10, 15, 3, 7, 30);
const FEW = { stored: 100_000, longestPackMs: DAY_MS };

describe('a plan of a chart', () => {
  test.each([
    ['an hour by the minute', HOUR_MS, 2000, MINUTE_MS],
    ['a day by the minute', DAY_MS, 2000, MINUTE_MS],
    ['a day on a narrow screen by the hour', DAY_MS, 100, HOUR_MS],
    ['a month by the hour', 30 * DAY_MS, 2000, HOUR_MS],
    ['a year by steps that divide the day', 365 * DAY_MS, 2000, 6 * HOUR_MS],
  ])('%s', (_, spanMs, most, stepMs) => {
    const plan = planSeries({ from: NOW - spanMs, to: NOW }, most, FEW);
    expect(plan.stepMs).toBe(stepMs);
    expect(plan.outside.from).toBe(plan.outside.to);
    expect(plan.inside.from % stepMs).toBe(0);
    expect(plan.inside.from).toBeLessThanOrEqual(NOW - spanMs);
    expect(plan.inside.to).toBe(NOW);
  });

  test('of very many readings only the last day is unpacked, and no step is shorter than a pack', () => {
    const stored = { stored: 5_000_000, longestPackMs: 69 * MINUTE_MS };
    const plan = planSeries({ from: NOW - 30 * DAY_MS, to: NOW }, 2000, stored);
    const today = Date.UTC(2026, 10, 15);
    expect(plan).toEqual({
      stepMs: 2 * HOUR_MS,
      outside: { from: Date.UTC(2026, 9, 16), to: today },
      inside: { from: today, to: NOW },
    });
    expect(
      planSeries({ from: NOW - 365 * DAY_MS, to: NOW }, 2000, { ...stored, longestPackMs: DAY_MS }).stepMs,
    ).toBe(DAY_MS);
  });

  test('a chart that ends with a day does not unpack the next', () => {
    const to = Date.UTC(2026, 10, 15);
    const plan = planSeries({ from: to - 3 * DAY_MS, to }, 2000, { stored: 1e6, longestPackMs: HOUR_MS });
    expect(plan.inside).toEqual({ from: to - DAY_MS, to });
  });
});

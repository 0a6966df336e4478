import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expiredWeeks, weekOf, weeksToKeep } from './reading-week.ts';

test.each([
  ['2026-11-15T23:59:59.999Z', 'reading_2026_11_09'],
  ['2026-11-16T00:00:00.000Z', 'reading_2026_11_16'],
  ['2027-01-01T12:00:00.000Z', 'reading_2026_12_28'],
])('%s belongs to %s', (at, partition) => expect(weekOf(new Date(at)).partition).toBe(partition));

test('400 days and two weeks ahead are 60 partitions or one less', () => {
  const weeks = weeksToKeep(new Date('2026-11-15T12:00:00Z'), 400);
  expect(weeks[0]?.partition).toBe('reading_2025_10_06');
  expect(weeks.at(-1)?.partition).toBe('reading_2026_11_23');
  expect(weeks).toHaveLength(60);
});

test('the weeks follow each other without a gap and cover retention and the two weeks ahead', () => {
  const instant = fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(instant, fc.integer({ min: 1, max: 2000 }), (now, days) => {
      const weeks = weeksToKeep(now, days);
      for (const [index, week] of weeks.entries()) {
        expect(week.from.getUTCDay()).toBe(1);
        const next = weeks[index + 1];
        if (next) expect(next.from).toEqual(week.to);
      }
      expect(weeks[0]?.from.getTime()).toBeLessThanOrEqual(now.getTime() - days * 86_400_000);
      expect(weeks.at(-1)?.to.getTime()).toBeGreaterThan(now.getTime() + 14 * 86_400_000);
    }),
  );
});

describe('weeks behind the retention', () => {
  const now = new Date('2026-11-15T12:00:00Z');
  test.each([
    ['a week that still has a day to keep stays', 400, ['reading_2025_10_06'], []],
    ['the week before goes', 400, ['reading_2025_09_29'], ['reading_2025_09_29']],
    [
      'a week goes the moment its end is as old as the retention',
      6.5,
      ['reading_2026_11_02'],
      ['reading_2026_11_02'],
    ],
    ['a rollup that was left behind counts', 400, ['reading_hour_2025_09_29'], ['reading_2025_09_29']],
    [
      'each week once, oldest first',
      400,
      ['reading_2025_09_29', 'reading_minute_2025_09_29', 'reading_2024_12_30'],
      ['reading_2024_12_30', 'reading_2025_09_29'],
    ],
    ['other tables are left alone', 400, ['reading_old', 'reading_default'], []],
  ])('%s', (_, days, partitions, expired) =>
    expect(expiredWeeks(partitions, now, days).map(({ partition }) => partition)).toEqual(expired),
  );

  test('no week is both kept and dropped', () => {
    const instant = fc.date({
      min: new Date('2000-01-01'),
      max: new Date('2100-01-01'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(instant, fc.integer({ min: 1, max: 2000 }), (at, days) => {
        const kept = weeksToKeep(at, days).map(({ partition }) => partition);
        expect(expiredWeeks(kept, at, days)).toEqual([]);
      }),
    );
  });
});

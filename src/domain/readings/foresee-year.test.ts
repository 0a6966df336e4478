import { expect, test } from 'vitest';
import { foreseeYear } from './foresee-year.ts';

const NOW = new Date('2026-11-15T03:00:00Z');
const pace = (firstAt: string | null, recentReadings: number) => ({
  firstAt: firstAt === null ? null : new Date(firstAt),
  recentReadings,
  recentBytes: recentReadings * 2,
});

test.each([
  ['a week of minutes', pace('2020-01-01T00:00:00Z', 7 * 1440), { readings: 525_600, bytes: 1_051_200 }],
  ['two days old', pace('2026-11-13T20:00:00Z', 1000), { readings: 182_500, bytes: 365_000 }],
  ['since today', pace('2026-11-15T00:00:00Z', 100), null],
  ['nothing lately', pace('2020-01-01T00:00:00Z', 0), null],
  ['nothing ever', pace(null, 0), null],
])('%s', (_name, recent, year) => expect(foreseeYear(recent, NOW)).toEqual(year));

// Days of a calendar by arithmetic, held against Temporal.
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';
import { addDays, daysBetween, instantAt, localDay, plainClock, weekdayOf } from './local-instant.ts';

const ZONES = [
  'Europe/Berlin',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Antarctica/Troll',
  'Africa/Casablanca',
  'UTC',
];
const anyInstant = fc.date({
  min: new Date('1990-01-01T00:00:00Z'),
  max: new Date('2080-01-01T00:00:00Z'),
  noInvalidDate: true,
});
const anyDay = anyInstant.map((at) => at.toISOString().slice(0, 10));

test('the local day of any instant', () =>
  fc.assert(
    fc.property(anyInstant, fc.constantFrom(...ZONES), (at, zone) => {
      const expected = Temporal.Instant.fromEpochMilliseconds(at.getTime())
        .toZonedDateTimeISO(zone)
        .toPlainDate();
      expect(localDay(at, zone)).toBe(expected.toString());
    }),
    { numRuns: 500 },
  ));

test('days that are added, counted and named', () =>
  fc.assert(
    fc.property(anyDay, fc.integer({ min: -2_000, max: 2_000 }), (day, days) => {
      const date = Temporal.PlainDate.from(day);
      const later = date.add({ days });
      expect(addDays(day, days)).toBe(later.toString());
      expect(daysBetween(day, later.toString())).toBe(days);
      expect(weekdayOf(day)).toBe(date.dayOfWeek);
    }),
    { numRuns: 500 },
  ));

test('days at both ends of the calendar are days', () => {
  expect(localDay(new Date('0001-06-15T12:00:00Z'), 'UTC')).toMatch(/^0001-06-/);
  expect(localDay(new Date('+010000-01-01T12:00:00Z'), 'Europe/Berlin')).toBe('+010000-01-01');
  expect(addDays('9999-12-31', 1)).toBe('+010000-01-01');
  expect(instantAt('9999-12-31', '08:00', 'UTC', 1)).toEqual(new Date('+010000-01-01T08:00:00Z'));
});

test.each([
  ['8:00', '08:00'],
  ['0800', '08:00'],
  [' 18:30 ', '18:30'],
  ['8', '8'],
  ['8:00 PM', '8:00 PM'],
  ['25:00', '25:00'],
])('the clock %j is %j', (typed, expected) => expect(plainClock(typed)).toBe(expected));

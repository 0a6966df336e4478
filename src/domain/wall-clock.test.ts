import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';
import { readWall, writeOffset } from './wall-clock.ts';

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'Europe/Dublin',
  'Africa/Casablanca',
  'America/St_Johns',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'Pacific/Chatham',
];

const showByCalendar = (ms: number, timeZone: string): string => {
  const zoned = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone);
  const clock = zoned.toPlainTime().toString({ smallestUnit: 'second' });
  return `${zoned.toPlainDate()} ${clock} ${zoned.offset.replace('-', '−')}`;
};

const show = (ms: number, timeZone: string): string => {
  const wall = readWall(new Date(ms), timeZone);
  const [date] = new Date(wall.ms).toISOString().split('T');
  return `${date} ${wall.clock}:${wall.seconds} ${writeOffset(wall.offsetMs)}`;
};

test('shows what a calendar shows, in any zone at any time', () =>
  fc.assert(
    fc.property(
      fc.constantFrom(...ZONES),
      fc.integer({ min: Date.parse('1950-01-01'), max: Date.parse('2100-01-01') }),
      (timeZone, ms) => {
        expect(show(ms, timeZone)).toBe(showByCalendar(ms, timeZone));
      },
    ),
    { numRuns: 1_000 },
  ));

test('also in the hours around a change of the clock', () => {
  for (const timeZone of ZONES) {
    let at = Temporal.Instant.from('2024-01-01T00:00:00Z').toZonedDateTimeISO(timeZone);
    for (let count = 0; count < 8; count += 1) {
      const change = at.getTimeZoneTransition('next');
      if (!change) break;
      for (let minutes = -200; minutes <= 200; minutes += 5) {
        const ms = change.epochMilliseconds + minutes * 60_000;
        expect(show(ms, timeZone)).toBe(showByCalendar(ms, timeZone));
      }
      at = change;
    }
  }
});

test('and where the calendar begins and ends', () => {
  for (const text of ['0001-01-02T00:00:00Z', '0099-03-01T12:00:00Z', '9999-12-30T12:00:00Z'])
    expect(show(Date.parse(text), 'UTC')).toBe(showByCalendar(Date.parse(text), 'UTC'));
});

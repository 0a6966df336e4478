import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findHoursEdge, isDuring, isLabHours, type LabHours } from './lab-hours.ts';

const BERLIN: LabHours = {
  timeZone: 'Europe/Berlin',
  weekly: [
    { days: [1, 2, 3, 4, 5], from: '08:00', to: '18:00' },
    { days: [5], from: '22:00', to: '06:00' },
  ],
  holidays: ['2026-12-25'],
};

test.each([
  ['Monday before eight', '2026-11-16T06:59:00Z', false],
  ['Monday at eight', '2026-11-16T07:00:00Z', true],
  ['Monday at six in the evening', '2026-11-16T17:00:00Z', false],
  ['Friday night', '2026-11-20T22:00:00Z', true],
  ['Saturday before six, for Friday runs past midnight', '2026-11-21T04:59:00Z', true],
  ['Saturday at six', '2026-11-21T05:00:00Z', false],
  ['a Friday that is a holiday', '2026-12-25T10:00:00Z', false],
  ['the morning after, which Friday night runs into', '2026-12-26T03:00:00Z', true],
  ['summer, an hour earlier in UTC', '2026-07-13T06:00:00Z', true],
])('%s', (_, text, expected) => {
  expect(isLabHours(BERLIN, new Date(text))).toBe(expected);
});

describe('the next edge', () => {
  test.each([
    ['2026-11-16T06:00:00Z', '2026-11-16T07:00:00Z'],
    ['2026-11-16T07:00:00Z', '2026-11-16T17:00:00Z'],
    ['2026-11-21T05:00:00Z', '2026-11-23T07:00:00Z'],
    ['2026-12-24T18:00:00Z', '2026-12-25T23:00:00Z'],
  ])('after %s is %s', (from, expected) => {
    expect(findHoursEdge(BERLIN, new Date(from))).toEqual(new Date(expected));
  });

  test('there is none where there are no hours', () => {
    expect(findHoursEdge({ ...BERLIN, weekly: [] }, new Date('2026-11-16T06:00:00Z'))).toBeNull();
  });

  test('nothing changes before it, and something does at it', () =>
    fc.assert(
      fc.property(
        fc.constantFrom(
          'Europe/Berlin',
          'Australia/Lord_Howe',
          'Pacific/Apia',
          'Antarctica/Troll',
          'Africa/Casablanca',
        ),
        fc.integer({ min: 0, max: 730 * 24 * 60 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (timeZone, minute, share) => {
          const hours = { ...BERLIN, timeZone };
          const now = new Date(Date.UTC(2026, 0, 1) + minute * 60_000);
          const edge = findHoursEdge(hours, now) as Date;
          expect(isLabHours(hours, edge)).not.toBe(isLabHours(hours, now));
          const between = new Date(now.getTime() + Math.floor((edge.getTime() - now.getTime() - 1) * share));
          expect(isLabHours(hours, between)).toBe(isLabHours(hours, now));
        },
      ),
      { numRuns: 150 },
    ));
});

test('where nobody said when the hours are, nobody is left out', () => {
  const now = new Date('2026-11-16T03:00:00Z');
  expect(isDuring('lab_hours', null, now)).toBe(true);
  expect(isDuring('off_hours', null, now)).toBe(true);
  expect([isDuring('lab_hours', BERLIN, now), isDuring('off_hours', BERLIN, now)]).toEqual([false, true]);
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { english } from './language/english.ts';
import { formatLocalInput } from './local-time.ts';
import { sayDate, sayMoment } from './moment.ts';

const BERLIN = 'Europe/Berlin';
const moment = (at: string, now: string, zone = BERLIN) =>
  sayMoment(new Date(at), zone, new Date(now), english);

describe('a moment, as a person says it', () => {
  test.each([
    ['the same day', '2026-11-15T04:45:00Z', '2026-11-15T05:00:00Z', 'today 05:45'],
    ['the evening before', '2026-11-14T20:35:00Z', '2026-11-15T05:00:00Z', 'yesterday 21:35'],
    ['the next morning', '2026-11-16T05:00:00Z', '2026-11-15T05:00:00Z', 'tomorrow 06:00'],
    ['two days before', '2026-11-13T04:45:00Z', '2026-11-15T05:00:00Z', '13 Nov 05:45'],
    ['another year', '2025-12-31T22:59:00Z', '2026-11-15T05:00:00Z', '31 Dec 2025 23:59'],
    ['a minute ago, over midnight', '2026-11-14T22:59:30Z', '2026-11-14T23:00:00Z', 'yesterday 23:59'],
    ['a minute ago, over new year', '2026-12-31T22:59:30Z', '2026-12-31T23:00:00Z', 'yesterday 23:59'],
    ['midnight itself', '2026-11-14T23:00:00Z', '2026-11-15T05:00:00Z', 'today 00:00'],
    ['the day before a short day', '2026-03-28T22:30:00Z', '2026-03-29T21:30:00Z', 'yesterday 23:30'],
    ['the day after a long day', '2026-10-25T23:30:00Z', '2026-10-24T22:30:00Z', 'tomorrow 00:30'],
  ])('%s', (_, at, now, said) => {
    expect(moment(at, now)).toBe(said);
  });

  test.each([
    ['first', '2026-10-25T00:30:00Z', 'today 02:30 (UTC+02:00)'],
    ['second', '2026-10-25T01:30:00Z', 'today 02:30 (UTC+01:00)'],
    ['hour before', '2026-10-24T23:59:00Z', 'today 01:59'],
    ['hour after', '2026-10-25T02:00:00Z', 'today 03:00'],
  ])('an hour that the clock goes through twice: the %s', (_, at, said) => {
    expect(moment(at, '2026-10-25T12:00:00Z')).toBe(said);
  });

  test('half an hour twice, on Lord Howe', () => {
    const said = ['2026-04-04T14:45:00Z', '2026-04-04T15:15:00Z'].map((at) =>
      moment(at, '2026-04-05T00:00:00Z', 'Australia/Lord_Howe'),
    );
    expect(said).toEqual(['today 01:45 (UTC+11:00)', 'today 01:45 (UTC+10:30)']);
  });

  test('whose day it is depends on the zone', () => {
    const at = '2026-11-15T02:00:00Z';
    expect(moment(at, '2026-11-15T12:00:00Z', 'UTC')).toBe('today 02:00');
    expect(moment(at, '2026-11-15T12:00:00Z', 'America/New_York')).toBe('yesterday 21:00');
  });

  test('has the clock of its zone, whenever and wherever', () => {
    const instant = fc.date({
      min: new Date('1971-01-01'),
      max: new Date('2060-01-01'),
      noInvalidDate: true,
    });
    const zone = fc.constantFrom(BERLIN, 'UTC', 'Asia/Kathmandu', 'America/St_Johns', 'Pacific/Apia');
    fc.assert(
      fc.property(instant, instant, zone, (at, now, timeZone) => {
        expect(sayMoment(at, timeZone, now, english)).toContain(formatLocalInput(at, timeZone).slice(11));
      }),
    );
  });
});

test('in what is read later there is no today', () => {
  const said = (at: string) => sayDate(new Date(at), BERLIN, new Date('2026-11-15T05:00:00Z'), english);
  expect(said('2026-11-15T04:45:00Z')).toBe('15 Nov 05:45');
  expect(said('2025-11-15T04:45:00Z')).toBe('15 Nov 2025 05:45');
  expect(said('2026-10-25T00:30:00Z')).toBe('25 Oct 02:30 (UTC+02:00)');
});

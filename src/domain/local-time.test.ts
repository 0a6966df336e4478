import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatLocalTime, formatTypedTime, parseLocalTime, parseTypedTime, plainTime } from './local-time.ts';

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/St_Johns',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Asia/Beirut',
  'Africa/Casablanca',
  'Pacific/Apia',
  'Pacific/Kiritimati',
];

const read = (text: string, timeZone = 'Europe/Berlin') => {
  const parsed = parseLocalTime(text, timeZone);
  return parsed.ok ? parsed.value.toISOString() : parsed.refusal;
};

describe('every format of the contract', () => {
  test.each([
    ['2026-11-15T04:00', '2026-11-15T03:00:00.000Z'],
    ['2026-11-15T04:00:30', '2026-11-15T03:00:30.000Z'],
    ['2026-11-15T04:00Z', '2026-11-15T04:00:00.000Z'],
    ['2026-11-15T04:00:30Z', '2026-11-15T04:00:30.000Z'],
    ['2026-11-15T04:00+02:00', '2026-11-15T02:00:00.000Z'],
    ['2026-11-15T04:00:30-05:30', '2026-11-15T09:30:30.000Z'],
    ['2026-11-15T04:00-00:00', '2026-11-15T04:00:00.000Z'],
    ['2026-11-15T04:00+23:59', '2026-11-14T04:01:00.000Z'],
    ['2026-11-15', '2026-11-14T23:00:00.000Z'],
    ['2026-07-15', '2026-07-14T22:00:00.000Z'],
    ['2028-02-29', '2028-02-28T23:00:00.000Z'],
    ['2026-12-31T23:59:59', '2026-12-31T22:59:59.000Z'],
    ['0001-01-01T00:00Z', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000Z'],
  ])('%s in Berlin: %s', (text, instant) => expect(read(text)).toBe(instant));
});

describe('everything else is unparsable', () => {
  test.each([
    ['nothing', ''],
    ['a space', ' '],
    ['words', 'tomorrow'],
    ['fractional seconds', '2026-11-15T04:00:00.000'],
    ['fractional seconds with Z', '2026-11-15T04:00:00.5Z'],
    ['a space for T', '2026-11-15 04:00'],
    ['a lower-case t', '2026-11-15t04:00'],
    ['a lower-case z', '2026-11-15T04:00z'],
    ['an offset without its colon', '2026-11-15T04:00+0200'],
    ['an offset of hours only', '2026-11-15T04:00+02'],
    ['an offset with seconds', '2026-11-15T04:00+02:00:00'],
    ['an offset with a typographic minus', '2026-11-15T04:00−02:00'],
    ['an offset with a space for its plus', '2026-11-15T04:00 02:00'],
    ['an offset of 24 hours', '2026-11-15T04:00+24:00'],
    ['an offset of 60 minutes', '2026-11-15T04:00-01:60'],
    ['two offsets', '2026-11-15T04:00Z+02:00'],
    ['a zone in brackets', '2026-11-15T04:00[Europe/Berlin]'],
    ['a zone in brackets after the offset', '2026-11-15T04:00+01:00[Europe/Berlin]'],
    ['a date with an offset', '2026-11-15Z'],
    ['a date with T only', '2026-11-15T'],
    ['hours only', '2026-11-15T04'],
    ['a time only', '04:00'],
    ['hour 24', '2026-11-15T24:00'],
    ['minute 60', '2026-11-15T04:60'],
    ['second 60', '2026-11-15T04:00:60'],
    ['hours without their zero', '2026-11-15T4:00'],
    ['30 February', '2026-02-30'],
    ['29 February of a common year', '2026-02-29T04:00'],
    ['29 February of a common century', '2100-02-29'],
    ['31 April', '2026-04-31T04:00Z'],
    ['day 0', '2026-11-00'],
    ['day 32', '2026-12-32'],
    ['month 0', '2026-00-15'],
    ['month 13', '2026-13-15'],
    ['a week date', '2026-W46-7'],
    ['an ordinal date', '2026-319'],
    ['the basic format', '20261115T0400'],
    ['a year of two digits', '26-11-15'],
    ['a year of six digits', '+002026-11-15'],
    ['the year 0', '0000-06-15'],
    ['an instant before the year 1', '0001-01-01T00:00+01:00'],
    ['an instant after the year 9999', '9999-12-31T23:59-01:00'],
    ['a leading space', ' 2026-11-15T04:00'],
    ['a trailing space', '2026-11-15T04:00 '],
    ['a trailing line break', '2026-11-15T04:00\n'],
    ['other digits', '２０２６-11-15'],
    ['epoch milliseconds', '1794715200000'],
  ])('%s', (_, text) => expect(read(text)).toBe('unparsable'));
});

describe('in a gap the later instant counts', () => {
  test.each([
    ['Europe/Berlin', '2026-03-29T01:59', '2026-03-29T00:59:00.000Z'],
    ['Europe/Berlin', '2026-03-29T02:00', '2026-03-29T01:00:00.000Z'],
    ['Europe/Berlin', '2026-03-29T02:30', '2026-03-29T01:30:00.000Z'],
    ['Europe/Berlin', '2026-03-29T03:00', '2026-03-29T01:00:00.000Z'],
    ['America/New_York', '2026-03-08T02:30', '2026-03-08T07:30:00.000Z'],
    // The clock goes forward by half an hour only.
    ['Australia/Lord_Howe', '2026-10-04T02:15', '2026-10-03T15:45:00.000Z'],
    // Midnight itself does not exist.
    ['Asia/Beirut', '2026-03-29', '2026-03-28T22:00:00.000Z'],
    // A whole day that does not exist: the island moved across the date line.
    ['Pacific/Apia', '2011-12-30T12:00', '2011-12-30T22:00:00.000Z'],
    ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00.000Z'],
    // An offset leaves nothing to be decided.
    ['Europe/Berlin', '2026-03-29T02:30+01:00', '2026-03-29T01:30:00.000Z'],
  ])('%s %s: %s', (zone, text, instant) => expect(read(text, zone)).toBe(instant));
});

describe('in a fold the earlier instant counts', () => {
  test.each([
    ['Europe/Berlin', '2026-10-25T01:59', '2026-10-24T23:59:00.000Z'],
    ['Europe/Berlin', '2026-10-25T02:00', '2026-10-25T00:00:00.000Z'],
    ['Europe/Berlin', '2026-10-25T02:30', '2026-10-25T00:30:00.000Z'],
    ['Europe/Berlin', '2026-10-25T03:00', '2026-10-25T02:00:00.000Z'],
    ['America/New_York', '2026-11-01T01:30', '2026-11-01T05:30:00.000Z'],
    ['Australia/Lord_Howe', '2026-04-05T01:45', '2026-04-04T14:45:00.000Z'],
    ['Europe/Berlin', '2026-10-25T02:30+02:00', '2026-10-25T00:30:00.000Z'],
    ['Europe/Berlin', '2026-10-25T02:30+01:00', '2026-10-25T01:30:00.000Z'],
  ])('%s %s: %s', (zone, text, instant) => expect(read(text, zone)).toBe(instant));
});

const zone = fc.constantFrom(...ZONES);
const second = fc
  .date({ min: new Date('0002-01-01'), max: new Date('9998-12-31'), noInvalidDate: true })
  .map((at) => new Date(Math.floor(at.getTime() / 1000) * 1000));
const recentSecond = fc
  .date({ min: new Date('1975-01-01'), max: new Date('2060-01-01'), noInvalidDate: true })
  .map((at) => new Date(Math.floor(at.getTime() / 1000) * 1000));

/** What a clock on the wall of the zone shows, by another road than the code takes. */
function wallTime(at: Date, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'iso8601',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).formatToParts(at);
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? '';
  const date = `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`;
  return `${date}T${part('hour')}:${part('minute')}:${part('second')}`;
}

describe('round trips', () => {
  test('an instant written in UTC comes back, whatever the zone', () => {
    fc.assert(
      fc.property(second, zone, (at, timeZone) => {
        const text = at.toISOString().slice(0, 19);
        expect(read(`${text}Z`, timeZone)).toBe(at.toISOString());
        expect(read(text, 'UTC')).toBe(at.toISOString());
      }),
    );
  });

  test('an instant written with any offset comes back', () => {
    fc.assert(
      fc.property(second, fc.integer({ min: -1439, max: 1439 }), zone, (at, minutes, timeZone) => {
        const local = new Date(at.getTime() + minutes * 60_000).toISOString().slice(0, 19);
        const [hour, minute] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
        const offset = `${minutes < 0 ? '-' : '+'}${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
        expect(read(local + offset, timeZone)).toBe(at.toISOString());
      }),
    );
  });

  test('what the clock on the wall shows comes back, or the first instant that showed it', () => {
    fc.assert(
      fc.property(recentSecond, zone, (at, timeZone) => {
        const shown = wallTime(at, timeZone);
        const instant = new Date(read(shown, timeZone));
        expect(instant.getTime()).toBeLessThanOrEqual(at.getTime());
        expect(wallTime(instant, timeZone)).toBe(shown);
      }),
      { numRuns: 500 },
    );
  });

  test('what a page shows can be read back, fold or not', () => {
    fc.assert(
      fc.property(recentSecond, zone, (at, timeZone) => {
        const [date, clock, offset = ''] = formatLocalTime(at, timeZone)
          .replace('−', '-')
          .split(/ (?:UTC)?/);
        expect(read(`${date}T${clock}${offset || 'Z'}`, 'UTC')).toBe(at.toISOString());
      }),
      { numRuns: 500 },
    );
  });

  test('seconds of zero may be left out, and a date alone is its first moment', () => {
    fc.assert(
      fc.property(recentSecond, zone, (at, timeZone) => {
        const date = at.toISOString().slice(0, 10);
        expect(read(date, timeZone)).toBe(read(`${date}T00:00`, timeZone));
        expect(read(`${date}T00:00`, timeZone)).toBe(read(`${date}T00:00:00`, timeZone));
      }),
    );
  });

  test('every zone that the runtime knows is read', () => {
    for (const timeZone of Intl.supportedValuesOf('timeZone')) {
      expect(wallTime(new Date(read('2026-11-15T12:34', timeZone)), timeZone)).toBe('2026-11-15T12:34:00');
    }
  });
});

describe('any text gives an instant or a refusal, and never throws', () => {
  const nearMiss = fc
    .array(
      fc.constantFrom(...'0123456789', ...'0123456789', '-', ':', 'T', 'Z', '+', '.', ' ', '2026-02-3'),
      {
        maxLength: 28,
      },
    )
    .map((parts) => parts.join(''));
  const shaped = fc
    .tuple(fc.nat(9999), fc.nat(99), fc.nat(99), fc.nat(99), fc.nat(99), fc.nat(99), fc.nat(99))
    .map(([year, ...rest]) => {
      const [month, day, hour, minute, offsetHour, offsetMinute] = rest.map((part) =>
        String(part).padStart(2, '0'),
      );
      return `${String(year).padStart(4, '0')}-${month}-${day}T${hour}:${minute}+${offsetHour}:${offsetMinute}`;
    });

  test.each([
    ['any text', fc.string({ unit: 'binary' })],
    ['nearly a time', nearMiss],
    ['the shape of a time with any numbers', shaped],
  ])('%s', (_, text) => {
    fc.assert(
      fc.property(text, zone, (given, timeZone) => {
        const parsed = parseLocalTime(given, timeZone);
        if (parsed.ok) expect(Number.isFinite(parsed.value.getTime())).toBe(true);
        else expect(parsed.refusal).toBe('unparsable');
      }),
      { numRuns: 1000 },
    );
  });
});

describe('a page shows', () => {
  test.each([
    ['2026-11-15T03:00:00Z', 'Europe/Berlin', '2026-11-15 04:00 UTC+01:00'],
    ['2026-11-15T03:00:07Z', 'Europe/Berlin', '2026-11-15 04:00:07 UTC+01:00'],
    ['2026-11-15T03:00:00Z', 'UTC', '2026-11-15 03:00 UTC'],
    ['2026-11-15T03:00:00Z', 'Asia/Kathmandu', '2026-11-15 08:45 UTC+05:45'],
    ['2026-10-25T00:30:00Z', 'Europe/Berlin', '2026-10-25 02:30 UTC+02:00'],
    ['2026-10-25T01:30:00Z', 'Europe/Berlin', '2026-10-25 02:30 UTC+01:00'],
  ])('%s in %s as %s', (at, timeZone, shown) => expect(formatLocalTime(new Date(at), timeZone)).toBe(shown));
});

describe('as people type it', () => {
  test.each([
    ['2026-11-15 04:00', '2026-11-15T04:00'],
    [' 2026-11-15  4:00 ', '2026-11-15T04:00'],
    ['2026-11-15T04:00', '2026-11-15T04:00'],
    ['2026-11-15 04:00:30+01:00', '2026-11-15T04:00:30+01:00'],
    ['2026-11-15', '2026-11-15'],
    ['15.11.2026 04:00', '2026-11-15T04:00'],
    ['5.1.2026', '2026-01-05'],
    ['2026-11-15 04', '2026-11-15 04'],
    ['11/15/2026 4:00 PM', '11/15/2026 4:00 PM'],
    ['2026-11-15 4:00 PM', '2026-11-15T04:00 PM'],
    ['tomorrow', 'tomorrow'],
    ['', ''],
  ])('%j is %j', (typed, expected) => expect(plainTime(typed)).toBe(expected));

  test('half of a day is never guessed', () =>
    expect(parseTypedTime('2026-11-15 4:00 PM', 'UTC')).toEqual({ ok: false, refusal: 'unparsable' }));

  test('what a field holds is read as the same minute', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: Date.parse('1970-01-02'), max: Date.parse('2100-01-01') }),
        fc.constantFrom(...ZONES),
        (ms, zone) => {
          const text = formatTypedTime(new Date(ms), zone);
          const parsed = parseTypedTime(text, zone);
          expect(parsed.ok && formatTypedTime(parsed.value, zone)).toBe(text);
        },
      ),
    );
  });
});

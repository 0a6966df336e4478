import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { guessChannelKind } from '../equipment/channel-kind.ts';
import { findStaleAt } from '../judging/staleness.ts';
import { MOST_ENTRIES, readTelemetry, readTime, sayRejected } from './telemetry.ts';

const NOW = Date.parse('2026-11-15T03:00:00Z');
const good = { device: 'd1', time: NOW, values: { temperature: -71.2 } };
const read = (body: unknown) => {
  const post = readTelemetry(body, NOW);
  if (typeof post === 'string') throw new Error(post);
  return post;
};

describe('a post', () => {
  test('is one object or an array', () => {
    expect(read(good).entries).toEqual([
      { index: 0, target: { device: 'd1' }, at: NOW, values: [['temperature', -71.2, false]] },
    ]);
    expect(read([good, { ...good, device: 'd2' }]).entries.map(({ index }) => index)).toEqual([0, 1]);
    expect(read([])).toEqual({ entries: [], rejected: [] });
  });

  test.each([null, 7, 'text', true])('%j is none', (body) =>
    expect(readTelemetry(body, NOW)).toBe('not_a_post'),
  );

  test('may hold ten thousand entries', () => {
    expect(readTelemetry(Array(MOST_ENTRIES + 1).fill(good), NOW)).toBe('too_many');
  });

  test('names a service by id as well, takes now as its time, and booleans as 0 and 1', () => {
    expect(read({ service_id: 7, values: { door: true, lid: false } }).entries).toEqual([
      {
        index: 0,
        target: { serviceId: 7 },
        at: NOW,
        values: [
          ['door', 1, true],
          ['lid', 0, true],
        ],
      },
    ]);
  });

  test.each([
    ['no object', 7, 'An entry must be an object'],
    ['nobody', { values: {} }, 'An entry names a device or a service_id'],
    ['both', { ...good, service_id: 7 }, 'An entry names either device or service_id, not both'],
    ['a blank device', { ...good, device: ' ' }, 'device must be a key in text'],
    ['a device with a NUL', { ...good, device: 'd\0' }, 'device must be a key in text'],
    ['half a character as device', { ...good, device: 'd\ud800' }, 'device must be a key in text'],
    ['half a service', { service_id: 1.5, values: {} }, 'service_id must be a whole number'],
    ['a time in words', { ...good, time: 'yesterday' }, 'time must be ISO 8601 or epoch milliseconds'],
    ['the future', { ...good, time: NOW + 600_001 }, 'time is more than 10 minutes in the future'],
    ['no values', { device: 'd1' }, 'values must be an object of channel names and numbers'],
    ['a numeric string', { ...good, values: { t: '7' } }, 'values.t: not a number'],
    ['nothing', { ...good, values: { t: null } }, 'values.t: not a number'],
    ['a reserved name', { ...good, values: { default: 7 } }, 'values.default: this name is reserved'],
    ['a blank name', { ...good, values: { ' ': 7 } }, 'values. : not a channel name'],
    ['half a character as name', { ...good, values: { '\udc00': 7 } }, 'values.\ufffd: not a channel name'],
  ])('rejects %s with a reason, and takes the rest', (_, entry, reason) => {
    const post = read([entry, good]);
    expect(sayRejected(post.rejected)).toEqual([{ index: 0, reason }]);
    expect(post.entries.filter(({ values }) => values.length > 0).map(({ index }) => index)).toEqual([1]);
  });

  test.each([
    ['nothing', 'null'],
    ['a number beyond all', '1e999'],
    ['an error', '"error"'],
    ['a loose probe', '"Sensor no connection"'],
  ])('%s is rejected, and says that there should have been a value', (_, value) => {
    const post = read([{ ...good, values: JSON.parse(`{"t":${value},"u":1}`) }]);
    expect(post.rejected).toHaveLength(1);
    expect(post.entries).toMatchObject([{ values: [['u', 1, false]], faults: ['t'] }]);
  });

  test('what is no value at all says nothing', () => {
    for (const value of ['7', 'x', {}, []])
      expect(read([{ ...good, values: { t: value } }]).entries).toEqual([]);
    expect(read([{ ...good, values: { ' ': null } }]).entries).toEqual([]);
  });

  test('one bad value does not cost the others of its entry', () => {
    const post = read({ ...good, values: { a: 1, b: 'x', c: 2 } });
    expect(post.entries[0]?.values.map(([name]) => name)).toEqual(['a', 'c']);
    expect(post.rejected).toHaveLength(1);
  });

  test('ten minutes ahead are still fine', () => {
    expect(read({ ...good, time: NOW + 600_000 }).entries).toHaveLength(1);
  });

  test('any JSON is read without an exception, and every entry is kept or rejected', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (body) => {
        const post = readTelemetry(body, NOW);
        if (typeof post === 'string') return;
        for (const { values } of post.entries)
          for (const [, value] of values) expect(Number.isFinite(value)).toBe(true);
      }),
    );
  });
});

describe('a time', () => {
  test.each([
    ['2026-11-15T03:00:00Z', NOW],
    ['2026-11-15T03:00:00', NOW],
    ['2026-11-15T03:00', NOW],
    ['2026-11-15T04:00:00+01:00', NOW],
    ['2026-11-15T04:00:00+0100', NOW],
    ['2026-11-15T03:00:00.123456789Z', NOW + 123],
    [NOW, NOW],
    [NOW + 0.7, NOW],
  ])('%s', (time, expected) => expect(readTime(time)).toBe(expected));

  test.each(['', '2026-11-15', '2026-13-01T00:00', '15.11.2026 03:00', Number.NaN, -1, 1e18, {}, true])(
    '%s is none',
    (time) => expect(readTime(time)).toBeNull(),
  );
});

test.each([
  ['battery_level', false, 'diagnostic'],
  ['RSSI', false, 'diagnostic'],
  ['temperature_setpoint', false, 'setpoint'],
  ['door', false, 'state'],
  ['lid', true, 'state'],
  ['temperature', false, 'metric'],
  ['co2', false, 'metric'],
])('%s is guessed', (name, isBoolean, kind) => expect(guessChannelKind(name, isBoolean)).toBe(kind));

describe('staleness', () => {
  const fresh = { lastTelemetryAt: NOW, createdAt: 0, staleAfterMinutes: 15, uplinkIntervalMinutes: null };
  test.each([
    ['by the setting', fresh, NOW + 15 * 60_000],
    ['by twice the uplink interval', { ...fresh, uplinkIntervalMinutes: 10 }, NOW + 20 * 60_000],
    ['never, when switched off', { ...fresh, staleAfterMinutes: 0 }, null],
    [
      '0 does not switch off the interval',
      { ...fresh, staleAfterMinutes: 0, uplinkIntervalMinutes: 10 },
      NOW + 20 * 60_000,
    ],
    [
      'from its creation, when it never reported',
      { ...fresh, lastTelemetryAt: null, createdAt: 60_000 },
      16 * 60_000,
    ],
  ])('%s', (_, freshness, expected) =>
    expect(findStaleAt(freshness, freshness.lastTelemetryAt)).toBe(expected),
  );
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { finish } from '../../../test/support/finish.ts';
import { english } from '../language/english.ts';
import { fault, sayRefused } from '../readings/refused.ts';
import type { WayPost } from './gather-readings.ts';
import { readMappedTime } from './mapped-time.ts';
import { MOST_PLACES, readMapped } from './mapping.ts';
import type { Mapping } from './mapping-settings.ts';
import { readSourceSettings, type SourceSettings } from './source-settings.ts';

const NOW = Date.parse('2026-11-15T03:00:00Z');
const TAKEN = Date.parse('2026-11-15T02:59:00Z');

const readText = (text: string, settings: SourceSettings) =>
  finish(readMapped(new TextEncoder().encode(text), { settings, receivedAt: NOW }));

function read(body: unknown, mapping: Mapping, settings: SourceSettings = {}) {
  expect(readSourceSettings({ mapping })).toMatchObject({ ok: true });
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const { value: post } = readText(text, { ...settings, mapping });
  if (typeof post === 'string') throw new Error(post);
  return {
    rejected: post.rejected.map(({ why }) => sayRefused(why, english)),
    entries: post.entries.map(({ target, at, values }) => [
      (target as { device: string }).device,
      at,
      Object.fromEntries(values.map(([name, value]) => [name, value])),
    ]),
  };
}

describe('bodies as they come from the field', () => {
  test.each<[string, Mapping, unknown, unknown]>([
    [
      'Monnit',
      {
        each: '/sensorMessages/*',
        device: '/sensorID',
        time: { path: '/messageDate', format: 'yyyy-MM-dd HH:mm:ss' },
        values: { temperature: { path: '/dataValue', part: ['|', 0], number: true, from: '°F' } },
      },
      {
        gatewayMessage: { gatewayID: '10000' },
        sensorMessages: [
          {
            sensorID: '10001',
            messageDate: '2026-11-15 02:59:00',
            dataValue: '-112|3.3',
            batteryLevel: '100',
          },
          { sensorID: 10002, messageDate: '2026-11-15 02:59:00', dataValue: '50' },
        ],
      },
      [
        ['10001', TAKEN, { temperature: -80 }],
        ['10002', TAKEN, { temperature: 10 }],
      ],
    ],
    [
      'a gateway that names its probes by key',
      { each: '/data/tags/*', device: 'key:*', time: { path: '/timestamp', format: 's' }, rest: 'take' },
      {
        data: {
          gw_mac: 'AA',
          tags: { 'C8:25': { rssi: -60, timestamp: TAKEN / 1000, data: { t: -20.5, moving: true } } },
        },
      },
      [['C8:25', TAKEN, { rssi: -60, 'data.t': -20.5, 'data.moving': 1 }]],
    ],
    [
      'a device named at the top',
      { each: '/readings/*', device: '^/unit', time: { path: '/at' }, values: { temperature: '/v' } },
      { unit: 'ULT-1', readings: [{ at: '2026-11-15T02:59:00Z', v: -80.5 }] },
      [['ULT-1', TAKEN, { temperature: -80.5 }]],
    ],
    [
      'one flat object',
      { device: '/id', rest: 'take' },
      { id: 'a', temperature: 4, open: false, note: 'x' },
      [['a', NOW, { temperature: 4, open: 0 }]],
    ],
    [
      'a word for a state',
      { device: '/id', values: { door: '/door~1state' } },
      { id: 'a', 'door/state': 'open' },
      [['a', NOW, { door: 1 }]],
    ],
  ])('%s', (_, mapping, body, entries) => expect(read(body, mapping)).toEqual({ rejected: [], entries }));
});

test.each([
  ['1794711540', 's', TAKEN],
  [1794711540.5, 's', TAKEN + 500],
  [1794711540000, 'ms', TAKEN],
  ['1794711540000000', 'us', TAKEN],
  [1794711540000000000, 'ns', TAKEN],
  ['2026-11-15 02:59:00', 'iso', TAKEN],
  ['15.11.2026 2:59', 'dd.MM.yyyy HH:mm', TAKEN],
  ['11/15/2026', 'MM/dd/yyyy', Date.parse('2026-11-15')],
  ['15/11/26', 'MM/dd/yyyy', null],
  ['13/45/2026', 'MM/dd/yyyy', null],
  ['soon', 's', null],
  [null, 'iso', null],
  [{}, 'ms', null],
])('%j as %s', (value, format, at) => expect(readMappedTime(value, format)).toBe(at));

test.each<[string, unknown, Mapping, string]>([
  ['no JSON', '{', { device: '/id' }, 'the body is not valid JSON'],
  ['nothing there', {}, { each: '/list/*', device: '/id' }, 'there is nothing at /list/*'],
  ['no device', { id: null }, { device: '/id' }, 'there is no device at /id'],
  [
    'no time',
    { id: 'a', t: 1 },
    { device: '/id', time: { path: '/at' }, rest: 'take' },
    'the time at /at cannot be read; that of receipt was taken',
  ],
  [
    'what every object has',
    { id: 'a' },
    { device: '/constructor/name' },
    'there is no device at /constructor/name',
  ],
])('%s is refused', (_, body, mapping, reason) => expect(read(body, mapping).rejected).toEqual([reason]));

test('without a mapping everything is refused', () => {
  expect(readText('{}', {}).value).toMatchObject({
    rejected: [{ why: fault('the source has no mapping yet') }],
  });
});

test('one bad item costs no other', () => {
  const mapping: Mapping = { each: '/*', device: '/id', rest: 'take' };
  expect(read([{ id: 'a', t: 1 }, 7, { id: [] }, { id: 'b', t: 2 }], mapping)).toEqual({
    rejected: ['there is no device at /id', 'there is no device at /id'],
    entries: [
      ['a', NOW, { t: 1 }],
      ['b', NOW, { t: 2 }],
    ],
  });
});

test('any JSON is read by any mapping without an exception', () => {
  const path = fc.constantFrom('', '/a', '/*', '/a/*', '^/a', '/0', '/a/b', 'key:*');
  fc.assert(
    fc.property(fc.jsonValue(), path, path, path, (body, each, device, value) => {
      const mapping: Mapping = {
        each: each === 'key:*' ? '' : each,
        device,
        values: { t: value },
        rest: 'take',
      };
      const { value: post } = readText(JSON.stringify(body), { mapping });
      if (typeof post === 'string') return;
      for (const { values } of post.entries)
        for (const [, read] of values) expect(read).toSatisfy(Number.isFinite);
    }),
  );
});

test('bytes are left to the codec, which says what they hold', () => {
  const settings: SourceSettings = {
    codec: 'function Decoder() {}',
    mapping: {
      each: '/list/*',
      device: '/id',
      time: { path: '/at', format: 's' },
      payload: { path: '/hex', encoding: 'hex', port: '/port' },
    },
  };
  const list = [
    { id: 'a', at: NOW / 1_000, hex: 'E0b2', port: '7' },
    { id: 'b', at: NOW / 1_000, hex: 'E0b' },
  ];
  const post = readText(JSON.stringify({ list }), settings).value as WayPost;
  expect(post.rejected).toEqual([
    { index: 1, why: fault('there is no {encoding} at {path}', { encoding: 'hex', path: '/hex' }) },
  ]);
  const [undecoded] = post.undecoded ?? [];
  expect(undecoded?.uplink).toEqual({ bytes: [0xe0, 0xb2], fPort: 7, recvTime: NOW, variables: {} });
  undecoded?.take([{ temperature: -80 }]);
  expect(post.entries.filter(({ values }) => values.length > 0)).toMatchObject([
    { target: { device: 'a' }, at: NOW, values: [['temperature', -80, false]] },
  ]);
});

describe('whatever is sent, and whatever is asked of it, the work is bounded', () => {
  const many = (count: number, rule: (index: number) => unknown) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`c${index}`, rule(index)])) as never;
  const list = (count: number, item: unknown) => JSON.stringify(Array.from({ length: count }, () => item));

  test('many lines over many items are read a piece at a time, up to a most', () => {
    const mapping: Mapping = { each: '/*', device: '/id', values: many(490, (n) => `/a/b${n}`) };
    const { value: post, stretches } = readText(list(10_000, { id: 'a', a: { b3: 1 } }), { mapping });
    const { rejected, entries } = post as WayPost;
    expect(rejected.map(({ why }) => sayRefused(why, english))).toEqual([
      `nothing was read after it: ${MOST_PLACES} places are looked at in one post`,
    ]);
    expect(entries.length).toBeGreaterThan(500);
    expect(entries.every(({ values }) => values.length === 1)).toBe(true);
    expect(stretches).toBeGreaterThan(100);
  });

  test('what counts from the top is looked for once', () => {
    const values = many(490, (place) => ({ path: '^/v', part: ['|', place], number: true }));
    const body = { v: Array.from({ length: 400 }, (_, n) => n).join('|'), list: Array(9).fill({ id: 'a' }) };
    const { value: post } = readText(JSON.stringify(body), {
      mapping: { each: '/list/*', device: '/id', values },
    });
    expect((post as WayPost).entries.map(({ values }) => values.at(-1))).toEqual(
      Array(9).fill(['c399', 399, false]),
    );
  });

  test('a number in text without end, and a text in pieces without end, are none', () => {
    const values = many(2, (place) => ({ path: '/v', part: ['|', place], number: true }));
    for (const v of [`${'1'.repeat(60_000)}x`, '1'.repeat(60_000), '|'.repeat(200_000)])
      expect(
        readText(JSON.stringify({ id: 'a', v }), { mapping: { device: '/id', values } }).value,
      ).toMatchObject({
        rejected: [],
        entries: [{ values: [] }],
      });
  });

  test('what stands below a name without end is refused once', () => {
    const inner = Object.fromEntries(Array.from({ length: 9_000 }, (_, n) => [`k${n}`, n]));
    const body = { id: 'a', ['k'.repeat(100_000)]: { deeper: inner }, t: 4 };
    const { value: post } = readText(JSON.stringify(body), { mapping: { device: '/id', rest: 'take' } });
    expect((post as WayPost).rejected).toHaveLength(1);
    expect(post).toMatchObject({ entries: [{ values: [['t', 4, false]] }] });
  });

  test('what is more than an entry may hold is refused once', () => {
    const body = { id: 'a', ...Object.fromEntries(Array.from({ length: 9_000 }, (_, n) => [`k${n}`, n])) };
    const { value: post } = readText(JSON.stringify(body), { mapping: { device: '/id', rest: 'take' } });
    expect((post as WayPost).rejected).toEqual([{ index: 0, why: { code: 'too_many_values', most: 500 } }]);
    expect((post as WayPost).entries[0]?.values).toHaveLength(500);
  });

  test('JSON that is too deep is named', () => {
    expect(readText('['.repeat(60_000), { mapping: { device: '/id' } }).value).toMatchObject({
      rejected: [{ why: fault('the JSON is more than {most} levels deep', { most: 50 }) }],
    });
  });
});

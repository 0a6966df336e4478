import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { finish } from '../../../test/support/finish.ts';
import { english } from '../language/english.ts';
import { sayRefused } from '../readings/refused.ts';
import type { WayPost } from './gather-readings.ts';
import type { SourceSettings } from './source-settings.ts';
import { NO_READER, readTopic } from './topics.ts';

const NOW = Date.parse('2026-11-15T03:00:00Z');
const HEARD = NOW - 1_000;

const read = (topic: string, body: unknown, settings: SourceSettings = {}): WayPost => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const post = finish(readTopic(topic, new TextEncoder().encode(text), { settings, receivedAt: NOW })).value;
  if (typeof post === 'string') throw new Error(post);
  return post;
};
const entriesOf = ({ entries }: WayPost) =>
  entries.map(({ target, at, values }) => [
    (target as { device: string }).device,
    at,
    Object.fromEntries(values.map(([name, value]) => [name, value])),
  ]);
const reasonsOf = ({ rejected }: WayPost) => rejected.map(({ why }) => sayRefused(why, english));

describe('our own topics', () => {
  test.each<[string, string, unknown, unknown[]]>([
    ['values', 'tocsin/d', { temperature: -80, door: false }, [['d', NOW, { temperature: -80, door: 0 }]]],
    ['values with a time', 'tocsin/d', { time: HEARD, t: 1 }, [['d', HEARD, { t: 1 }]]],
    ['values in their own place', 'tocsin/d', { ts: HEARD, values: { t: 1 } }, [['d', HEARD, { t: 1 }]]],
    [
      'a list',
      'tocsin/d',
      [{ time: '2026-11-15T02:59:59Z', t: 1 }, { t: 2 }],
      [
        ['d', HEARD, { t: 1 }],
        ['d', NOW, { t: 2 }],
      ],
    ],
    ['a channel that is called values', 'tocsin/d', { values: 3, t: 1 }, [['d', NOW, { values: 3, t: 1 }]]],
    ['nested values', 'tocsin/d', { probe: { a: 1 } }, [['d', NOW, { 'probe.a': 1 }]]],
    ['a single number', 'tocsin/d/temperature', '-79.5', [['d', NOW, { temperature: -79.5 }]]],
    ['a single word', 'tocsin/d/door', 'open', [['d', NOW, { door: 1 }]]],
    ['that it is reached', 'tocsin/d/online', '1', [['d', NOW, { online: 1 }]]],
    ['that it is not', 'tocsin/d/online', 'offline', [['d', NOW, { online: 0 }]]],
  ])('%s', (_, topic, body, expected) => expect(entriesOf(read(topic, body))).toEqual(expected));

  test.each([
    ['tocsin/d', 'no JSON', 'the body is not valid JSON'],
    ['tocsin/d', '3', 'must be an object of channels and numbers'],
    ['tocsin/d/a/b', '3', 'topics are tocsin/<device> or tocsin/<device>/<channel>'],
    ['tocsin', '{"t":1}', 'the device must be a key in text'],
    ['tocsin/d/online', 'perhaps', 'must be 1 or 0, online or offline'],
    ['tocsin/d', '{"time":"tomorrow","t":1}', 'the time cannot be read; that of receipt was taken'],
  ])('%s with %s is refused', (topic, text, reason) =>
    expect(reasonsOf(read(topic, text))).toEqual([reason]),
  );

  test('an empty place is a fault', () => {
    expect(read('tocsin/d', { temperature: null, battery: 3 }).entries).toMatchObject([
      { faults: ['temperature'], values: [['battery', 3, false]] },
    ]);
    expect(read('tocsin/d/temperature', 'null').entries).toMatchObject([{ faults: ['temperature'] }]);
  });
});

describe('Zigbee2MQTT', () => {
  test.each<[string, string, unknown, unknown[]]>([
    [
      'an Aqara thermometer',
      'zigbee2mqtt/Fridge 2',
      {
        battery: 91,
        humidity: 44.6,
        last_seen: '2026-11-15T02:59:59.000Z',
        linkquality: 120,
        power_outage_count: 3,
        pressure: 1002.1,
        temperature: 4.37,
        voltage: 2985,
        update: { installed_version: 5, latest_version: 5, state: 'idle' },
      },
      [
        [
          'Fridge 2',
          HEARD,
          {
            battery: 91,
            humidity: 44.6,
            linkquality: 120,
            power_outage_count: 3,
            pressure: 1002.1,
            temperature: 4.37,
            voltage: 2985,
          },
        ],
      ],
    ],
    [
      'a contact, last seen in milliseconds',
      'zigbee2mqtt/cold room/door',
      { contact: false, last_seen: HEARD },
      [['cold room/door', HEARD, { contact: 0 }]],
    ],
    [
      'that it is reached',
      'zigbee2mqtt/cold room/door/availability',
      { state: 'online' },
      [['cold room/door', NOW, { online: 1 }]],
    ],
    ['the same in a word', 'zigbee2mqtt/Plug/availability', 'offline', [['Plug', NOW, { online: 0 }]]],
    ['what the bridge says of itself', 'zigbee2mqtt/bridge/state', { state: 'online' }, []],
    ['what somebody sends to a device', 'zigbee2mqtt/Plug/set', { state: 'ON' }, []],
    ['a message that clears what was retained', 'zigbee2mqtt/Plug', '', []],
  ])('%s', (_, topic, body, expected) => {
    const post = read(topic, body);
    expect(entriesOf(post)).toEqual(expected);
    expect(post.rejected).toEqual([]);
  });
});

describe('Shelly', () => {
  const RPC = 'shellyplusht-c049ef8b3a44/events/rpc';
  test.each<[string, unknown, unknown[]]>([
    [
      'a Plus H&T that wakes up',
      {
        src: 'shellyplusht-c049ef8b3a44',
        dst: 'shellyplusht-c049ef8b3a44/events',
        method: 'NotifyFullStatus',
        params: {
          ts: HEARD / 1000,
          ble: {},
          cloud: { connected: false },
          'devicepower:0': { id: 0, battery: { V: 5.1, percent: 82 }, external: { present: false } },
          'humidity:0': { id: 0, rh: 41.3 },
          'temperature:0': { id: 0, tC: 4.1, tF: 39.4 },
          sys: { uptime: 2, ram_free: 98420 },
          wifi: { rssi: -61 },
        },
      },
      [
        [
          'shellyplusht-c049ef8b3a44',
          HEARD,
          {
            'devicepower:0.battery.V': 5.1,
            'devicepower:0.battery.percent': 82,
            'devicepower:0.external.present': 0,
            'humidity:0.rh': 41.3,
            'temperature:0.tC': 4.1,
          },
        ],
      ],
    ],
    [
      'a contact of the add-on, by a device without a clock',
      { src: 's', method: 'NotifyStatus', params: { ts: null, 'input:100': { id: 100, state: true } } },
      [['shellyplusht-c049ef8b3a44', NOW, { 'input:100.state': 1 }]],
    ],
    ['an event', { method: 'NotifyEvent', params: { ts: 1, events: [{ id: 0 }] } }, []],
    ['a start', { method: 'NotifyStatus', params: { ts: 1, sys: { uptime: 1 } } }, []],
  ])('%s', (_, body, expected) => {
    const post = read(RPC, body);
    expect(entriesOf(post)).toEqual(expected);
    expect(post.rejected).toEqual([]);
  });

  test('a probe that is pulled out is a fault', () => {
    const params = { ts: HEARD / 1000, 'temperature:100': { id: 100, tC: null, tF: null, errors: ['read'] } };
    expect(read(RPC, { method: 'NotifyStatus', params }).entries).toMatchObject([
      { faults: ['temperature:100.tC'], values: [] },
    ]);
  });

  test('its will', () => {
    expect(entriesOf(read('lab/shelly-1/online', 'false'))).toEqual([['lab/shelly-1', NOW, { online: 0 }]]);
  });
});

describe('network servers', () => {
  test('ChirpStack', () => {
    const body = { deviceInfo: { devEui: 'A84041' }, time: '2026-11-15T02:59:59Z', object: { t: 1 } };
    const topic = 'application/7f1b/device/a84041/event';
    expect(entriesOf(read(`${topic}/up`, body))).toEqual([['a84041', HEARD, { t: 1 }]]);
    expect(entriesOf(read(`${topic}/join`, body))).toEqual([]);
  });
  test('The Things Stack', () => {
    const uplink = { received_at: '2026-11-15T02:59:59Z', decoded_payload: { t: 1 } };
    const topic = 'v3/lab@tenant/devices/freezer-1';
    const named = { end_device_ids: { dev_eui: 'A84041' }, uplink_message: uplink };
    expect(entriesOf(read(`${topic}/up`, named))).toEqual([['a84041', HEARD, { t: 1 }]]);
    expect(entriesOf(read(`${topic}/up`, { uplink_message: uplink }))).toEqual([
      ['freezer-1', HEARD, { t: 1 }],
    ]);
    expect(entriesOf(read(`${topic}/join`, { join_accept: {} }))).toEqual([]);
  });
});

test('what a broker has retained counts only with a time of its own, or where it says whether a device is reached', () => {
  const retained = (topic: string, body: unknown) =>
    finish(
      readTopic(topic, new TextEncoder().encode(JSON.stringify(body)), {
        settings: {},
        receivedAt: NOW,
        isRetained: true,
      }),
    ).value as WayPost;
  expect(entriesOf(retained('zigbee2mqtt/d', { t: 1 }))).toEqual([]);
  const dated = { t: 1, last_seen: '2026-11-15T02:59:59Z' };
  expect(entriesOf(retained('zigbee2mqtt/d', dated))).toEqual([['d', HEARD, { t: 1 }]]);
  const state = { state: 'offline' };
  expect(entriesOf(retained('zigbee2mqtt/d/availability', state))).toEqual([['d', NOW, { online: 0 }]]);
});

describe('any topic, by a mapping', () => {
  test('levels of the topic name the device and the channel of a bare value', () => {
    const settings = { mapping: { device: 'topic:1', values: { 'topic:2': { path: '', number: true } } } };
    expect(entriesOf(read('lab/ULT-7/temperature', '-79.5', settings))).toEqual([
      ['ULT-7', NOW, { temperature: -79.5 }],
    ]);
    expect(entriesOf(read('lab/ULT-7/door', 'open', settings))).toEqual([['ULT-7', NOW, { door: 1 }]]);
    expect(entriesOf(read('lab/ULT-7/note', 'hello', settings))).toEqual([['ULT-7', NOW, {}]]);
    expect(reasonsOf(read('lab', '1', settings))).toEqual(['there is no device at topic:1']);
  });
  test('Tasmota', () => {
    const settings: SourceSettings = {
      clock: 'receipt',
      mapping: { device: 'topic:1', values: { temperature: '/DS18B20/Temperature' } },
    };
    const body = { Time: '2026-11-15T04:00:00', DS18B20: { Id: '01', Temperature: 4.5 }, TempUnit: 'C' };
    expect(entriesOf(read('tele/fridge-4/SENSOR', body, settings))).toEqual([
      ['fridge-4', NOW, { temperature: 4.5 }],
    ]);
  });
  test('a mapping reads what others would, but our own topics', () => {
    const settings: SourceSettings = { mapping: { device: 'topic:0', rest: 'take' } };
    expect(entriesOf(read('zigbee2mqtt/x', { t: 1 }, settings))).toEqual([['zigbee2mqtt', NOW, { t: 1 }]]);
    expect(entriesOf(read('tocsin/d', { t: 1 }, settings))).toEqual([['d', NOW, { t: 1 }]]);
  });
});

test('a topic that nobody reads is refused in words that gather', () => {
  expect(reasonsOf(read('weather/today', 'fine'))).toEqual([sayRefused(NO_READER, english)]);
  expect(reasonsOf(read('', ''))).toEqual([sayRefused(NO_READER, english)]);
});

test('whatever comes, nothing is thrown, and every entry can be stored', () => {
  const levels = fc.constantFrom(
    'tocsin',
    'zigbee2mqtt',
    'application',
    'device',
    'event',
    'up',
    'v3',
    'devices',
    'events',
    'rpc',
    'online',
    'availability',
    'd',
    '',
  );
  const topic = fc.oneof(
    fc.array(levels, { maxLength: 6 }).map((list) => list.join('/')),
    fc.string(),
  );
  const payload = fc.oneof(fc.json(), fc.string(), fc.constantFrom('1', 'null', '[]', '{}', 'true'));
  const mapping = fc.option(fc.constantFrom({ device: 'topic:0', rest: 'take' as const }), {
    nil: undefined,
  });
  fc.assert(
    fc.property(topic, payload, mapping, (name, text, mapped) => {
      const settings = mapped ? { mapping: mapped } : {};
      const post = finish(
        readTopic(name, new TextEncoder().encode(text), { settings, receivedAt: NOW }),
      ).value;
      if (typeof post === 'string') return;
      for (const { at, values, target } of post.entries) {
        expect(at).toBeLessThanOrEqual(NOW + 600_000);
        expect((target as { device: string }).device.trim()).not.toBe('');
        for (const [channel, value] of values) {
          expect(channel).not.toBe('');
          expect(Number.isFinite(value)).toBe(true);
        }
      }
    }),
  );
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sayRejected } from '../readings/telemetry.ts';
import { readChirpstack } from './chirpstack.ts';
import type { WayPost } from './gather-readings.ts';
import type { SourceSettings } from './source-settings.ts';
import { readTts } from './tts.ts';

const NOW = Date.parse('2026-11-15T03:00:00Z');
const HEARD = NOW - 1_000;

const chirpstack = (body: unknown, settings: SourceSettings = {}, event = 'up') =>
  readChirpstack(typeof body === 'string' ? body : JSON.stringify(body), {
    event,
    settings,
    receivedAt: NOW,
  });
const tts = (body: unknown, settings: SourceSettings = {}, device = '') =>
  readTts(typeof body === 'string' ? body : JSON.stringify(body), { device, settings, receivedAt: NOW });
const entriesOf = ({ entries }: WayPost) =>
  entries.map(({ target, at, values }) => [
    (target as { device: string }).device,
    at,
    Object.fromEntries(values.map(([name, value]) => [name, value])),
  ]);

const UP = {
  deduplicationId: '3ac7e3c4-4401-4b8d-9386-a5c902f9202d',
  time: '2026-11-15T02:59:59.000023242+00:00',
  deviceInfo: {
    tenantName: 'Lab',
    applicationName: 'Cold storage',
    deviceProfileName: 'LHT65',
    deviceName: 'Freezer 1',
    devEui: 'A840410101010101',
    tags: { room: '101' },
  },
  fCnt: 4,
  fPort: 2,
  data: 'qg==',
  rxInfo: [{ gatewayId: '0016c001f153a14c', rssi: -36, snr: 10.5 }],
};

describe('ChirpStack', () => {
  test.each<[string, object, object]>([
    [
      'a Dragino LHT65 with a probe',
      { TempC_SHT: 21.4, Hum_SHT: 41.2, TempC_DS: -79.8, BatV: 3.05, Ext_sensor: 'Temperature Sensor' },
      { TempC_SHT: 21.4, Hum_SHT: 41.2, TempC_DS: -79.8, BatV: 3.05 },
    ],
    [
      'a Milesight EM300',
      { temperature: 4.2, humidity: 55, battery: 97 },
      { temperature: 4.2, humidity: 55, battery: 97 },
    ],
    [
      'a Milesight contact',
      { magnet_status: 'open', tamper_status: 'normal' },
      { magnet_status: 1, tamper_status: 0 },
    ],
    [
      'something nested',
      { probe: { ambient: { value: 2 } }, list: [1, { a: true }] },
      { 'probe.ambient.value': 2, 'list.0': 1, 'list.1.a': 1 },
    ],
  ])('%s', (_, object, values) =>
    expect(entriesOf(chirpstack({ ...UP, object }))).toEqual([['a840410101010101', HEARD, values]]),
  );

  test('two probes of a logger are two devices', () => {
    const settings = { split: { Temp_Channel1: '#1', Temp_Channel2: '#2' } };
    expect(
      entriesOf(chirpstack({ ...UP, object: { Temp_Channel1: -80, Temp_Channel2: 4, BatV: 3 } }, settings)),
    ).toEqual([
      ['a840410101010101', HEARD, { BatV: 3 }],
      ['a840410101010101#1', HEARD, { temperature: -80 }],
      ['a840410101010101#2', HEARD, { temperature: 4 }],
    ]);
  });

  test('a probe that cannot measure says so', () => {
    expect(chirpstack({ ...UP, object: { TempC_DS: null, BatV: 3 } }).entries).toMatchObject([
      { values: [['BatV', 3, false]], faults: ['TempC_DS'] },
    ]);
  });

  test('what its source says is no measurement is none, as it is sent', () => {
    const settings = {
      units: { tf: '°F' as const },
      faults: { t: { below: -40, exactly: [85] }, mA: { below: 3.6, above: 21 }, tf: { exactly: [-49.9] } },
    };
    const object = { t: -40.1, mA: 21.5, tf: -49.9 };
    expect(chirpstack({ ...UP, object }, settings).entries).toMatchObject([
      { values: [], faults: ['t', 'mA', 'tf'] },
    ]);
    expect(entriesOf(chirpstack({ ...UP, object: { t: -40, mA: 3.6, tf: 32 } }, settings))).toEqual([
      ['a840410101010101', HEARD, { t: -40, mA: 3.6, tf: 0 }],
    ]);
  });

  test('very many empty places are read no slower than others', () => {
    const object = Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`t${index}`, null]));
    const { entries, rejected } = chirpstack({ ...UP, object });
    expect(entries[0]?.faults).toHaveLength(500);
    expect(rejected).toHaveLength(1);
  });

  test.each(['join', 'status', 'ack', 'txack', 'log', 'location', 'integration'])(
    '%s is no reading',
    (event) =>
      expect(chirpstack({ ...UP, batteryLevel: 90 }, {}, event)).toEqual({
        entries: [],
        rejected: [],
        suspects: new Set(),
      }),
  );

  test.each([
    ['no JSON', '{', 'the body is not valid JSON'],
    ['no device', { object: { t: 1 } }, 'names no deviceInfo.devEui'],
    ['no codec', UP, 'has no object: the device profile has no codec that decodes the payload'],
  ])('%s is refused', (_, body, reason) =>
    expect(sayRejected(chirpstack(body).rejected)).toEqual([{ index: 0, reason }]),
  );
});

const UPLINK = {
  end_device_ids: {
    device_id: 'freezer-1',
    application_ids: { application_id: 'lab' },
    dev_eui: '0004A30B001C0530',
  },
  received_at: '2026-11-15T02:59:59.500Z',
  uplink_message: { f_port: 1, frm_payload: 'gkHe', received_at: '2026-11-15T02:59:59.000Z' },
};
const upWith = (message: object) => ({ ...UPLINK, uplink_message: { ...UPLINK.uplink_message, ...message } });

describe('The Things Stack', () => {
  test('what the payload formatter decoded', () => {
    const body = upWith({
      decoded_payload: { temperature: -79.8, door: false },
      decoded_payload_warnings: [],
    });
    expect(entriesOf(tts(body))).toEqual([['0004a30b001c0530', HEARD, { temperature: -79.8, door: 0 }]]);
  });

  test('what is agreed on before what the maker says, each at its time', () => {
    const normalized_payload = [
      { time: '2026-11-15T02:40:00Z', air: { temperature: -21.3, relativeHumidity: 43.9 } },
      { time: '2026-11-15T02:50:00Z', air: { temperature: -21.4 }, action: { contactState: 'closed' } },
    ];
    const body = upWith({ normalized_payload, decoded_payload: { t: 1 } });
    expect(entriesOf(tts(body, { clock: 'device' }))).toEqual([
      [
        '0004a30b001c0530',
        Date.parse('2026-11-15T02:40:00Z'),
        { 'air.temperature': -21.3, 'air.relativeHumidity': 43.9 },
      ],
      [
        '0004a30b001c0530',
        Date.parse('2026-11-15T02:50:00Z'),
        { 'air.temperature': -21.4, 'action.contactState': 0 },
      ],
    ]);
  });

  test('a normalized uplink holds one measurement', () => {
    const { uplink_message: _, ...ids } = UPLINK;
    const body = {
      ...ids,
      uplink_normalized: {
        normalized_payload: { air: { temperature: 4 } },
        received_at: '2026-11-15T02:59:59Z',
      },
    };
    expect(entriesOf(tts(body))).toEqual([['0004a30b001c0530', HEARD, { 'air.temperature': 4 }]]);
  });

  test('the address names the device where a field mask left it out', () => {
    const body = { uplink_message: { decoded_payload: { t: 1 } } };
    expect(entriesOf(tts(body, {}, '0004A30B001C0530'))).toEqual([['0004a30b001c0530', NOW, { t: 1 }]]);
  });

  test.each([
    ['a join', { end_device_ids: UPLINK.end_device_ids, join_accept: {} }],
    ['a simulated message', { ...upWith({ decoded_payload: { t: 1 } }), simulated: true }],
    ['a list', []],
  ])('%s is no reading', (_, body) => expect(tts(body)).toMatchObject({ entries: [], rejected: [] }));

  test.each([
    ['no JSON', 'x', 'the body is not valid JSON'],
    ['no device', { uplink_message: { decoded_payload: { t: 1 } } }, 'names no end_device_ids.dev_eui'],
    ['nothing decoded', UPLINK, 'has no decoded_payload: the device has no payload formatter, or it failed'],
  ])('%s is refused', (_, body, reason) =>
    expect(sayRejected(tts(body).rejected)).toEqual([{ index: 0, reason }]),
  );
});

test('any JSON in any place is read without an exception, and brings finite numbers only', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
      const bodies: WayPost[] = [
        chirpstack(one),
        chirpstack({ ...UP, object: one, time: other }),
        chirpstack({ deviceInfo: one, object: other }),
        tts(one),
        tts(upWith({ decoded_payload: one, normalized_payload: other })),
        tts({ ...UPLINK, end_device_ids: one, uplink_message: other }),
      ];
      for (const { entries } of bodies)
        for (const { values } of entries)
          for (const [, value] of values) expect(value).toSatisfy(Number.isFinite);
    }),
  );
});

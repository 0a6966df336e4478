// Our own failure on every way in: 503 with Retry-After, so that senders keep what they have, and what they send again is there.
import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Freezer, type Lab, openLab } from '../support/lab.ts';
import { packSnappy } from '../support/pack-snappy.ts';
import { CONTENT_TYPES, writeRequest1 } from '../support/remote-write.ts';
import { countStored } from '../support/stored-readings.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
let lab: Lab;
let freezer: Freezer;
beforeAll(async () => {
  server = await startServer();
  lab = await openLab(server);
  freezer = await lab.freezer();
  await lab.source({ settings: { mapping: { device: '/id', rest: 'take' }, metrics: ['t'] } });
  await server.db.query(sql`
    create function refuse_readings() returns trigger language plpgsql as $$ begin raise 'the disk is on fire'; end $$`);
});

const JSON_TYPE = { 'content-type': 'application/json' };
interface Way {
  path: string;
  body: (device: string, at: number) => BodyInit;
  headers?: Record<string, string>;
}
const WAYS: Record<string, Way> = {
  'own JSON': {
    path: '',
    body: (device, time) => JSON.stringify([{ device, time, values: { own: 1 } }]),
    headers: JSON_TYPE,
  },
  'InfluxDB 1': {
    path: '/influx/write?precision=ms',
    body: (device, at) => `m,device=${device} one=1 ${at}`,
  },
  'InfluxDB 2': {
    path: '/influx/api/v2/write?precision=ms',
    body: (device, at) => `m,device=${device} two=1 ${at}`,
  },
  ChirpStack: {
    path: '/chirpstack?event=up',
    body: (device, at) =>
      JSON.stringify({
        deviceInfo: { devEui: device },
        time: new Date(at).toISOString(),
        object: { chirp: 1 },
      }),
    headers: JSON_TYPE,
  },
  'The Things Stack': {
    path: '/tts',
    body: (device, at) =>
      JSON.stringify({
        end_device_ids: { dev_eui: device },
        uplink_message: { received_at: new Date(at).toISOString(), decoded_payload: { things: 1 } },
      }),
    headers: JSON_TYPE,
  },
  'any JSON': { path: '/json', body: (id) => JSON.stringify({ id, mapped: 1 }), headers: JSON_TYPE },
  Prometheus: {
    path: '/prometheus',
    body: (device, at) =>
      new Uint8Array(
        packSnappy(Buffer.from(writeRequest1([{ labels: { __name__: 't', device }, samples: [[1, at]] }]))),
      ),
    headers: { 'content-type': CONTENT_TYPES[1], 'content-encoding': 'snappy' },
  },
  OpenTelemetry: {
    path: '/otlp/v1/metrics',
    body: (device, at) => {
      const attributes = [{ key: 'device', value: { stringValue: device } }];
      const dataPoints = [{ asDouble: 1, timeUnixNano: `${at}000000`, attributes }];
      return JSON.stringify({
        resourceMetrics: [{ scopeMetrics: [{ metrics: [{ name: 't', gauge: { dataPoints } }] }] }],
      });
    },
    headers: JSON_TYPE,
  },
};

describe.each(Object.entries(WAYS))('%s', (_, { path, body, headers }) => {
  test('503 with Retry-After, and the same once more is stored', async () => {
    server.clock.advance(1000);
    const sent = body(freezer.device, server.clock.read().getTime());
    const send = () =>
      fetch(`${server.url}/api/v1/telemetry${path}`, {
        method: 'POST',
        body: sent,
        headers: { authorization: `Bearer ${lab.secret}`, ...headers },
      });
    const before = await countStored(server.db, [freezer.id]);
    await server.db.query(sql`
      create trigger refused before insert on reading_inbox for each statement execute function refuse_readings()`);
    const refused = await send();
    await server.db.query(sql`drop trigger refused on reading_inbox`);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await countStored(server.db, [freezer.id])).toBe(before);
    expect((await send()).status).toBeLessThan(300);
    expect(await countStored(server.db, [freezer.id])).toBe(before + 1);
  });
});

// Other ways in than our own JSON: webhooks of network servers, as docs/ways-in.md tells them.
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { type Lab, openLab } from '../support/lab.ts';
import { STORY_BEGINS_AT } from '../support/movable-clock.ts';
import { listStored } from '../support/stored-readings.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
let lab: Lab;
beforeAll(async () => {
  server = await startServer();
});
beforeEach(async () => {
  lab = await openLab(server);
});

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${server.url}/api/v1/telemetry/${path}`, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { authorization: `Bearer ${lab.secret}`, 'content-type': 'application/json', ...headers },
  });
const HEARD_AT = new Date(STORY_BEGINS_AT.getTime() - 1_000);
const up = (devEui: string, object: unknown) => ({
  deviceInfo: { devEui },
  time: HEARD_AT.toISOString(),
  fPort: 2,
  object,
});
const uplink = (dev_eui: string, decoded_payload: unknown) => ({
  end_device_ids: { device_id: 'x', dev_eui },
  uplink_message: { decoded_payload, received_at: HEARD_AT.toISOString() },
});

test.each<[string, (key: string, values: unknown) => [path: string, body: unknown]]>([
  ['ChirpStack', (key, values) => ['chirpstack?event=up', up(key, values)]],
  ['The Things Stack', (key, values) => ['tts', uplink(key, values)]],
])('what %s sends is stored once, at the time of the network, and judged', async (_, write) => {
  const freezer = await lab.freezer({
    limits: [{ channel: 'temperature', bands: { CRITICAL_HIGH: { limit: -60, delay: 0, sustained: 0 } } }],
  });
  const [path, body] = write(freezer.device.toUpperCase(), { temperature: -40, battery: 97 });
  expect(await (await post(path, body)).json()).toEqual({ accepted: 2, duplicates: 0, rejected: [] });
  expect(await (await post(path, body)).json()).toEqual({ accepted: 0, duplicates: 2, rejected: [] });
  expect(await listStored(server.db, freezer.id)).toMatchObject([
    { name: 'battery', at: HEARD_AT, value: 97 },
    { name: 'temperature', at: HEARD_AT, value: -40 },
  ]);
  expect(await lab.alarms()).toMatchObject([{ service_id: freezer.id, severity: 'critical' }]);
});

test('a probe that is pulled out is no reading, and raises an alarm', async () => {
  const freezer = await lab.freezer();
  const says = async (object: unknown) => {
    const time = server.clock.read().toISOString();
    const answer = await post('chirpstack?event=up', { ...up(freezer.device, object), time });
    server.clock.advance(60_000);
    return answer.json();
  };
  await says({ temperature: -80, battery: 97 });
  for (const temperature of [-127, 327.67, null, 'Sensor no connection'])
    expect(await says({ temperature, battery: 97 })).toEqual({ accepted: 1, duplicates: 0, rejected: [] });
  await lab.advance(120_000);
  expect(await lab.alarms()).toMatchObject([
    { service_id: freezer.id, severity: 'warning', message: 'Probe of temperature is not measuring' },
  ]);
  await says({ temperature: -79, battery: 97 });
  expect(await lab.alarms()).toEqual([]);
  const stored = (await listStored(server.db, freezer.id)).filter(({ name }) => name !== 'battery');
  expect(stored.map(({ name, value }) => [name, value])).toEqual([
    ['temperature', -80],
    ['temperature_fault', 1],
    ['temperature', -79],
    ['temperature_fault', 0],
  ]);
});

test('an unknown probe waits to be adopted, and is no refusal', async () => {
  const answer = await post('chirpstack?event=up', up('A84041FFFF', { temperature: 4 }));
  expect(answer.status).toBe(200);
  expect(
    await server.db.query(sql`
      select key from device where organization_id = ${lab.organization} and service_id is null`),
  ).toEqual([{ key: 'a84041ffff' }]);
});

test('whatever comes is answered with 200, and what was refused is kept', async () => {
  for (const [path, body] of [
    ['chirpstack', '{'],
    ['chirpstack?event=up', up('a84041', undefined)],
    ['chirpstack?event=join', {}],
    ['tts', { join_accept: {} }],
    ['tts', uplink('a84041', {})],
  ] as const)
    expect((await post(path, body)).status).toBe(200);
  const refusals = () =>
    server.db.query(sql`
      select reason, count::int from source_refusal join source on source.id = source_id
      where organization_id = ${lab.organization} order by reason`);
  await expect.poll(refusals, { timeout: 20_000 }).toEqual([
    { reason: 'has no decoded_payload: the device has no payload formatter, or it failed', count: 1 },
    { reason: 'has no object: the device profile has no codec that decodes the payload', count: 1 },
    { reason: 'the body is not valid JSON', count: 1 },
  ]);
});

test('protobuf is told to be JSON, and a huge message is refused', async () => {
  const packed = await post('chirpstack?event=up', 'x', { 'content-type': 'application/octet-stream' });
  expect([packed.status, await packed.json()]).toEqual([
    415,
    { detail: 'Choose JSON as the encoding of the payload' },
  ]);
  expect((await post('tts', ' '.repeat(1_100_000))).status).toBe(413);
});

test('a Basic password is as good as a bearer', async () => {
  const authorization = `Basic ${Buffer.from(`tts:${lab.secret}`).toString('base64')}`;
  expect((await post('tts', {}, { authorization })).status).toBe(200);
});

// What speaks MQTT comes into the house: a mapping is tried on what came, a device says how often it reports, and that it is away.
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { type Lab, openLab } from '../support/lab.ts';
import { minutes } from '../support/movable-clock.ts';
import { connectMqtt, startMqtt, type TestListener } from '../support/mqtt.ts';
import { listStored } from '../support/stored-readings.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import { signedIn, type VisitorBrowser } from '../support/visitor.ts';

let server: TestServer;
let listener: TestListener;
let lab: Lab;
let ada: VisitorBrowser;
beforeAll(async () => {
  server = await startServer();
  listener = await startMqtt(server);
});
beforeEach(async () => {
  lab = await openLab(server);
  ada = await signedIn(server, lab.ada);
  await lab.source({ kind: 'mqtt' });
});

const publish = async (topic: string, payload: string) => {
  const client = await connectMqtt(listener.url, { password: lab.secret, clientId: `c${Math.random()}` });
  await client.publishAsync(topic, payload, { qos: 1 });
  await client.endAsync();
};

test('a mapping is tried on the last message that nothing else reads, with its topic', async () => {
  const [source] = await server.db.query<{ id: number }>(
    sql`select id from source where organization_id = ${lab.organization}`,
  );
  const home = `/settings/sources/${source?.id}`;
  expect(await ada.read(home)).toContain('Nothing has come yet');
  await publish('lab/ULT-9/temperature', '-79.8');
  await expect
    .poll(() => ada.read(home), { timeout: 20_000 })
    .toContain('<code>lab/ULT-9/temperature</code>');
  const settings = 'mapping: { device: "topic:1", values: { "topic:2": { path: "", number: true } } }';
  const tried = await (await ada.send(`${home}/try`, { kind: 'mqtt', settings })).text();
  expect(tried).toContain('ULT-9 · temperature: <strong>-79.8</strong>');
  const id = await lab.apply({ name: 'ULT-9', device: { key: 'ULT-9' } });
  expect((await ada.send(`${home}/change`, { kind: 'mqtt', settings })).status).toBe(303);
  await publish('lab/ULT-9/temperature', '-79.9');
  expect(await listStored(server.db, id)).toMatchObject([{ name: 'temperature', value: -79.9 }]);
});

test('a device that is away for ten minutes warns, in words, until it is back', async () => {
  const id = await lab.apply({ name: 'Gateway', device: { key: 'gw-3' }, stale_after_minutes: 0 });
  const alarm = async () => (await lab.alarms()).find(({ service_id }) => service_id === id);
  await publish('tocsin/gw-3/online', 'online');
  await lab.advance(minutes(1));
  await publish('tocsin/gw-3/online', 'offline');
  await lab.advance(minutes(9));
  expect(await alarm()).toBeUndefined();
  await lab.advance(minutes(2));
  expect(await alarm()).toMatchObject({ severity: 'warning', channel: 'online' });
  expect(await ada.read(`/services/${id}`)).toContain('offline');
  await publish('tocsin/gw-3/online', 'online');
  expect(await alarm()).toBeUndefined();
});

test('after how long its values expire proposes how often it reports', async () => {
  const announcement = {
    stat_t: 'node/temperature',
    unit_of_meas: '°C',
    exp_aft: 1200,
    dev: { ids: 'node-1' },
  };
  await publish('homeassistant/sensor/node-1/temperature/config', JSON.stringify(announcement));
  await publish('node/temperature', '-79.5');
  const [device] = await server.db.query<{ id: number }>(
    sql`select id from device where organization_id = ${lab.organization}`,
  );
  const page = await ada.read(`/settings/devices/${device?.id}`);
  expect(page).toMatch(
    /name="uplink_interval_minutes"[^>]*value="10"|value="10"[^>]*name="uplink_interval_minutes"/,
  );
  expect(page).toContain('Proposed by the device itself: 10.');
});

test.each([
  [
    'ESPHome',
    'homeassistant/sensor/probe-7/temperature/config',
    'probe-7/temperature',
    '-79.5',
    'probe-7-mac',
  ],
  [
    'Zigbee2MQTT',
    'homeassistant/sensor/0xa4/temperature/config',
    'zigbee2mqtt/ULT-7',
    '{"temperature":-79.5}',
    'ULT-7',
  ],
])(
  'a device that waits is called as %s announced it, and what it is',
  async (_, config, topic, said, key) => {
    const dev = { ids: ['probe-7-mac'], name: 'Freezer 7 <probe>', mdl: 'SNZB-02D', mf: 'SONOFF' };
    const announcement = { stat_t: topic, val_tpl: '{{ value_json.temperature }}', dev };
    const { val_tpl: _template, ...bare } = announcement;
    await publish(config, JSON.stringify(said.startsWith('{') ? announcement : bare));
    await publish(topic, said);
    const [device] = await server.db.query<{ id: number; key: string }>(
      sql`select id, key from device where organization_id = ${lab.organization}`,
    );
    expect(device?.key).toBe(key);
    const about = 'Freezer 7 &lt;probe>, SONOFF SNZB-02D';
    const source = /\/settings\/sources\/\d+/.exec(await ada.read('/settings/sources'))?.[0] ?? '';
    for (const page of [source, '/settings/devices', `/settings/devices/${device?.id}`])
      expect(await ada.read(page)).toContain(about);
    expect(await ada.read(`/settings/devices/${device?.id}`)).toMatch(
      /<input[^>]*name="name"[^>]*value="Freezer 7 &lt;probe>"/,
    );
  },
);

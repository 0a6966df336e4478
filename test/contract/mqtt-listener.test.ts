// The MQTT listener: who is let in, what is stored before it is answered, and what ends a connection.
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { generate, type IPublishPacket, type Packet } from 'mqtt-packet';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Freezer, type Lab, openLab } from '../support/lab.ts';
import { connectMqtt, greetAs, openBareClient, startMqtt, type TestListener } from '../support/mqtt.ts';
import { makeCertificate } from '../support/self-signed-certificate.ts';
import { listStored } from '../support/stored-readings.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import { signedIn } from '../support/visitor.ts';

let server: TestServer;
let listener: TestListener;
let lab: Lab;
let freezer: Freezer;
beforeAll(async () => {
  server = await startServer();
  listener = await startMqtt(server);
});
beforeEach(async () => {
  lab = await openLab(server);
  freezer = await lab.freezer();
});

const publish = (topic: string, payload: string, rest: Partial<IPublishPacket> = {}): IPublishPacket => ({
  cmd: 'publish',
  topic,
  payload,
  qos: 1,
  dup: false,
  retain: false,
  messageId: 1,
  ...rest,
});
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const stored = async () => (await listStored(server.db, freezer.id)).map(({ name, value }) => [name, value]);

describe('who comes', () => {
  test.each([3, 4, 5] as const)(
    'a client of version %s with the secret is let in, and keeps no session',
    async (version) => {
      const client = await openBareClient(listener.port, version);
      client.send({
        cmd: 'connect',
        protocolId: version === 3 ? 'MQIsdp' : 'MQTT',
        protocolVersion: version,
        clientId: 'probe',
        clean: false,
        password: Buffer.from(lab.secret),
        username: 'any',
      });
      expect(await client.next('connack')).toMatchObject({ sessionPresent: false });
      client.send(publish(`tocsin/${freezer.device}`, '{"temperature": -80}'));
      expect(await client.next('puback')).toMatchObject({ messageId: 1 });
      expect(await stored()).toEqual([['temperature', -80]]);
    },
  );

  test.each([
    [4, { returnCode: 4 }],
    [5, { reasonCode: 0x86 }],
  ] as const)('a wrong secret is refused in the words of version %s', async (version, words) => {
    const client = await greetless(version, 'wrong');
    expect(await client.next('connack')).toMatchObject(words);
    await client.closed;
  });

  const greetless = async (version: 4 | 5, secret: string | null, rest: object = {}) => {
    const client = await openBareClient(listener.port, version);
    const password = secret === null ? {} : { username: 'any', password: Buffer.from(secret) };
    client.send({
      cmd: 'connect',
      protocolId: 'MQTT',
      protocolVersion: version,
      clientId: 'probe',
      clean: true,
      ...password,
      ...rest,
    });
    return client;
  };

  test('without a password nobody is let in, nor without a name for a session', async () => {
    expect(await (await greetless(4, null)).next('connack')).toMatchObject({ returnCode: 4 });
    const nameless = await openBareClient(listener.port);
    const greeting = generate({
      cmd: 'connect',
      protocolId: 'MQTT',
      protocolVersion: 4,
      clientId: '',
      clean: true,
      username: 'any',
      password: Buffer.from(lab.secret),
    });
    // The library has no words for it.
    const CLEAN = 9;
    greeting[CLEAN] = Number(greeting[CLEAN]) & ~2;
    nameless.send(greeting);
    expect(await nameless.next('connack')).toMatchObject({ returnCode: 2 });
    const named = await greetless(5, lab.secret, { clientId: '' });
    expect(await named.next('connack')).toMatchObject({
      reasonCode: 0,
      properties: { assignedClientIdentifier: expect.stringMatching(/./), receiveMaximum: 100 },
    });
  });

  test('what comes before CONNECT ends the connection, and so does a second one', async () => {
    const early = await openBareClient(listener.port);
    early.send({ cmd: 'pingreq' });
    await early.closed;
    const twice = await greetAs(listener.port, lab.secret, { version: 5 });
    twice.send({ cmd: 'connect', protocolId: 'MQTT', protocolVersion: 5, clientId: 'x', clean: true });
    expect(await twice.next('disconnect')).toMatchObject({ reasonCode: 0x82 });
    await twice.closed;
  });

  test('messages that are sent along with CONNECT are taken once it is known who sends them', async () => {
    const client = await greetless(5, lab.secret);
    client.send(publish(`tocsin/${freezer.device}`, '{"temperature": -81}'));
    await client.next('puback');
    expect(client.heard.map(({ cmd }) => cmd)).toEqual(['connack', 'puback']);
    expect(await stored()).toEqual([['temperature', -81]]);
  });

  test('a client that connects anew takes the place of its earlier connection', async () => {
    const first = await greetAs(listener.port, lab.secret, { version: 5, clientId: 'twin' });
    const second = await greetAs(listener.port, lab.secret, { version: 5, clientId: 'twin' });
    expect(await first.next('disconnect')).toMatchObject({ reasonCode: 0x8e });
    second.send({ cmd: 'pingreq' });
    await second.next('pingresp');
  });

  test("a client of another source takes nobody's place, whatever it calls itself", async () => {
    const other = `other-${lab.secret}`;
    await lab.organizationEntry({ sources: [{ name: 'Other gateway', secret: other }] });
    const first = await greetAs(listener.port, lab.secret, { version: 5, clientId: 'twin' });
    const second = await greetAs(listener.port, other, { version: 5, clientId: 'twin' });
    for (const client of [second, first]) {
      client.send({ cmd: 'pingreq' });
      await client.next('pingresp');
    }
  });

  test('the secret of another organization reaches none of its devices', async () => {
    const other = await openLab(server);
    const client = await greetAs(listener.port, other.secret);
    client.send(publish(`tocsin/${freezer.device}`, '{"temperature": -80}'));
    await client.next('puback');
    expect(await stored()).toEqual([]);
  });

  test('a source that is revoked is shown out at its next message', async () => {
    const client = await greetAs(listener.port, lab.secret, { version: 5 });
    await lab.replaceSecret('another secret of the gateway');
    client.send(publish(`tocsin/${freezer.device}`, '{"temperature": -80}'));
    expect(await client.next('disconnect')).toMatchObject({ reasonCode: 0x87 });
    expect(await stored()).toEqual([]);
  });
});

describe('messages', () => {
  test('a message of QoS 2 is stored once, however often it is sent before its release', async () => {
    const client = await greetAs(listener.port, lab.secret);
    const message = publish(`tocsin/${freezer.device}`, '{"temperature": -80}', { qos: 2, messageId: 7 });
    client.send(message);
    expect(await client.next('pubrec')).toMatchObject({ messageId: 7 });
    server.clock.advance(1_000);
    client.send({ ...message, dup: true });
    expect(await client.next('pubrec')).toMatchObject({ messageId: 7 });
    client.send({ cmd: 'pubrel', messageId: 7 });
    expect(await client.next('pubcomp')).toMatchObject({ messageId: 7 });
    client.send({ cmd: 'pubrel', messageId: 7 });
    expect(await client.next('pubcomp')).toMatchObject({ messageId: 7 });
    expect(await stored()).toEqual([['temperature', -80]]);
    client.send(message);
    await client.next('pubrec');
    expect(await stored()).toHaveLength(2);
  });

  test('one whose answer was lost comes again over another connection, and is stored once', async () => {
    const message = publish(`tocsin/${freezer.device}`, '{"temperature": -80}');
    const first = await greetAs(listener.port, lab.secret, { clientId: 'gw3' });
    first.send(message);
    await first.next('puback');
    first.socket.destroy();
    server.clock.advance(5_000);
    const second = await greetAs(listener.port, lab.secret, { clientId: 'gw3' });
    second.send({ ...message, dup: true });
    await second.next('puback');
    expect(await stored()).toHaveLength(1);
    const stranger = await greetAs(listener.port, lab.secret, { clientId: 'gw4' });
    stranger.send({ ...message, dup: true });
    await stranger.next('puback');
    expect(await stored()).toHaveLength(2);
  });

  test('many within a millisecond and without a time are all kept', async () => {
    const client = await greetAs(listener.port, lab.secret);
    for (let messageId = 1; messageId <= 50; messageId += 1)
      client.send(publish(`tocsin/${freezer.device}/temperature`, String(-messageId), { messageId }));
    for (let messageId = 1; messageId <= 50; messageId += 1)
      expect(await client.next('puback')).toMatchObject({ messageId });
    expect(await stored()).toHaveLength(50);
  });

  test('what cannot be read is answered, costs nothing else, and stands on the page of the source', async () => {
    const client = await connectMqtt(listener.url, { password: lab.secret });
    await client.publishAsync(`tocsin/${freezer.device}`, 'no JSON', { qos: 1 });
    await client.publishAsync('weather/today', 'fine', { qos: 1 });
    await client.publishAsync(`tocsin/${freezer.device}`, '{"temperature": -80, "default": 1}', { qos: 2 });
    await client.publishAsync(`tocsin/${freezer.device}`, '{"temperature": -79}', { qos: 0 });
    await expect.poll(stored).toEqual([
      ['temperature', -80],
      ['temperature', -79],
    ]);
    const ada = await signedIn(server, lab.ada);
    const list = await ada.read(`/settings/sources?organization=${lab.organization}`);
    const address = /\/settings\/sources\/\d+/.exec(list)?.[0] ?? '';
    const page = () => ada.read(`${address}?organization=${lab.organization}`);
    await expect.poll(page, { timeout: 10_000 }).toContain('weather/today fine');
    expect(await page()).toContain('not a channel name');
    expect(await page()).toContain('not valid JSON');
  });

  test('values come under topics that a device has announced, to whichever program', async () => {
    const other = await startMqtt(server);
    const announcing = await connectMqtt(listener.url, { password: lab.secret });
    const config = { stat_t: 'esp/sensor/temperature/state', dev: { ids: freezer.device } };
    await announcing.publishAsync('esp/sensor/temperature/state', '-1', { qos: 1 });
    await announcing.publishAsync('homeassistant/sensor/esp/temperature/config', JSON.stringify(config), {
      qos: 1,
      retain: true,
    });
    const client = await connectMqtt(other.url, { password: lab.secret });
    await client.publishAsync('esp/sensor/temperature/state', '-80.5', { qos: 1 });
    expect(await stored()).toEqual([['temperature', -80.5]]);
    await other.stop();
  });

  test('subscriptions are granted, and nothing is sent', async () => {
    const client = await connectMqtt(listener.url, { password: lab.secret, protocolVersion: 5 });
    const granted = await client.subscribeAsync(['tocsin/#', 'a/b'], { qos: 1 });
    expect(granted.map(({ qos }) => qos)).toEqual([1, 1]);
    let heard = 0;
    client.on('message', () => {
      heard += 1;
    });
    await client.publishAsync(`tocsin/${freezer.device}`, '{"temperature": -80}', { qos: 1, retain: true });
    await client.unsubscribeAsync('a/b');
    expect(heard).toBe(0);
  });

  test('a topic that nothing can be published under ends the connection', async () => {
    const client = await greetAs(listener.port, lab.secret, { version: 5 });
    client.send(Buffer.from([0x30, 8, 0, 3, 0x61, 0x2f, 0x23, 0, 0x7b, 0x7d]));
    expect(await client.next('disconnect')).toMatchObject({ reasonCode: 0x90 });
  });
});

describe('whether a device is reached', () => {
  const will = () => ({ topic: `tocsin/${freezer.device}/online`, payload: '0', qos: 1 as const });

  test('its last will says that it is not, unless it says goodbye', async () => {
    const polite = await connectMqtt(listener.url, { password: lab.secret, will: will() });
    await polite.publishAsync(`tocsin/${freezer.device}/online`, '1', { qos: 1 });
    await polite.endAsync();
    server.clock.advance(1_000);
    const cut = await greetAs(listener.port, lab.secret, { will: will() });
    expect(await stored()).toEqual([['online', 1]]);
    cut.socket.destroy();
    await expect.poll(stored, { timeout: 5_000 }).toEqual([
      ['online', 1],
      ['online', 0],
    ]);
  });

  test('a client that is silent for one and a half times as long as it said is cut off, and leaves its will', async () => {
    const client = await greetAs(listener.port, lab.secret, { version: 5, keepalive: 1, will: will() });
    const startedAt = performance.now();
    expect(await client.next('disconnect')).toMatchObject({ reasonCode: 0x8d });
    expect(performance.now() - startedAt).toBeGreaterThan(1_400);
    await expect.poll(stored, { timeout: 5_000 }).toEqual([['online', 0]]);
  });

  test('who is back before the delay of its will is over was not gone', async () => {
    const patient = { ...will(), properties: { willDelayInterval: 1 } };
    const first = await greetAs(listener.port, lab.secret, { version: 5, clientId: 'back', will: patient });
    first.socket.destroy();
    await sleep(200);
    await greetAs(listener.port, lab.secret, { version: 5, clientId: 'back', will: patient });
    await sleep(1_300);
    expect(await stored()).toEqual([]);
  });
});

describe('limits', () => {
  test('a packet that cannot be read ends its connection alone', async () => {
    const good = await greetAs(listener.port, lab.secret, { clientId: 'good' });
    const bad = await greetAs(listener.port, lab.secret, { clientId: 'bad', version: 5 });
    bad.send(Buffer.from([0xf7, 0xff, 0xff, 0xff, 0xff, 0xff]));
    expect(await bad.next('disconnect')).toMatchObject({ reasonCode: 0x81 });
    await bad.closed;
    good.send(publish(`tocsin/${freezer.device}`, '{"temperature": -80}'));
    await good.next('puback');
  });

  test('a message of more than 1 MiB is not even received', async () => {
    const client = await greetAs(listener.port, lab.secret, { version: 5 });
    client.send(Buffer.from([0x32, 0xff, 0xff, 0xff, 0x7f, 0, 1, 0x61]));
    expect(await client.next('disconnect')).toMatchObject({ reasonCode: 0x95 });
  });

  test('a client that has more than a hundred messages under way waits, and loses none', async () => {
    const client = await connectMqtt(listener.url, { password: lab.secret });
    await Promise.all(
      Array.from({ length: 1_000 }, (_, index) =>
        client.publishAsync(
          `tocsin/${freezer.device}`,
          JSON.stringify({ time: server.clock.read().getTime() - index, temperature: -index / 10 }),
          { qos: 1 },
        ),
      ),
    );
    expect(await stored()).toHaveLength(1_000);
  });

  test('of whoever is refused nothing is kept', async () => {
    const countKept = () => {
      collectGarbage();
      return process.memoryUsage().arrayBuffers / 1e6;
    };
    const before = countKept();
    for (let count = 0; count < 200; count += 1) {
      const client = await openBareClient(listener.port, 5);
      client.send({
        cmd: 'connect',
        protocolId: 'MQTT',
        protocolVersion: 5,
        clientId: `large-${count}`,
        clean: true,
        username: 'any',
        password: Buffer.from(lab.secret),
        will: { topic: 'tocsin/large/online', payload: Buffer.alloc(60_000), qos: 0, retain: false },
      });
      expect(await client.next('connack')).toMatchObject({ reasonCode: 0x95 });
      client.socket.destroy();
    }
    await expect.poll(countKept, { timeout: 3_000 }).toBeLessThan(before + 4);
  });

  test('of one address there are so many, and who has not said who it is makes room', async () => {
    const narrow = await startMqtt(server, { connections: { inAll: 4, perAddress: 3 } });
    const silent = await openBareClient(narrow.port);
    await greetAs(narrow.port, lab.secret, { clientId: 'one' });
    await greetAs(narrow.port, lab.secret, { clientId: 'two' });
    const refused = await openBareClient(narrow.port);
    await silent.closed;
    refused.send({
      cmd: 'connect',
      protocolId: 'MQTT',
      protocolVersion: 4,
      clientId: 'three',
      clean: true,
      username: 'any',
      password: Buffer.from(lab.secret),
    });
    // Half of all that there may be are of one source.
    expect(await refused.next('connack')).toMatchObject({ returnCode: 3 });
    await narrow.stop();
  });
});

test('over TLS', async () => {
  const { cert, key } = makeCertificate();
  const secure = await startMqtt(server, { tls: { cert: Buffer.from(cert), key: Buffer.from(key) } });
  expect(secure.url).toMatch(/^mqtts:/);
  const client = await connectMqtt(secure.url.replace('127.0.0.1', 'localhost'), {
    password: lab.secret,
    rejectUnauthorized: false,
  });
  await client.publishAsync(`tocsin/${freezer.device}`, '{"temperature": -80}', { qos: 1 });
  expect(await stored()).toEqual([['temperature', -80]]);
});

test('a program that stops answers what it has, says goodbye, and executes no will', async () => {
  const leaving = await startMqtt(server);
  const client = await greetAs(leaving.port, lab.secret, {
    version: 5,
    will: { topic: `tocsin/${freezer.device}/online`, payload: '0', qos: 0 },
  });
  client.send(publish(`tocsin/${freezer.device}`, '{"temperature": -80}'));
  await expect.poll(stored).toHaveLength(1);
  await leaving.stop();
  expect(client.heard.map(({ cmd }: Packet) => cmd)).toEqual(['connack', 'puback', 'disconnect']);
  expect(await stored()).toEqual([['temperature', -80]]);
});

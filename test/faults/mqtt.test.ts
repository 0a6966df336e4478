// mosquitto in front of the program, as bridge and as broker: the line is cut, the broker restarted, programs are killed.
// Whatever was handed in is there in the end, and once.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import mqtt from 'mqtt';
import sql from 'sql-template-tag';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openDatabaseProxy } from '../support/database-proxy.ts';
import { findMosquitto, type Mosquitto, NO_MOSQUITTO, startMosquitto } from '../support/mosquitto.ts';
import { runCommand, startServing } from '../support/program.ts';
import { findQuietPort } from '../support/quiet-ports.ts';
import { openServingLab, SECRET as SERVING_SECRET } from '../support/serving-lab.ts';
import { listStored } from '../support/stored-readings.ts';
import { cloneDatabase } from '../support/test-database.ts';

if (!findMosquitto()) process.stdout.write(NO_MOSQUITTO);

const SECRET = 'the secret of the gateway';
const LAB = JSON.stringify({
  organizations: [
    {
      name: 'Cell Biology',
      sources: [{ name: 'gateway', secret: SECRET }],
      services: [{ name: 'Freezer 1', device: { key: 'ULT-1' } }],
    },
  ],
});

async function prepareLab() {
  const { db, url } = await cloneDatabase();
  const env = { DATABASE_URL: url, LOG_LEVEL: 'silent' };
  const applied = await runCommand(['apply', '-', '--json'], env, LAB);
  expect(applied).toMatchObject({ code: 0, stderr: '' });
  const { services } = JSON.parse(applied.stdout) as { services: Record<string, number> };
  const serviceId = Object.values(services)[0] as number;
  /** Values in the order in which they were measured. */
  const stored = async () => (await listStored(db, serviceId)).map(({ value }) => value);
  return { env, stored };
}

async function openBroker(lines: string[] = []): Promise<Mosquitto> {
  const broker = await startMosquitto(lines);
  onTestFinished(() => broker.remove());
  return broker;
}

/** A device that hands in one number after the other, each with its time, and sends again what was not answered. */
async function startDevice(url: string) {
  const client = await mqtt.connectAsync(url, { reconnectPeriod: 100, clean: false, clientId: 'device' });
  client.on('error', () => {});
  onTestFinished(() => void client.end(true));
  const beganAt = Date.now() - 3_600_000;
  let count = 0;
  const waiting: Promise<unknown>[] = [];
  return {
    measure(more: number) {
      for (let index = 0; index < more; index += 1) {
        const payload = JSON.stringify({ time: beganAt + count * 100, temperature: count });
        waiting.push(client.publishAsync('tocsin/ULT-1', payload, { qos: 1 }));
        count += 1;
      }
    },
    /** Everything was answered; what it was, in order. */
    async finish() {
      await Promise.all(waiting);
      return Array.from({ length: count }, (_, index) => index);
    },
  };
}

describe.skipIf(!findMosquitto())('nothing that was handed in is lost, nothing is doubled', () => {
  test('a bridge: the line is cut, the program killed, the bridge restarted', async () => {
    const { env, stored } = await prepareLab();
    const port = await findQuietPort();
    const listening = { ...env, TOCSIN_MQTT_PORT: String(port) };
    let serving = await startServing(listening);
    const line = await openDatabaseProxy({ host: '127.0.0.1', port });
    const bridge = await openBroker([
      'upgrade_outgoing_qos true',
      'connection tocsin',
      `address 127.0.0.1:${line.port}`,
      'remote_username gw3',
      `remote_password ${SECRET}`,
      'remote_clientid gw3',
      'topic tocsin/ULT-1 out 1',
      'cleansession false',
      'try_private false',
      'notifications false',
      'restart_timeout 1',
    ]);
    const device = await startDevice(bridge.url);
    const untilStored = (count: number) =>
      expect.poll(async () => (await stored()).length, { timeout: 30_000 }).toBeGreaterThanOrEqual(count);
    device.measure(200);
    await untilStored(50);
    device.measure(100);
    line.cut();
    await untilStored(210);
    device.measure(300);
    await serving.stop('SIGKILL');
    device.measure(50);
    serving = await startServing(listening);
    await untilStored(400);
    device.measure(100);
    await bridge.restart();
    device.measure(50);
    const sent = await device.finish();
    await expect.poll(stored, { timeout: 30_000 }).toEqual(sent);
  });

  test('a broker that is followed by one of two programs: each is killed, the line cut, the broker restarted', async () => {
    const { env, stored } = await prepareLab();
    const broker = await openBroker();
    const line = await openDatabaseProxy({ host: '127.0.0.1', port: broker.port });
    const followed = `mqtt://127.0.0.1:${line.port}?secret=${encodeURIComponent(SECRET)}`;
    const following = { ...env, TOCSIN_MQTT_BROKERS: followed };
    let first = await startServing(following);
    const device = await startDevice(broker.url);
    const untilStored = (count: number) =>
      expect.poll(async () => (await stored()).length, { timeout: 30_000 }).toBeGreaterThanOrEqual(count);
    device.measure(100);
    await untilStored(100);
    const second = await startServing(following);
    device.measure(300);
    await first.stop('SIGKILL');
    const killedAt = performance.now();
    await untilStored(400);
    expect(performance.now() - killedAt).toBeLessThan(10_000);
    first = await startServing(following);
    device.measure(100);
    line.cut();
    await untilStored(450);
    device.measure(100);
    await broker.restart();
    device.measure(100);
    // Who leaves in order makes room at once.
    await second.stop('SIGTERM');
    device.measure(100);
    const sent = await device.finish();
    await expect.poll(stored, { timeout: 30_000 }).toEqual(sent);
  });
});

describe('the command on the page of a source', () => {
  test.runIf(findMosquitto())('works as it is pasted, though another program listens', async () => {
    const { own, open } = await openServingLab();
    const [source] = await own.db.query<{ id: number }>(sql`select id from source`);
    const linesOf = async () => {
      const html = await (await open(`/settings/sources/${source?.id}`)).text();
      const [, lines = ''] = /<h3>MQTT[^<]*<\/h3><p>[^<]*<\/p>.*?<code>([^<]*)/s.exec(html) ?? [];
      return lines.replaceAll('&quot;', '"').replaceAll('&amp;', '&').replace('SECRET', SERVING_SECRET);
    };
    expect(await linesOf()).toContain('TOCSIN_MQTT_PORT=1883');
    const port = await findQuietPort();
    const listener = await startServing(
      { DATABASE_URL: own.url, LOG_LEVEL: 'silent', TOCSIN_MQTT_PORT: String(port) },
      ['--roles', 'web,mqtt'],
    );
    const command = await linesOf();
    expect(command).toContain(`mosquitto_pub -h 127.0.0.1 -p ${port} -q 1`);
    await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', command]);
    const waiting = await own.db.query(sql`select key from device where service_id is null`);
    expect(waiting).toEqual([{ key: '0004a30b001c0530' }]);
    await listener.stop();
    expect(await linesOf()).toContain('TOCSIN_MQTT_PORT=1883');
  });
});

// The real program: a backup beside a service that takes in readings, restored elsewhere, and between servers of two versions.
import { createHmac } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { expect, onTestFinished, test } from 'vitest';
import type { OrganizationId, ServiceId } from '../../src/domain/ids.ts';
import { appendHistory } from '../../src/engine/journal/inbox.ts';
import { packInbox } from '../../src/engine/packing/pack-inbox.ts';
import { type Database, openPool } from '../../src/platform/db/database.ts';
import { openEmbedded } from '../../src/platform/db/embedded/open-embedded.ts';
import { hashTables } from '../support/backup-desk.ts';
import { startPostgres, urlOf } from '../support/postgres-server.ts';
import { makeDataDir, runCommand, type Serving, startServing } from '../support/program.ts';
import { listStored } from '../support/stored-readings.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

// Each starts half a dozen programs.
const SLOW = { timeout: 180_000 };
// Fewer weeks to make.
const TOCSIN_RETENTION_DAYS = '30';
const SECRET = 'the secret of the gateway';
const HOOK_SECRET = 'the secret of the hook';
const PASSWORD = 'a password for Oscar';
const FREEZERS = ['Freezer 1', 'Freezer 2', 'Freezer 3'];

const describeLab = (hook: string) =>
  JSON.stringify({
    accounts: [{ email: 'oscar@lab.example', name: 'Oscar', password: PASSWORD }],
    organizations: [
      {
        name: 'Cell Biology',
        members: [{ email: 'oscar@lab.example', role: 'operator' }],
        sources: [{ name: 'gateway', secret: SECRET }],
        groups: [{ name: 'Cold team', webhooks: [{ kind: 'generic', url: hook, secret: HOOK_SECRET }] }],
        services: FREEZERS.map((name) => ({
          name,
          device: { key: name },
          limits: [{ channel: 'temperature', bands: { CRITICAL_HIGH: { limit: -60 } } }],
          notifications: { group: 'Cold team', send_critical: true },
        })),
      },
    ],
  });

const post = ({ url }: Serving, entries: unknown) =>
  fetch(`${url}/api/v1/telemetry`, {
    method: 'POST',
    headers: { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' },
    body: JSON.stringify(entries),
  });

async function signIn({ url }: Serving): Promise<string> {
  const answer = await fetch(`${url}/api/v1/auth/token`, {
    method: 'POST',
    body: new URLSearchParams({ username: 'oscar@lab.example', password: PASSWORD }),
  });
  return ((await answer.json()) as { access_token: string }).access_token;
}

/** One after the other, each freezer by itself; a post holds two readings of the same number. */
function startGateways(serving: Serving) {
  const beganAt = Date.now() - 60 * 60_000;
  const begun: Record<string, number> = {};
  const answered: Record<string, number> = {};
  let isOver = false;
  const running = FREEZERS.map(async (device) => {
    for (let number = 1; !isOver; number += 1) {
      begun[device] = number;
      const { status } = await post(serving, {
        device,
        time: beganAt + number * 10,
        values: { temperature: number, humidity: number },
      });
      if (status !== 200) throw new Error(`${device} ${number}: ${status}`);
      answered[device] = number;
      // Without it they would take the processor from the backup.
      await sleep(5);
    }
  });
  onTestFinished(() => {
    isOver = true;
  });
  return {
    begun: () => ({ ...begun }),
    answered: () => ({ ...answered }),
    untilAnswered: (number: number) =>
      expect
        .poll(() => Math.min(...FREEZERS.map((name) => answered[name] ?? 0)), { timeout: 30_000 })
        .toBeGreaterThan(number),
    async finish() {
      isOver = true;
      await Promise.all(running);
    },
  };
}

const isSigned = ({ headers, text }: WebhookReceiver['received'][number]) => {
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`;
  const mac = createHmac('sha256', HOOK_SECRET).update(signed).digest('base64');
  return headers['webhook-signature'] === `v1,${mac}`;
};

/** What each freezer has stored, and how far its state is from that. */
async function readBack(dataDir: string) {
  const database = await openEmbedded({ dataDir });
  const db = openPool(database.connection, () => {});
  try {
    const freezers = await db.query<{ id: number; name: string; knownAt: number }>(sql`
      select id, name, (select max(at) from unnest(channel_at_ms) at)::float8 as "knownAt"
      from service join alarm_state on service_id = id order by name`);
    const found = [];
    for (const { id, name, knownAt } of freezers) {
      const readings = await listStored(db, id);
      const values = new Set(readings.map(({ value }) => value));
      const lastAt = readings.at(-1)?.at.getTime() ?? 0;
      found.push({
        name,
        last: Math.max(...values),
        posts: values.size,
        readings: readings.length,
        known: knownAt - lastAt,
      });
    }
    return found;
  } finally {
    await db.close();
    await database.close();
  }
}

test(
  'a backup beside a running service is one moment of it; restored elsewhere, the alarms go on',
  SLOW,
  async () => {
    let isHookUp = false;
    const hook = await startWebhookReceiver((response) => response.writeHead(isHookUp ? 200 : 503).end());
    const env = {
      TOCSIN_DATA: await makeDataDir(),
      TOCSIN_RETENTION_DAYS,
      TOCSIN_WEBHOOK_PRIVATE: 'true',
      LOG_LEVEL: 'silent',
    };
    expect(await runCommand(['apply', '-'], env, describeLab(`${hook.url}/cold`))).toMatchObject({ code: 0 });
    const serving = await startServing(env);
    const token = await signIn(serving);
    const gateways = startGateways(serving);
    await gateways.untilAnswered(20);
    // The alarm is told, but nobody takes the message yet.
    await expect.poll(() => hook.received.length, { timeout: 60_000 }).toBeGreaterThan(0);

    const file = join(dirname(env.TOCSIN_DATA), 'lab.backup.gz');
    const answeredBefore = gateways.answered();
    const backup = await runCommand(['backup', file, '--json'], env);
    const begunBefore = gateways.begun();
    expect(backup).toMatchObject({ code: 0, stderr: '' });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await runCommand(['backup', '--verify', file], {})).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('is whole'),
    });
    await gateways.untilAnswered(Math.max(...Object.values(begunBefore)));
    await gateways.finish();

    const refused = await runCommand(['restore', file, '--replace', '--yes'], env);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('stop it first') });
    await serving.stop();

    const elsewhere = { ...env, TOCSIN_DATA: await makeDataDir() };
    expect(await runCommand(['restore', file, '--json'], elsewhere)).toMatchObject({ code: 0, stderr: '' });
    const stored = await readBack(elsewhere.TOCSIN_DATA);
    expect(stored).toHaveLength(FREEZERS.length);
    for (const { name, last, posts, readings, known } of stored) {
      expect(last).toBeGreaterThanOrEqual(answeredBefore[name] ?? 0);
      expect(last).toBeLessThanOrEqual(begunBefore[name] ?? 0);
      // Each post is there as a whole, none is missing, and the state is that of the newest reading.
      expect({ posts, readings, known }).toEqual({ posts: last, readings: 2 * last, known: 0 });
    }

    isHookUp = true;
    hook.received.length = 0;
    const second = await startServing(elsewhere);
    await expect.poll(() => hook.received.length, { timeout: 30_000 }).toBeGreaterThan(0);
    expect(hook.received.every(isSigned)).toBe(true);
    const headers = { authorization: `Bearer ${token}` };
    const alarms = async () =>
      ((await (await fetch(`${second.url}/api/v1/alarms`, { headers })).json()) as { service_name: string }[])
        .map(({ service_name }) => service_name)
        .sort();
    expect(await alarms()).toEqual(FREEZERS);
    expect((await post(second, { device: FREEZERS[0], values: { temperature: -80 } })).status).toBe(200);
    expect(await alarms()).toEqual(FREEZERS.slice(1));
  },
);

test('from the embedded database to PostgreSQL 15 and back: the same rows', SLOW, async () => {
  const postgres = await startPostgres('15');
  onTestFinished(postgres.stop);
  const first = { TOCSIN_DATA: await makeDataDir(), TOCSIN_RETENTION_DAYS };
  const external = {
    TOCSIN_DATA: await makeDataDir(),
    DATABASE_URL: urlOf(postgres.connection, 'tocsin'),
  };
  const last = { TOCSIN_DATA: await makeDataDir() };
  expect(await runCommand(['simulate', '--days', '2', '--services', '3'], first)).toMatchObject({ code: 0 });
  await packAllButOne(first.TOCSIN_DATA);

  const file = join(dirname(first.TOCSIN_DATA), 'lab.backup.gz');
  expect(await runCommand(['backup', file], first)).toMatchObject({ code: 0, stderr: '' });
  expect(await runCommand(['restore', file], external)).toMatchObject({ code: 0, stderr: '' });
  const again = join(dirname(last.TOCSIN_DATA), 'again.backup.gz');
  expect(await runCommand(['backup', again], external)).toMatchObject({ code: 0, stderr: '' });
  expect(await runCommand(['restore', again], last)).toMatchObject({ code: 0, stderr: '' });
  expect(existsSync(external.TOCSIN_DATA)).toBe(false);
  expect((await readdir(dirname(first.TOCSIN_DATA))).sort()).toEqual(['data', 'lab.backup.gz']);

  const hashes = await hashEmbedded(first.TOCSIN_DATA);
  expect(hashes.reading_inbox).not.toMatch(/^0 /);
  expect(hashes.reading_pack).not.toMatch(/^0 /);
  expect(await hashIn({ connectionString: external.DATABASE_URL })).toEqual(hashes);
  expect(await hashEmbedded(last.TOCSIN_DATA)).toEqual(hashes);
});

/** One round, so that some are packed and some wait. */
async function packAllButOne(dataDir: string): Promise<void> {
  const embedded = await openEmbedded({ dataDir });
  const db = openPool(embedded.connection, () => {});
  const one = { serviceIds: [1 as ServiceId], channelIds: [1], ats: [0], values: [-80] };
  await packInbox(db, new Date(), { atOnce: true });
  await db
    .query(appendHistory(1 as OrganizationId, one, new Date()))
    .finally(db.close)
    .finally(embedded.close);
}

async function hashIn(connection: Parameters<typeof openPool>[0]): Promise<Record<string, string>> {
  const db: Database = openPool(connection, () => {});
  return hashTables(db).finally(db.close);
}

async function hashEmbedded(dataDir: string): Promise<Record<string, string>> {
  const embedded = await openEmbedded({ dataDir });
  return hashIn(embedded.connection).finally(embedded.close);
}

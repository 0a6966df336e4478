// Gateways that keep posting and people who keep acting while the program, or its database, is killed under them. Clients
// send again whatever got no answer. Afterwards everything that was answered is there, once.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { raw } from 'sql-template-tag';
import { describe, expect, onTestFinished, test } from 'vitest';
import { formatInstant } from '../../src/domain/instant.ts';
import { type Database, openPool } from '../../src/platform/db/database.ts';
import { openEmbedded } from '../../src/platform/db/embedded/open-embedded.ts';
import { makeDataDir, runCommand, type Serving, startServing } from '../support/program.ts';
import { listStored } from '../support/stored-readings.ts';
import { cloneDatabase } from '../support/test-database.ts';

const SECRET = 'the secret of the gateway';
const PASSWORD = 'a password for Oscar';
const FREEZERS = ['Freezer 1', 'Freezer 2', 'Freezer 3'];
const GATEWAYS_PER_FREEZER = 2;
const ENTRIES_PER_POST = 3;

const LAB = JSON.stringify({
  accounts: [{ email: 'oscar@lab.example', name: 'Oscar', password: PASSWORD }],
  organizations: [
    {
      name: 'Cell Biology',
      members: [{ email: 'oscar@lab.example', role: 'operator' }],
      sources: [{ name: 'gateway', secret: SECRET }],
      services: FREEZERS.map((name) => ({
        name,
        device: { key: name },
        limits: [{ channel: 'temperature', bands: { CRITICAL_HIGH: { limit: -60 } } }],
      })),
    },
  ],
});

interface SentReading {
  freezer: string;
  channel: string;
  at: number;
  value: number;
}

/** What the clients know: everything they handed in got its answer in the end. */
interface Work {
  posts: number;
  /** Posts and acknowledgements that had to be sent again. */
  retries: number;
  readings: SentReading[];
  comments: string[];
  /** Answers that no client should ever get. */
  surprises: unknown[];
}

interface Clients {
  work: Work;
  /** Until this many more posts have been answered. */
  untilAnswered(posts: number): Promise<void>;
  moveTo(serving: Serving): void;
  finish(): Promise<void>;
}

async function prepareLab(place: Record<string, string>) {
  const env = { ...place, LOG_LEVEL: 'silent' };
  const applied = await runCommand(['apply', '-', '--json'], env, LAB);
  expect(applied).toMatchObject({ code: 0, stderr: '' });
  const { services } = JSON.parse(applied.stdout) as { services: Record<string, number> };
  const ids = Object.fromEntries(
    Object.entries(services).map(([name, id]) => [name.replace(/^.*\//, ''), id]),
  );
  return { env, ids };
}

async function signIn({ url }: Serving): Promise<string> {
  const answer = await fetch(`${url}/api/v1/auth/token`, {
    method: 'POST',
    body: new URLSearchParams({ username: 'oscar@lab.example', password: PASSWORD }),
  });
  return ((await answer.json()) as { access_token: string }).access_token;
}

async function startClients(first: Serving, ids: Record<string, number>): Promise<Clients> {
  const token = await signIn(first);
  const beganAt = Date.now() - 10 * 60_000;
  const work: Work = { posts: 0, retries: 0, readings: [], comments: [], surprises: [] };
  let { url } = first;
  let isOver = false;

  /** Sends the same request until somebody answers it; a failure of the server is no answer. */
  async function insist(path: string, init: RequestInit) {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const answer = await fetch(url + path, {
          method: 'POST',
          ...init,
          signal: AbortSignal.timeout(5_000),
        });
        const body = await answer.json();
        if (answer.status < 500 && (body as { status?: string }).status !== 'error')
          return { status: answer.status, body, isFirst: attempt === 1 };
      } catch {
        // Killed, or not there again yet.
      }
      work.retries += 1;
      await sleep(20);
    }
  }

  async function runGateway(freezer: string, gateway: number): Promise<void> {
    for (let number = 0; !isOver; number += 1) {
      // The gateways of a freezer take turns in time, so that many of their readings are late.
      const entries = Array.from({ length: ENTRIES_PER_POST }, (_, index) => {
        const value = (number * ENTRIES_PER_POST + index) * GATEWAYS_PER_FREEZER + gateway;
        // Every few posts a channel nobody has heard of.
        const values = { temperature: value, [`probe_${Math.floor(number / 5)}`]: value };
        return { device: freezer, time: beganAt + value * 7, values };
      });
      const sent = entries.flatMap(({ time, values }) =>
        Object.entries(values).map(([channel, value]) => ({ freezer, channel, at: time, value })),
      );
      const { status, body, isFirst } = await insist('/api/v1/telemetry', {
        headers: { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' },
        body: JSON.stringify(entries),
      });
      const { accepted, duplicates, rejected } = body as {
        accepted: number;
        duplicates: number;
        rejected: unknown[];
      };
      const isWhole =
        (accepted === sent.length && duplicates === 0) || (accepted === 0 && duplicates === sent.length);
      if (status !== 200 || !isWhole || rejected.length > 0 || (isFirst && duplicates > 0))
        work.surprises.push({ freezer, number, status, body });
      work.readings.push(...sent);
      work.posts += 1;
    }
  }

  async function runOperator(freezer: string): Promise<void> {
    const headers = { authorization: `Bearer ${token}` };
    const act = (verb: string, form: Record<string, string> = {}) =>
      insist(`/api/v1/alarms/${ids[freezer]}/${verb}`, { headers, body: new URLSearchParams(form) });
    while (work.posts < FREEZERS.length * GATEWAYS_PER_FREEZER) await sleep(10);
    for (let number = 0; !isOver; number += 1) {
      const comment = `${freezer}, number ${number}`;
      const acknowledged = await act('acknowledge', { comment });
      // 409 only where an attempt without an answer had succeeded.
      if (acknowledged.status !== 200 && (acknowledged.status !== 409 || acknowledged.isFirst))
        work.surprises.push({ freezer, number, ...acknowledged });
      work.comments.push(comment);
      await act('unacknowledge');
    }
  }

  const running = FREEZERS.flatMap((freezer) => [
    ...Array.from({ length: GATEWAYS_PER_FREEZER }, (_, gateway) => runGateway(freezer, gateway)),
    runOperator(freezer),
  ]);
  onTestFinished(() => {
    isOver = true;
  });
  return {
    work,
    async untilAnswered(posts) {
      const goal = work.posts + posts;
      await expect.poll(() => work.posts, { timeout: 60_000 }).toBeGreaterThanOrEqual(goal);
    },
    moveTo(serving) {
      url = serving.url;
    },
    async finish() {
      isOver = true;
      await Promise.all(running);
    },
  };
}

const byName = (one: string, other: string) => (one < other ? -1 : 1);

async function expectEverythingOnce(db: Database, work: Work): Promise<void> {
  expect(work.surprises).toEqual([]);
  const rows = <Row>(text: string) => db.query<Row>(raw(text));
  const stored: SentReading[] = [];
  for (const { id, name } of await rows<{ id: number; name: string }>('select id, name from service'))
    for (const { name: channel, at, value } of await listStored(db, id))
      stored.push({ freezer: name, channel, at: at.getTime(), value });
  const describeReading = ({ freezer, channel, at, value }: SentReading) =>
    `${freezer} ${channel} ${at} ${value}`;
  expect(stored.map(describeReading).sort(byName)).toEqual(work.readings.map(describeReading).sort(byName));

  const acknowledgements = await rows<{ comment: string }>(
    'select comment from acknowledgement order by comment',
  );
  expect(acknowledgements.map(({ comment }) => comment).sort(byName)).toEqual(work.comments.sort(byName));
  const audited = await rows<{ comment: string }>(
    `select detail->>'comment' as "comment" from audit where action = 'alarm.acknowledge'`,
  );
  expect(audited.map(({ comment }) => comment).sort(byName)).toEqual(work.comments);

  expect(
    await rows(`
      select service.name, kind, count(*)::int as "count" from alarm_event
      join service on service.id = service_id group by 1, 2 order by 1`),
  ).toEqual(FREEZERS.map((name) => ({ name, kind: 'raised', count: 1 })));
}

/** The alarms list shows the newest reading that was handed in. */
async function expectListed(serving: Serving, { readings }: Work): Promise<void> {
  const answer = await fetch(`${serving.url}/api/v1/alarms`, {
    headers: { authorization: `Bearer ${await signIn(serving)}` },
  });
  const alarms = (await answer.json()) as Record<string, unknown>[];
  const shown = alarms.map(({ service_name, severity, acknowledged, last_telemetry_time }) => ({
    service_name,
    severity,
    acknowledged,
    last_telemetry_time,
  }));
  const newest = (name: string) =>
    Math.max(...readings.filter(({ freezer }) => freezer === name).map(({ at }) => at));
  expect(shown).toHaveLength(FREEZERS.length);
  expect(shown).toEqual(
    expect.arrayContaining(
      FREEZERS.map((name) => ({
        service_name: name,
        severity: 'critical',
        acknowledged: false,
        last_telemetry_time: formatInstant(new Date(newest(name))),
      })),
    ),
  );
}

const databasePid = (dataDir: string) =>
  Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);

describe('nothing that was answered is lost, nothing that was sent again is doubled', () => {
  test('kill -9 of the program, twice', async () => {
    const { db, url } = await cloneDatabase();
    const { env, ids } = await prepareLab({ DATABASE_URL: url });
    let serving = await startServing(env);
    const clients = await startClients(serving, ids);
    for (let kill = 0; kill < 2; kill += 1) {
      await clients.untilAnswered(40);
      await serving.stop('SIGKILL');
      serving = await startServing(env);
      clients.moveTo(serving);
    }
    await clients.untilAnswered(40);
    await clients.finish();
    expect(clients.work.retries).toBeGreaterThan(0);
    await expectListed(serving, clients.work);
    await expectEverythingOnce(db, clients.work);
  });

  test('kill -9 of the database, twice; the program brings it back', async () => {
    const dataDir = await makeDataDir();
    const { env, ids } = await prepareLab({ TOCSIN_DATA: dataDir });
    const serving = await startServing(env);
    const clients = await startClients(serving, ids);
    for (let kill = 0; kill < 2; kill += 1) {
      await clients.untilAnswered(40);
      const retriesBefore = clients.work.retries;
      process.kill(databasePid(dataDir), 'SIGKILL');
      await expect.poll(() => clients.work.retries, { timeout: 60_000 }).toBeGreaterThan(retriesBefore);
    }
    await clients.untilAnswered(40);
    await clients.finish();
    expect(serving.process.exitCode).toBeNull();
    await expectListed(serving, clients.work);
    const database = await openEmbedded({ dataDir });
    const db = openPool(database.connection, () => {});
    try {
      await expectEverythingOnce(db, clients.work);
    } finally {
      await db.close();
      await database.close();
    }
  });
});

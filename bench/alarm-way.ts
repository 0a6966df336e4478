// How long an alarm takes from the post of a reading to the mail server, beside everything that must not hold it up.

import { fork } from 'node:child_process';
import { once, setMaxListeners } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { getPriority, setPriority } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import pg from 'pg';
import { COMMAND_LINE } from '../src/domain/accounts/requester.ts';
import { applyLabFile } from '../src/features/lab-file/apply-lab-file.ts';
import { projectRoot } from '../src/platform/project-root.ts';
import { findQuietPort } from '../test/support/quiet-ports.ts';
import { openReader } from './alarms-list.ts';
import { openEmbeddedCluster } from './cluster.ts';
import { describeHostile } from './hostile-neighbour.ts';
import { TELEMETRY } from './ingest.ts';
import { hirePerson, prepareLab, SECRET } from './lab.ts';
import { percentile } from './load.ts';
import { startTocsin, stopAll } from './start-tocsin.ts';
import { formatTable, type Row } from './table.ts';

const ALARMS = Number(process.argv[2] ?? 40);
/** Beside what is quiet: all of them, or one. */
const CHOSEN = process.argv[3];
/** Between two alarms, and as many readings of freezers that are cold. */
const MS_BETWEEN = 200;
const CALM_BETWEEN = 4;
const SLOW_POSTS = 1_000;
const SLOW_PAGES = 50;
const SIGN_INS = 50;
const LARGE_POSTS = 2;
/** The last ones, which raise no alarm. */
const LARGE_SERVICES = 100;
/** Tried in vain for longer than any of these loads lasts. */
const PATIENCE_MS = 30_000;

let largePosts = 0;

const cluster = await openEmbeddedCluster();
const now = new Date();
const LOADS: Record<string, (ended: AbortSignal) => Promise<unknown>> = {
  quiet: async () => {},
  'slow page queries': (ended) => repeat(SLOW_PAGES, ended, openAudit, holdAudit),
  'slow posts with a wrong secret': (ended) => repeat(SLOW_POSTS, ended, () => sendSlowly('wrong', ended)),
  'slow posts with the right one': (ended) => repeat(SLOW_POSTS, ended, () => sendSlowly(SECRET, ended)),
  'posts of 100,000 readings': (ended) => repeat(LARGE_POSTS, ended, sendLarge),
  'sign-ins': (ended) => repeat(SIGN_INS, ended, () => openReader(url).catch(() => {})),
  'a hostile neighbour': beHostileElsewhere,
  'quiet again': async () => {},
};
const SERVICES = ALARMS * Object.keys(LOADS).length + LARGE_SERVICES;
const db = await prepareLab(cluster, 0, now);
await hirePerson(db, now);
await describeLab();

const sink = fork(join(projectRoot, 'build/bench/mail-sink.js'), ['aloud']);
const [{ port }] = (await once(sink, 'message')) as [{ port: number }];
/** By recipient. */
const toldAt = new Map<string, number>();
sink.on('message', ({ to }: { to: string }) => toldAt.set(to, performance.now()));
// A name, so that it has to be looked up.
const mqttPort = await findQuietPort();
const { url, child } = await startTocsin({
  ...cluster.env,
  TOCSIN_MQTT_PORT: String(mqttPort),
  SMTP_URL: `smtp://localhost:${port}`,
  TOCSIN_WEBHOOK_PRIVATE: 'true',
});
const { token } = await openReader(url);
try {
  const rows: Row[] = [];
  let quiet: Way | null = null;
  for (const [index, [name, load]] of Object.entries(LOADS).entries()) {
    if (CHOSEN !== undefined && name !== CHOSEN && !name.startsWith('quiet')) continue;
    const ending = new AbortController();
    setMaxListeners(0, ending.signal);
    const loading = load(ending.signal);
    await sleep(1_000);
    const way = await measureWay(1 + index * ALARMS);
    const memory = measureMemory();
    ending.abort();
    await loading;
    quiet ??= way;
    rows.push({ ...describe(name, way, quiet), 'memory MB': memory });
    process.stderr.write(`${name}: ${rows.at(-1)?.['told p95 ms']} ms\n`);
    await sleep(2_000);
  }
  process.stdout.write(formatTable(rows));
} finally {
  sink.kill();
  await stopAll([child]);
  await db.close();
  await cluster.stop();
}

async function beHostileElsewhere(ended: AbortSignal): Promise<void> {
  const hostile = fork(join(projectRoot, 'build/bench/hostile-process.js'), [
    url,
    `mqtt://127.0.0.1:${mqttPort}`,
  ]);
  // It is elsewhere in the world: what it costs to be hostile is not paid here.
  setPriority(hostile.pid ?? 0, Math.min(19, getPriority() + 19));
  const isOver = once(hostile, 'exit');
  await once(ended, 'abort');
  hostile.disconnect();
  await isOver;
}

/** Of the program, where the system says it. */
function measureMemory(): string {
  try {
    const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? [];
    return kilobytes ? (Number(kilobytes) / 1024).toFixed(0) : '';
  } catch {
    return '';
  }
}

/** Each service tells a group of its own, so that there are no digests. */
async function describeLab(): Promise<void> {
  const numbers = Array.from({ length: SERVICES }, (_, index) => index + 1);
  const organization = {
    name: 'Bench',
    groups: numbers.map((n) => ({ name: `Team ${n}`, emails: [`team${n}@bench.example`] })),
    services: numbers.map((n) => ({
      name: `Freezer ${n}`,
      device: { key: `d${n}` },
      limits: [{ channel: 'temperature', bands: { CRITICAL_HIGH: { limit: -60 } } }],
      notifications: { group: `Team ${n}`, send_critical: true },
    })),
  };
  const hostile = await describeHostile();
  const text = JSON.stringify({
    accounts: hostile.accounts,
    organizations: [organization, hostile.organization],
  });
  const input = { text, fileName: 'bench', isDryRun: false };
  const applied = await applyLabFile(db, COMMAND_LINE, input, now);
  if (!applied.ok) throw new Error(JSON.stringify(applied.refusal));
}

interface Way {
  /** Milliseconds from the post to its answer, sorted. */
  answered: number[];
  /** And to the mail server. */
  told: number[];
  failed: number;
}

async function measureWay(firstService: number): Promise<Way> {
  const way: Way = { answered: [], told: [], failed: 0 };
  const posts: Promise<unknown>[] = [];
  for (let count = 0; count < ALARMS; count += 1) {
    posts.push(raiseAlarm(firstService + count, way));
    for (let calm = 0; calm < CALM_BETWEEN; calm += 1) {
      await sleep(MS_BETWEEN / CALM_BETWEEN);
      posts.push(postReading(SERVICES - calm, -80, way));
    }
  }
  await Promise.all(posts);
  for (const times of [way.answered, way.told]) times.sort((one, other) => one - other);
  return way;
}

/** Whether it was taken. */
async function postReading(service: number, temperature: number, way: Way): Promise<boolean> {
  const startedAt = performance.now();
  const entry = { device: `d${service}`, values: { temperature } };
  const answer = await post(JSON.stringify(entry)).catch(() => null);
  if (answer?.ok) way.answered.push(performance.now() - startedAt);
  else way.failed += 1;
  return answer?.ok === true;
}

async function raiseAlarm(service: number, way: Way): Promise<void> {
  const startedAt = performance.now();
  if (!(await postReading(service, -40, way))) return;
  const recipient = `team${service}@bench.example`;
  while (!toldAt.has(recipient) && performance.now() - startedAt < PATIENCE_MS) await sleep(5);
  const at = toldAt.get(recipient);
  if (at === undefined) way.failed += 1;
  else way.told.push(at - startedAt);
}

function post(body: string | Buffer, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url + TELEMETRY, {
    method: 'POST',
    headers: { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json', ...headers },
    body: new Uint8Array(Buffer.from(body)),
  });
}

function describe(name: string, way: Way, quiet: Way): Row {
  const p95 = (times: number[]) => percentile(times, 0.95);
  return {
    beside: name,
    'answered p50 ms': percentile(way.answered, 0.5).toFixed(0),
    'answered p95 ms': p95(way.answered).toFixed(0),
    'told p50 ms': percentile(way.told, 0.5).toFixed(0),
    'told p95 ms': p95(way.told).toFixed(0),
    'answered p95 of quiet': (p95(way.answered) / p95(quiet.answered)).toFixed(2),
    'told p95 of quiet': (p95(way.told) / p95(quiet.told)).toFixed(2),
    failed: way.failed || '',
  };
}

/** So many side by side, again and again, while something is held. */
async function repeat(
  count: number,
  ended: AbortSignal,
  work: () => Promise<unknown>,
  hold: () => Promise<() => Promise<unknown>> = async () => async () => {},
): Promise<void> {
  const release = await hold();
  const lanes = Array.from({ length: count }, async () => {
    while (!ended.aborted) await work();
  });
  if (!ended.aborted) await once(ended, 'abort');
  await release();
  await Promise.all(lanes);
}

async function openAudit(): Promise<void> {
  const answer = await fetch(`${url}/audit`, { headers: { cookie: `access_token=${token}` } });
  await answer.text();
}

/** As a repair of the table would. */
async function holdAudit(): Promise<() => Promise<unknown>> {
  const other = new pg.Client({ ...cluster.connection, user: 'tocsin', database: 'tocsin' });
  await other.connect();
  await other.query('begin; lock table audit in access exclusive mode');
  return () => other.end();
}

/** Declares much and sends a little of it, until it is cut off. */
function sendSlowly(secret: string, ended: AbortSignal): Promise<void> {
  const { hostname, port: own } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(own), hostname, () => {
      socket.write(
        `POST ${TELEMETRY} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${secret}\r\n` +
          `Content-Type: application/json\r\nContent-Length: ${16 * 1024 * 1024}\r\n\r\n`,
      );
      socket.write(Buffer.alloc(128 * 1024, ' '));
    });
    const leave = () => socket.destroy();
    ended.addEventListener('abort', leave, { once: true });
    socket.resume().on('error', () => {});
    socket.on('close', () => {
      ended.removeEventListener('abort', leave);
      // Nobody comes back in the same moment.
      setTimeout(resolve, 100);
    });
  });
}

async function sendLarge(): Promise<void> {
  largePosts += 1;
  const at = now.getTime() - largePosts * 200_000;
  const entries = Array.from({ length: 10_000 }, (_, entry) => ({
    device: `d${SERVICES - (entry % LARGE_SERVICES)}`,
    time: at + Math.floor(entry / LARGE_SERVICES) * 1000,
    values: Object.fromEntries(Array.from({ length: 10 }, (_, channel) => [`t${channel}`, -80])),
  }));
  await post(gzipSync(JSON.stringify(entries)), { 'content-encoding': 'gzip' }).then((answer) =>
    answer.text(),
  );
}

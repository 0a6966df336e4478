import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { raw } from 'sql-template-tag';
import { makePartitions } from '../src/engine/reading-partitions.ts';
import { openPool } from '../src/platform/db/database.ts';
import { openEmbedded } from '../src/platform/db/embedded/open-embedded.ts';
import { migrate } from '../src/platform/db/migrate.ts';
import { projectRoot } from '../src/platform/project-root.ts';
import { fillHistory, fillLab, hirePerson, PERSON, SECRET, setAlarms } from './lab.ts';
import { drive, percentile } from './load.ts';
import { openNewDatabase } from './new-database.ts';
import { makePosts } from './posts.ts';
import { measureRollups } from './rollups.ts';
import { startTocsin } from './start-tocsin.ts';

const SECONDS = Number(process.argv[2] ?? 15);
/** Stored before the alarms list is measured for the last time. */
const HISTORY = Number(process.argv[3] ?? 10_000_000);
const SERVICES = 10_000;
const WARM_UP_SECONDS = 3;
const ROUNDS = 5;

const dataDir = await mkdtemp(join(tmpdir(), 'tocsin-bench-'));
await chmod(dataDir, 0o755);
const embedded = await openEmbedded({ dataDir });
const { host, port, password } = embedded.connection;
const db = openPool(embedded.connection, () => {});
const now = new Date();
await migrate(db, now);
await makePartitions(db, now, 400);
await fillLab(db, 200, now);
await hirePerson(db, now);
await makeBareDatabase();

const rows: Record<string, number | string>[] = [];
const figures: Record<string, number> = {};
const headers = { authorization: `Bearer ${SECRET}` };
const children: ChildProcess[] = [];
try {
  const bare = await startBare();
  const { url, child } = await startTocsin(dataDir);
  children.push(child);
  const tocsin = { url, pid: child.pid ?? 0 };
  sayMemory('at the start', tocsin.pid);
  const reader = await openReader(tocsin.url);
  // More than once: what comes first pays for the compiling.
  for (let turn = 0; turn < 3; turn += 1) await measureList(reader, '200_services');
  await fillLab(db, SERVICES, now);
  await measureList(reader, `${SERVICES}_services`);
  const beginsAt = Date.now() - 5 * 60_000;

  const posts = (size: number, offset: number, breachReadings?: number) =>
    makePosts(SERVICES, size, beginsAt + offset, 200, breachReadings);
  const telemetry = `${tocsin.url}/api/v1/telemetry`;
  const ingest = await comparePosts('posts of 250', 4, 250, [
    { what: 'bare server', url: `${bare}/write`, posts: posts(250, 0) },
    { what: 'tocsin', url: telemetry, posts: posts(250, 0) },
  ]);
  sayMemory('after posts of 250', tocsin.pid);
  figures.ingest_per_second = ingest.perSecond;
  figures.ingest_of_bare = ingest.ratio;
  const flapping = await comparePosts('posts of 250, each breach a new alarm', 4, 250, [
    { what: 'bare server', url: `${bare}/write`, posts: posts(250, 80_000, 1) },
    { what: 'tocsin', url: telemetry, posts: posts(250, 80_000, 1) },
  ]);
  figures.ingest_flapping_of_bare = flapping.ratio;
  const single = await comparePosts('single readings', 64, 1, [
    { what: 'bare fastify', url: `${bare}/parse`, posts: posts(1, 0) },
    { what: 'tocsin', url: telemetry, posts: posts(1, 120_000) },
  ]);
  sayMemory('after single readings', tocsin.pid);
  figures.single_per_second = single.perSecond;
  figures.single_of_bare = single.ratio;

  await setAlarms(db, 0, now);
  figures.breach_visible_idle_p95_ms = await measureBreach(reader, beginsAt + 200_000, 200);
  const load = drive(
    { url: `${tocsin.url}/api/v1/telemetry`, headers },
    4,
    SECONDS,
    posts(250, 220_000).next,
  );
  figures.breach_visible_busy_p95_ms = await measureBreach(reader, beginsAt + 280_000, 50);
  await load;

  await fillLab(db, 50_000, now);
  await measureList(reader, '50000_services');
  await fillHistory(db, SERVICES, HISTORY, now);
  await measureList(reader, `${HISTORY}_readings`);
  figures.rollups_per_second = await measureRollups(embedded.connection, now);
  sayMemory('at the end', tocsin.pid);
  figures.memory_mb = Math.round(memoryOf(tocsin.pid));
  process.stdout.write(`${JSON.stringify(rows, null, 1)}\n`);
  process.stdout.write(`${JSON.stringify(figures)}\n`);
} finally {
  for (const child of children) child.kill('SIGTERM');
  await Promise.all(
    children.map((child) => child.exitCode ?? new Promise((resolve) => child.once('exit', resolve))),
  );
  await db.close();
  await embedded.close();
  await rm(dataDir, { recursive: true, force: true });
}

interface Reader {
  url: string;
  token: string;
}

async function openReader(url: string): Promise<Reader> {
  const body = new URLSearchParams({ username: PERSON.email, password: PERSON.password });
  const answer = await fetch(`${url}/api/v1/auth/token`, { method: 'POST', body });
  return { url, token: ((await answer.json()) as { access_token: string }).access_token };
}

async function listAlarms({ url, token }: Reader): Promise<{ service_id: number }[]> {
  const answer = await fetch(`${url}/api/v1/alarms`, { headers: { authorization: `Bearer ${token}` } });
  return (await answer.json()) as { service_id: number }[];
}

/** 200 alarms among many services: the list should cost the same. */
async function measureList(reader: Reader, among: string): Promise<void> {
  await setAlarms(db, 200, now);
  const times: number[] = [];
  for (let count = 0; count < 220; count += 1) {
    const startedAt = performance.now();
    const alarms = await listAlarms(reader);
    if (alarms.length !== 200) throw new Error(`${alarms.length} alarms instead of 200`);
    if (count >= 20) times.push(performance.now() - startedAt);
  }
  times.sort((one, other) => one - other);
  figures[`alarms_list_ms_at_${among}`] = Number(percentile(times, 0.5).toFixed(2));
  await setAlarms(db, 0, now);
}

/** From handing in a breach until the list shows it. */
async function measureBreach(reader: Reader, beginsAt: number, times: number): Promise<number> {
  const waits: number[] = [];
  for (let count = 0; count < times; count += 1) {
    const device = 5_000 + count;
    const body = JSON.stringify({
      device: `d${device}`,
      time: beginsAt + count,
      values: { temperature: -40 },
    });
    const startedAt = performance.now();
    const sent = await fetch(`${reader.url}/api/v1/telemetry`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
    });
    if (!sent.ok) throw new Error(await sent.text());
    while (!(await listAlarms(reader)).some(({ service_id }) => service_id === device));
    waits.push(performance.now() - startedAt);
  }
  return Number(
    percentile(
      waits.sort((one, other) => one - other),
      0.95,
    ).toFixed(1),
  );
}

interface Rival {
  what: string;
  url: string;
  posts: { next(): Buffer };
}

/** In turns, because the machine's speed changes from minute to minute: each round gives a ratio, and the middle one counts. */
async function comparePosts(what: string, connections: number, size: number, [bare, own]: [Rival, Rival]) {
  const perSecond = async ({ url, posts }: Rival, seconds: number, latencies: number[]) => {
    const result = await drive({ url, headers }, connections, seconds, posts.next);
    latencies.push(...result.latencies);
    return (result.requests * size) / result.seconds;
  };
  for (const rival of [bare, own]) await perSecond(rival, WARM_UP_SECONDS, []);
  const rounds: { bare: number; own: number }[] = [];
  const latencies = { bare: [] as number[], own: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds.push({
      bare: await perSecond(bare, SECONDS / ROUNDS, latencies.bare),
      own: await perSecond(own, SECONDS / ROUNDS, latencies.own),
    });
  }
  const median = (numbers: number[]) =>
    percentile(
      numbers.toSorted((one, other) => one - other),
      0.5,
    );
  for (const [rival, name] of [
    [bare, 'bare'],
    [own, 'own'],
  ] as const) {
    const speed = median(rounds.map((round) => round[name]));
    const sorted = latencies[name].sort((one, other) => one - other);
    rows.push({
      what: `${rival.what}, ${what}`,
      'readings/s': Math.round(speed),
      'posts/s': Math.round(speed / size),
      'p50 ms': Number(percentile(sorted, 0.5).toFixed(1)),
      'p95 ms': Number(percentile(sorted, 0.95).toFixed(1)),
    });
    process.stderr.write(`${rival.what}, ${what}: ${Math.round(speed)} readings/s\n`);
  }
  const ratios = rounds.map((round) => round.own / round.bare);
  process.stderr.write(`ratios: ${ratios.map((ratio) => ratio.toFixed(2)).join(' ')}\n`);
  return {
    perSecond: Math.round(median(rounds.map(({ own: speed }) => speed))),
    ratio: Number(median(ratios).toFixed(3)),
  };
}

async function makeBareDatabase(): Promise<void> {
  const bare = await openNewDatabase(embedded.connection, 'bare');
  await bare.query(
    raw(`create table reading (service_id int not null, channel_id int not null, taken_at timestamptz not null,
      value float8 not null, primary key (service_id, channel_id, taken_at))`),
  );
  await bare.query(
    raw(`create table latest (service_id int, channel_id int, last_at timestamptz, last_value float8,
      primary key (service_id, channel_id)) with (fillfactor = 70)`),
  );
  await bare.close();
}

async function startBare(): Promise<string> {
  const child = fork(join(projectRoot, 'build/bench/bare-server.js'), [
    JSON.stringify({ host, port, password }),
  ]);
  children.push(child);
  const address = await new Promise<AddressInfo>((resolve) =>
    child.once('message', (message) => resolve(message as AddressInfo)),
  );
  return `http://127.0.0.1:${address.port}`;
}

function sayMemory(when: string, pid: number): void {
  process.stderr.write(`memory ${when}: at most ${Math.round(memoryOf(pid))} MB so far\n`);
}

/** The most it ever held. */
function memoryOf(pid: number): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
}

// What it costs to split readings over workers: the same load on one PostgreSQL and on a Citus with one, two and four of them,
// packing included. All machines are this one, so that only the overhead shows.
import { createConnection, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OrganizationId, ServiceId } from '../src/domain/ids.ts';
import { appendHistory } from '../src/engine/journal/inbox.ts';
import { packInbox } from '../src/engine/packing/pack-inbox.ts';
import { mergeParts } from '../src/engine/readings/merge-parts.ts';
import { runDistribute } from '../src/features/distribution/distribute-command.ts';
import type { Database } from '../src/platform/db/database.ts';
import { hasCitus, joinNodes, NO_CITUS, startCitus } from '../test/support/citus-servers.ts';
import { type PostgresServer, urlOf } from '../test/support/postgres-server.ts';
import { type Cluster, openSystemCluster } from './cluster.ts';
import { cpuOfDatabase, cpuOfProgram } from './cpu.ts';
import { planPosts, SERVICES, TELEMETRY } from './ingest.ts';
import { prepareLab, SECRET } from './lab.ts';
import { startGenerator } from './load.ts';
import { startTocsin, stopAll } from './start-tocsin.ts';

const [seconds = 6, ...counts] = process.argv.slice(2).map(Number);
const WORKERS = counts.length > 0 ? counts : [1, 2, 4];
if (!hasCitus()) throw new Error(NO_CITUS);

const now = new Date();
const generator = startGenerator();

interface Traffic {
  bytes: number;
  /** Each time an answer was waited for. */
  trips: number;
}

interface Measured extends Cluster {
  /** The first processes of its servers. */
  pids: number[];
  /** Between coordinator and workers. */
  traffic: Traffic | null;
}

/** Seconds of processor time, and what went between coordinator and workers. */
interface Cost extends Traffic {
  servers: number;
  /** The first of them. */
  coordinator: number;
  program: number;
}

interface Growth {
  perSecond: number;
  /** For a million readings, packing included. */
  dense: Cost;
  /** Trips to workers while they came, for a million. */
  tripsOfPosts: number;
  /** For a million where each part holds one reading, as with very many sensors that seldom report. */
  sparse: Cost;
}

async function measure(cluster: Measured): Promise<Growth> {
  const db = await prepareLab(cluster, SERVICES, now);
  if (cluster.traffic) await runDistribute(db, { shards: '32', isJson: true }, { stdout() {}, stderr() {} });
  const { url, child } = await startTocsin(cluster.env);
  const read = (): Cost => ({
    servers: cluster.pids.reduce((sum, pid) => sum + cpuOfDatabase(pid), 0),
    coordinator: cpuOfDatabase(cluster.pid),
    program: cpuOfProgram(child.pid ?? 0),
    ...(cluster.traffic ?? { bytes: 0, trips: 0 }),
  });
  try {
    const order = {
      name: `growth ${url}`,
      url: url + TELEMETRY,
      headers: { authorization: `Bearer ${SECRET}` },
      connections: 4,
      pipelined: 1,
      posts: planPosts(250),
    };
    // A channel's first reading is looked for on the workers, and never again.
    for (let met = 0; met < 2 * SERVICES; ) {
      const { requests } = await generator.drive(order, 3);
      met += requests * order.posts.size;
    }
    await packAll(db);
    const before = read();
    const driven = await generator.drive(order, seconds);
    const posted = read();
    await packAll(db);
    while ((await mergeParts(db, now)) !== 'nothing_to_do') await sleep(50);
    const packed = read();
    const readings = driven.requests * order.posts.size;
    const few = await packSparsely(db);
    return {
      perSecond: Math.round(readings / driven.seconds),
      dense: perMillion(before, packed, readings),
      tripsOfPosts: perMillion(before, posted, readings).trips,
      sparse: perMillion(packed, read(), few),
    };
  } finally {
    await stopAll([child]);
    await db.close();
  }
}

async function packAll(db: Database): Promise<void> {
  // The program packs as well.
  while ((await packInbox(db, now, { atOnce: true })) !== 'nothing_to_do') await sleep(50);
}

const SPARSE_ROUNDS = 3;
const CHANNELS = 50_000;

/** One reading of each of many channels at a time. Answers how many. */
async function packSparsely(db: Database): Promise<number> {
  const places = Array.from({ length: CHANNELS }, (_, index) => index);
  for (let round = 0; round < SPARSE_ROUNDS; round += 1) {
    const columns = {
      serviceIds: places.map((place) => (1 + (place % SERVICES)) as ServiceId),
      channelIds: places.map((place) => 1_000_000 + place),
      ats: places.map(() => now.getTime() - (SPARSE_ROUNDS - round) * 60_000),
      values: places.map((place) => place % 90),
    };
    await db.query(appendHistory(1 as OrganizationId, columns, now));
    await packAll(db);
  }
  return SPARSE_ROUNDS * CHANNELS;
}

function perMillion(from: Cost, to: Cost, readings: number): Cost {
  const share = (name: keyof Cost) => ((to[name] - from[name]) * 1e6) / readings;
  return {
    servers: share('servers'),
    coordinator: share('coordinator'),
    program: share('program'),
    trips: Math.round(share('trips')),
    bytes: Math.round(share('bytes')),
  };
}

const describe = ({ perSecond, dense, tripsOfPosts, sparse }: Growth): string =>
  [
    `${perSecond} readings/s; for a million`,
    `${dense.servers.toFixed(2)} s of servers (${dense.coordinator.toFixed(2)} of the first)`,
    `${dense.program.toFixed(2)} s of the program`,
    `${dense.trips} trips to workers (${tripsOfPosts} while they came), ${dense.bytes} bytes between machines`,
    `one to a part: ${sparse.servers.toFixed(1)} s of servers (${sparse.coordinator.toFixed(1)} of the first)`,
  ].join(', ');

async function openSplitCluster(count: number): Promise<Measured> {
  const { coordinator, workers, stop } = await startCitus(count);
  const traffic: Traffic = { bytes: 0, trips: 0 };
  const proxies = await Promise.all(workers.map((worker) => openCounter(worker.connection, traffic)));
  const behind = workers.map((worker, index) => ({ ...worker.connection, port: proxies[index]?.port ?? 0 }));
  await joinNodes(coordinator.connection, behind, 'tocsin');
  return {
    connection: coordinator.connection,
    pid: coordinator.pid,
    pids: [coordinator, ...workers].map(({ pid }) => pid),
    env: { DATABASE_URL: urlOf(coordinator.connection, 'tocsin') },
    traffic,
    async stop() {
      await stop();
      for (const { close } of proxies) close();
    },
  };
}

/** On the way to a worker. */
function openCounter(
  { host, port }: PostgresServer['connection'],
  traffic: Traffic,
): Promise<{ port: number; close(): void }> {
  const server = createServer((client) => {
    const worker = createConnection({ host, port });
    let isAsked = false;
    client.on('data', (sent) => {
      traffic.bytes += sent.length;
      if (!isAsked) traffic.trips += 1;
      isAsked = true;
      worker.write(sent);
    });
    worker.on('data', (answer) => {
      traffic.bytes += answer.length;
      isAsked = false;
      client.write(answer);
    });
    const end = () => {
      client.destroy();
      worker.destroy();
    };
    for (const socket of [client, worker]) socket.on('error', end).on('close', end);
  });
  return new Promise((resolve) => {
    server.listen(0, host, () => {
      const address = server.address();
      resolve({
        port: typeof address === 'object' && address ? address.port : 0,
        close: () => server.close(),
      });
    });
  });
}

const say = (what: string, growth: Growth) => process.stdout.write(`${what}: ${describe(growth)}\n`);
try {
  const plain = await openSystemCluster();
  const alone = await measure({ ...plain, pids: [plain.pid], traffic: null }).finally(plain.stop);
  say('one PostgreSQL', alone);
  for (const count of WORKERS) {
    const split = await openSplitCluster(count);
    const own = await measure(split).finally(split.stop);
    const times = (pick: (cost: Cost) => number) => (pick(own.dense) / pick(alone.dense)).toFixed(2);
    const whole = times(({ servers, program }) => servers + program);
    say(
      `${count} workers, ${whole} times the processor time, ${times(({ servers }) => servers)} of servers`,
      own,
    );
  }
} finally {
  generator.end();
}

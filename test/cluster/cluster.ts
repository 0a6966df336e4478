// Three PostgreSQL under Patroni, three etcd and an HAProxy on this machine, from the files of deploy/database.
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { chooseServerAccount, isRoot } from '../../src/platform/db/embedded/server-account.ts';
import { familyOf, type Started, signal, startProcess } from '../support/processes.ts';
import { findQuietPorts } from '../support/quiet-ports.ts';
import { deployed, readDeployedVariables } from './deployed.ts';
import { findInstalled } from './installed.ts';

interface Machine {
  name: string;
  /** Patroni and PostgreSQL die, as if the power failed. */
  kill(): Promise<void>;
  /** Both stand still, as a virtual machine does that is moved. */
  freeze(): void;
  thaw(): void;
  start(): void;
}

export interface Cluster {
  /** For DATABASE_URL. */
  url: string;
  /** For TOCSIN_READ_URL. */
  readUrl: string;
  /** Where the programs are asked, and the two ports at which they have to listen. */
  web: { url: string; ports: [number, number] };
  machines: Machine[];
  /** The machine that leads, as the others say. */
  primary(): Promise<Machine>;
  /** One that follows, and whether answers wait for it. */
  replica(kind: 'synchronous' | 'other'): Promise<Machine>;
  switchOver(): Promise<void>;
  /** The one that leads the others. */
  killEtcd(): Promise<{ start(): void }>;
  /** Until three follow one, and one of them is as far as it. */
  untilWhole(): Promise<void>;
  stop(): Promise<void>;
}

const HOST = '127.0.0.1';
const PASSWORD = 'tests-only';
const NAMES = ['db1', 'db2', 'db3'];

interface Member {
  name: string;
  role: string;
  state: string;
  timeline?: number;
}

/** The machine is too slow for its servers, or something is wrong with them; nothing is known of Tocsin. */
export class ClusterDoesNotStart extends Error {}

export async function startCluster(): Promise<Cluster> {
  const installed = findInstalled();
  const account = isRoot() ? await chooseServerAccount() : undefined;
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-cluster-'));
  chmodSync(folder, 0o755);
  const makeFolder = (name: string): string => {
    const path = join(folder, name);
    mkdirSync(path, { mode: 0o700 });
    if (account) chownSync(path, account.uid, account.gid);
    return path;
  };
  const ports = await findQuietPorts(17);
  const takePort = () => ports.pop() ?? 0;
  const how = (name: string, env: Record<string, string>) => ({
    env: { ...env, HOME: folder },
    cwd: folder,
    log: join(folder, `${name}.log`),
    ...(account && { uid: account.uid, gid: account.gid }),
  });

  const places = NAMES.map((name) => ({
    name,
    database: takePort(),
    api: takePort(),
    etcd: takePort(),
    peer: takePort(),
    home: makeFolder(name),
  }));
  const peers = places.map(({ name, peer }) => `${name}=http://${HOST}:${peer}`).join();
  const etcds = places.map((place) => {
    const client = `http://${HOST}:${place.etcd}`;
    const peer = `http://${HOST}:${place.peer}`;
    const env = readDeployedVariables('etcd.env', {
      ETCD_NAME: place.name,
      ETCD_DATA_DIR: join(place.home, 'etcd'),
      ETCD_LISTEN_PEER_URLS: peer,
      ETCD_LISTEN_CLIENT_URLS: client,
      ETCD_INITIAL_ADVERTISE_PEER_URLS: peer,
      ETCD_ADVERTISE_CLIENT_URLS: client,
      ETCD_INITIAL_CLUSTER: peers,
    });
    const start = () => startProcess(installed.etcd, [], how(`${place.name}-etcd`, env));
    return { client, start, process: start() };
  });

  const machines = places.map((place) => {
    const env = readDeployedVariables('patroni.env', {
      PATRONI_NAME: place.name,
      PATRONI_RESTAPI_LISTEN: `${HOST}:${place.api}`,
      PATRONI_RESTAPI_CONNECT_ADDRESS: `${HOST}:${place.api}`,
      PATRONI_POSTGRESQL_LISTEN: `${HOST}:${place.database}`,
      PATRONI_POSTGRESQL_CONNECT_ADDRESS: `${HOST}:${place.database}`,
      PATRONI_POSTGRESQL_DATA_DIR: join(place.home, 'data'),
      PATRONI_POSTGRESQL_BIN_DIR: installed.postgres,
      PATRONI_POSTGRESQL_PGPASS: join(place.home, 'pgpass'),
      PATRONI_ETCD_HOSTS: places.map(({ etcd }) => `${HOST}:${etcd}`).join(),
      PATRONI_SUPERUSER_PASSWORD: PASSWORD,
      PATRONI_REPLICATION_PASSWORD: PASSWORD,
      PATRONI_REWIND_PASSWORD: PASSWORD,
    });
    return createMachine(place.name, join(place.home, 'data'), () =>
      startProcess(installed.patroni, [deployed('patroni.yml')], how(place.name, env)),
    );
  });

  const [primaryPort, replicasPort, webPort] = [takePort(), takePort(), takePort()];
  const webPorts: [number, number] = [takePort(), takePort()];
  const haproxyEnv = readDeployedVariables('haproxy.env', {
    TOCSIN_PRIMARY_BIND: `${HOST}:${primaryPort}`,
    TOCSIN_REPLICAS_BIND: `${HOST}:${replicasPort}`,
    TOCSIN_WEB_BIND: `${HOST}:${webPort}`,
    ...Object.fromEntries(
      places.flatMap(({ database, api }, index) => [
        [`TOCSIN_DB${index + 1}`, `${HOST}:${database}`],
        [`TOCSIN_DB${index + 1}_API`, String(api)],
      ]),
    ),
    TOCSIN_WEB1: `${HOST}:${webPorts[0]}`,
    TOCSIN_WEB2: `${HOST}:${webPorts[1]}`,
  });
  for (const machine of machines) machine.start();
  const haproxy = startProcess(
    installed.haproxy,
    ['-db', '-f', deployed('haproxy.cfg')],
    how('haproxy', haproxyEnv),
  );

  const ask = async (path: string, init?: RequestInit): Promise<Response> => {
    for (const { api } of places)
      try {
        return await fetch(`http://${HOST}:${api}${path}`, { signal: AbortSignal.timeout(1_000), ...init });
      } catch {
        // Dead or standing still.
      }
    throw new Error('No Patroni answers');
  };
  const members = async (): Promise<Member[]> =>
    ((await (await ask('/cluster')).json()) as { members?: Member[] }).members ?? [];
  const find = async (role: string): Promise<Machine> =>
    eventually(`a ${role}`, async () => {
      const { name } = (await members()).find((member) => member.role === role) ?? {};
      return machines.find((machine) => machine.name === name) ?? null;
    });

  const stop = async () => {
    process.off('exit', killAll);
    killAll();
    await Promise.all([...machines.map(({ ended }) => ended()), ...etcds.map((etcd) => etcd.process.ended)]);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  };
  const killAll = () => {
    for (const machine of machines) machine.killNow();
    signal([haproxy.pid, ...etcds.map((etcd) => etcd.process.pid)], 'SIGKILL');
  };
  process.on('exit', killAll);

  const cluster: Cluster = {
    url: `postgres://tocsin:${PASSWORD}@${HOST}:${primaryPort}/tocsin`,
    readUrl: `postgres://tocsin:${PASSWORD}@${HOST}:${replicasPort}/tocsin`,
    web: { url: `http://${HOST}:${webPort}`, ports: webPorts },
    machines,
    primary: () => find('leader'),
    replica: (kind) => find(kind === 'synchronous' ? 'sync_standby' : 'replica'),
    async switchOver() {
      const body = JSON.stringify({ leader: (await find('leader')).name });
      const answer = await ask('/switchover', { method: 'POST', body, signal: AbortSignal.timeout(60_000) });
      const said = await answer.text();
      // Unknown: it did not happen while one could wait for it, and may yet.
      if (answer.status !== 200 && !said.includes('unknown')) throw new Error(`No switchover: ${said}`);
    },
    async killEtcd() {
      const leader = await eventually('a leader of etcd', async () => {
        for (const etcd of etcds) if (await leadsEtcd(etcd.client)) return etcd;
        return null;
      });
      signal([leader.process.pid], 'SIGKILL');
      await leader.process.ended;
      return {
        start() {
          leader.process = leader.start();
        },
      };
    },
    untilWhole: async () =>
      void (await eventually('three that run', async () => {
        const all = await members().catch(() => []);
        const leader = all.find(({ role }) => role === 'leader');
        const isWhole =
          all.length === NAMES.length &&
          all.every(
            ({ state, timeline }) => /running|streaming/.test(state) && timeline === leader?.timeline,
          ) &&
          all.some(({ role }) => role === 'sync_standby');
        return isWhole || null;
      })),
    stop,
  };

  try {
    await cluster.untilWhole();
    await eventually('a way to the primary', () =>
      addOwnDatabase(primaryPort).catch((error) =>
        /ECONN|terminated/.test(error.message) ? null : Promise.reject(error),
      ),
    );
    return cluster;
  } catch (error) {
    const said = [...NAMES, 'db1-etcd', 'haproxy'].map(
      (name) => `${name}:\n${readFileSync(join(folder, `${name}.log`), 'utf8').slice(-800)}`,
    );
    await stop();
    throw new ClusterDoesNotStart(`The cluster does not start. ${said.join('\n')}`, { cause: error });
  }
}

interface OwnMachine extends Machine {
  killNow(): void;
  ended(): Promise<unknown>;
}

function createMachine(name: string, dataDir: string, startPatroni: () => Started): OwnMachine {
  let patroni: Started | null = null;
  const processes = () => [
    ...(patroni?.isRunning() ? familyOf(patroni.pid) : []),
    ...familyOf(postmaster(dataDir)),
  ];
  const killNow = () => signal([...new Set(processes())], 'SIGKILL');
  const ended = async () => {
    await patroni?.ended;
    while (familyOf(postmaster(dataDir)).length > 0) await sleep(20);
  };
  return {
    name,
    start() {
      patroni = startPatroni();
    },
    killNow,
    ended,
    async kill() {
      killNow();
      await ended();
    },
    freeze: () => signal([...new Set(processes())], 'SIGSTOP'),
    thaw: () => signal([...new Set(processes())], 'SIGCONT'),
  };
}

/** 0: there is none. */
function postmaster(dataDir: string): number {
  try {
    const pid = Number(readFileSync(join(dataDir, 'postmaster.pid'), 'utf8').split('\n')[0]);
    // A file that was left behind may name anybody by now.
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(dataDir) ? pid : 0;
  } catch {
    return 0;
  }
}

async function leadsEtcd(client: string): Promise<boolean> {
  try {
    const answer = await fetch(`${client}/v3/maintenance/status`, {
      method: 'POST',
      body: '{}',
      signal: AbortSignal.timeout(1_000),
    });
    const { header, leader } = (await answer.json()) as { header: { member_id: string }; leader: string };
    return header.member_id === leader;
  } catch {
    return false;
  }
}

async function addOwnDatabase(port: number): Promise<true> {
  const admin = new pg.Client({
    host: HOST,
    port,
    user: 'postgres',
    password: PASSWORD,
    database: 'postgres',
  });
  admin.on('error', () => {});
  await admin.connect();
  await admin.query(`create role tocsin login password ${pg.escapeLiteral(PASSWORD)}`);
  await admin.query('create database tocsin owner tocsin');
  await admin.end();
  return true;
}

/** What comes in time, though not at once. */
async function eventually<Value>(what: string, look: () => Promise<Value | null>): Promise<Value> {
  const until = Date.now() + 300_000;
  for (;;) {
    const found = await look();
    if (found !== null) return found;
    if (Date.now() > until) throw new Error(`There was never ${what}`);
    await sleep(200);
  }
}

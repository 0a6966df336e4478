// A PostgreSQL server as somebody else's would be: its version's default settings, reached by address and password only.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { chooseServerAccount, isRoot } from '../../src/platform/db/embedded/server-account.ts';
import { type PostgresKind, prepareBinaries } from './postgres-binaries.ts';
import { familyOf, signal } from './processes.ts';
import { findQuietPort } from './quiet-ports.ts';

export interface PostgresServer {
  /** Of the role `tocsin`, and of the administrator `postgres`. */
  connection: { host: string; port: number; password: string };
  /** All its other processes are children of this one. */
  pid: number;
  /** As if the power failed. */
  kill(): Promise<void>;
  /** Once more, at the same place. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

interface How {
  port?: number;
  /** Lines of its configuration. */
  settings?: readonly string[];
}

const HOST = '127.0.0.1';
const PASSWORD = 'tests-only';

export async function startPostgres(kind: PostgresKind, how: How = {}): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), `tocsin-postgres-${kind}-`));
  chmodSync(folder, 0o755);
  const account = isRoot() ? await chooseServerAccount() : undefined;
  const cluster = join(folder, 'cluster');
  const place = {
    dataDir: folder,
    home: folder,
    cluster,
    log: join(folder, 'log'),
    account,
    isSettled: true,
  };
  const bin = await prepareBinaries(kind, place);

  mkdirSync(cluster, { mode: 0o700 });
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, PASSWORD);
  if (account) for (const path of [cluster, passwordFile]) chownSync(path, account.uid, account.gid);
  // By this servers find the password of others, where they ask each other.
  const knownPasswords = join(folder, 'pgpass');
  writeFileSync(knownPasswords, `*:*:*:*:${PASSWORD}\n`, { mode: 0o600 });
  if (account) chownSync(knownPasswords, account.uid, account.gid);
  const asServer = {
    ...(account && { uid: account.uid, gid: account.gid }),
    cwd: cluster,
    env: { LC_ALL: kind === 'system' ? 'C.UTF-8' : 'C', PGPASSFILE: knownPasswords },
  };
  const initdb = [
    '-D',
    cluster,
    '-U',
    'postgres',
    '-A',
    'scram-sha-256',
    `--pwfile=${passwordFile}`,
    '-E',
    'UTF8',
    '-N',
  ];
  execFileSync(join(bin, 'initdb'), initdb, { ...asServer, stdio: 'ignore' });

  const port = how.port ?? (await findQuietPort());
  const settings = [
    `listen_addresses=${HOST}`,
    `port=${port}`,
    'unix_socket_directories=',
    ...(how.settings ?? []),
  ];
  const log = openSync(place.log, 'a');
  const launch = () =>
    spawn(join(bin, 'postgres'), ['-D', cluster, ...settings.flatMap((line) => ['-c', line])], {
      ...asServer,
      stdio: ['ignore', log, log],
    });
  let server = launch();
  const connection = { host: HOST, port, password: PASSWORD };
  const asAdministrator = { ...connection, user: 'postgres', database: 'postgres' };
  try {
    await addOwnDatabase(await connect(asAdministrator, server));
  } catch (error) {
    const said = readFileSync(place.log, 'utf8');
    await stop(server, folder);
    throw new Error(`PostgreSQL (${kind}) does not start: ${said}`, { cause: error });
  }
  return {
    connection,
    get pid() {
      return server.pid ?? 0;
    },
    async kill() {
      const family = familyOf(server.pid ?? 0);
      signal(family, 'SIGKILL');
      await once(server, 'exit');
    },
    async start() {
      server = launch();
      await (await connect(asAdministrator, server)).end();
    },
    stop: () => stop(server, folder),
  };
}

export const urlOf = ({ host, port, password }: PostgresServer['connection'], database: string): string =>
  `postgres://tocsin:${password}@${host}:${port}/${database}`;

async function addOwnDatabase(admin: pg.Client): Promise<void> {
  await admin.query(`create role tocsin login password ${pg.escapeLiteral(PASSWORD)}`);
  await admin.query('create database tocsin owner tocsin');
  await admin.end();
}

/** As soon as it lets somebody in. */
async function connect(config: pg.ClientConfig, server: ChildProcess): Promise<pg.Client> {
  for (;;) {
    const client = new pg.Client(config);
    try {
      await client.connect();
      return client;
    } catch (error) {
      if (server.exitCode !== null) throw error;
      await sleep(50);
    }
  }
}

async function stop(server: ChildProcess, folder: string): Promise<void> {
  server.kill('SIGINT');
  // One that stands still hears nothing else.
  server.kill('SIGCONT');
  if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
  rmSync(folder, { recursive: true, force: true });
}

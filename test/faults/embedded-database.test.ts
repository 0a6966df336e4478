import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { Client, Pool } from 'pg';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { type EmbeddedDatabase, openEmbedded } from '../../src/platform/db/embedded/open-embedded.ts';
import { findPlatformPackage } from '../../src/platform/db/embedded/platform-package.ts';
import { copyPackage, readLinks } from '../support/embedded-package.ts';
import {
  answers,
  argumentsOf,
  canConnect,
  isRunning,
  isServed,
  outsideAddresses,
  query,
  run,
  serverPid,
  uidOf,
} from '../support/embedded-probes.ts';
import {
  buildEmbeddedProgram,
  type EmbeddedProgram,
  type Launcher,
  startEmbeddedProgram,
} from '../support/embedded-program.ts';
import { isOpenToNobody, isRoot, NOBODY, someoneElse } from '../support/someone-else.ts';

const isLinux = process.platform === 'linux';
// A busy machine may need many times the usual second or two.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

let folder: string;
/** A data folder with a cluster, made once: each test leaves it without a server. */
let shared: string;
let packageDir: string;
let launcher: Launcher;
let count = 0;
const databases: EmbeddedDatabase[] = [];
const programs: EmbeddedProgram[] = [];

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'tocsin-embedded-')));
  await chmod(folder, 0o755);
  const installed = (await findPlatformPackage()).dir;
  packageDir = (await isOpenToNobody(installed))
    ? installed
    : await copyPackage(join(folder, 'package'), { isBare: false });
  launcher = await buildEmbeddedProgram(folder);
  shared = join(folder, 'shared');
  await mkdir(shared, { mode: 0o700 });
  const database = await openEmbedded({ dataDir: shared, packageDir });
  await database.close();
});

afterEach(async () => {
  await Promise.all(programs.splice(0).map((program) => program.finish()));
  await Promise.all(databases.splice(0).map((database) => database.close()));
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

// Needs root by its very subject.
test.skipIf(!isRoot)('as root the server runs under an unprivileged user', async () => {
  await open(shared);
  const owner = await stat(join(shared, 'postgres'));
  expect(owner.uid).not.toBe(0);
  expect(await uidOf(await serverPid(shared))).toBe(owner.uid);
});

test('as an ordinary user the server runs under that user', async () => {
  const dataDir = await dataOfSomeoneElse();
  const program = start(dataDir, someoneElse);
  await program.ask('open');
  expect(await program.ask('select current_user as name')).toEqual([{ name: 'tocsin' }]);
  expect(await uidOf(await serverPid(dataDir))).toBe(someoneElse.uid ?? process.getuid?.());
});

// Only root can make files that belong to somebody else.
test.skipIf(!isRoot)(
  'an ordinary user who meets the database of another user is notified what to do',
  async () => {
    const dataDir = await newFolder();
    await mkdir(join(dataDir, 'postgres'));
    await run('chown', ['-R', '1:1', dataDir]);
    const answer = await start(dataDir, someoneElse).ask<{ failed: string; kind: string }>('open');
    expect(answer.kind).toBe('EmbeddedDatabaseError');
    expect(answer.failed).toMatch(
      /belongs to the user \w+: run this as \w+ or root, or choose another folder with TOCSIN_DATA\.$/,
    );
  },
);

// Root alone runs the server under another user than its own.
test.skipIf(!isRoot)(
  'an empty data folder that only root can enter is opened to the server, and keeps its cluster',
  async () => {
    expect((await stat(shared)).mode & 0o777).toBe(0o711);
    expect((await readdir(shared)).sort()).toEqual(['postgres', 'postgres.log', 'postgres.password']);
  },
);

// Root alone runs the server under another user than its own.
test.skipIf(!isRoot)(
  'in a closed home directory root keeps binaries and cluster where the server can reach them',
  async () => {
    const home = await newFolder('home');
    await chmod(home, 0o700);
    const [dataDir, closedPackage] = [
      join(home, 'data'),
      await copyPackage(join(home, 'package'), { isBare: false }),
    ];
    let place: string | undefined;
    try {
      const first = await open(dataDir, closedPackage);
      place = (await readFile(join(dataDir, 'postgres.location'), 'utf8')).trimEnd();
      expect(dirname(place)).toBe('/var/lib/tocsin');
      expect(first.clusterDir).toBe(join(place, 'postgres'));
      expect((await readdir(place)).sort()).toEqual([expect.stringMatching(/^binaries-18\./), 'postgres']);
      await query(first, 'create table kept (word text)');
      const pid = await serverPid(place);
      if (isLinux) expect(await readlink(`/proc/${pid}/exe`)).toContain(`${place}/binaries-18.`);
      await first.close();
      expect(await isRunning(pid)).toBe(false);

      const second = await open(dataDir, closedPackage);
      expect(await query(second, 'select * from kept')).toEqual([]);
      await second.close();

      await rm(dataDir, { recursive: true });
      const said: string[] = [];
      const third = await openEmbedded({
        dataDir,
        packageDir: closedPackage,
        say: (line) => said.push(line),
      });
      databases.push(third);
      expect(said).toContainEqual(expect.stringMatching(/earlier one was set aside as .*abandoned/));
      await expect(query(third, 'select * from kept')).rejects.toThrow('does not exist');
      await third.close();
    } finally {
      if (place?.startsWith('/var/lib/tocsin/')) await rm(place, { recursive: true });
    }
  },
);

test('a data path too long for a unix socket is served on a loopback port, and on no other address', async () => {
  const dataDir = await dataAtLongPath();
  const database = await open(dataDir);
  const { host, port } = database.connection;
  expect(host).toBe('127.0.0.1');
  expect(await query(database, 'show listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }]);
  expect(await canConnect(host, port)).toBe(true);
  for (const address of outsideAddresses()) expect(await canConnect(address, port)).toBe(false);
});

test('on a loopback port a killed database comes back at the same port', async () => {
  const dataDir = await dataAtLongPath();
  const database = await open(dataDir);
  const { port } = database.connection;
  const pool = new Pool(database.connection).on('error', () => {});
  await awaitNewServer(dataDir, await killServer(dataDir), pool);
  await pool.end();
  expect(database.connection.port).toBe(port);
});

test('a loopback port that another program has taken meanwhile is exchanged for a free one', async () => {
  const dataDir = await dataAtLongPath();
  const { connection, close } = await open(dataDir);
  await close();
  const squatter = createServer().listen(connection.port, '127.0.0.1');
  await once(squatter, 'listening');
  try {
    const database = await open(dataDir);
    expect(database.connection.port).not.toBe(connection.port);
    expect(await query(database, 'select 1 as one')).toEqual([{ one: 1 }]);
  } finally {
    squatter.close();
  }
});

test('on a unix socket no network address is open, and a wrong password is refused', async () => {
  const database = await open(shared);
  expect(database.connection.host).toBe(join(shared, 'postgres'));
  expect(await query(database, 'show listen_addresses')).toEqual([{ listen_addresses: '' }]);
  for (const user of ['tocsin', 'postgres']) {
    const stranger = new Client({ ...database.connection, user, password: 'guessed' });
    await expect(stranger.connect()).rejects.toThrow('password authentication failed');
  }
});

test('the program is no superuser, and the password shows neither in arguments nor in the log', async () => {
  const database = await open(shared);
  expect(await query(database, 'show is_superuser')).toEqual([{ is_superuser: 'off' }]);
  const given = await argumentsOf(await serverPid(shared));
  expect(given).toContain(shared);
  expect(given).not.toContain(database.connection.password);
  expect(await readFile(join(shared, 'postgres.log'), 'utf8')).not.toContain(database.connection.password);
  expect((await stat(join(shared, 'postgres.password'))).mode & 0o777).toBe(0o600);
});

test('after kill -9 of the program the next one finds the server running, and stops it when it leaves', async () => {
  const program = start(shared);
  await program.ask('open');
  await program.ask('create table after_program (word text)');
  const pid = await serverPid(shared);
  await program.kill();
  expect(await isRunning(pid)).toBe(true);

  const next = await open(shared);
  expect(await serverPid(shared)).toBe(pid);
  expect(await query(next, 'select * from after_program')).toEqual([]);
  await next.close();
  expect(await isRunning(pid)).toBe(false);
});

test('after kill -9 of the database the running program brings it back, with everything that was committed', async () => {
  const said: string[] = [];
  const database = await openEmbedded({ dataDir: shared, packageDir, say: (line) => said.push(line) });
  databases.push(database);
  const pool = new Pool(database.connection).on('error', () => {});
  await pool.query("create table after_database as select 'word' as word");
  await awaitNewServer(shared, await killServer(shared), pool);
  expect((await pool.query('select * from after_database')).rows).toEqual([{ word: 'word' }]);
  await pool.end();
  // On a busy machine it says meanwhile what takes so long.
  const saidInAnyCase = () => said.filter((line) => !line.includes('repairing itself'));
  await expect
    .poll(saidInAnyCase, { timeout: 30_000 })
    .toEqual(['The embedded database is gone; bringing it back.', 'The embedded database is back.']);
  const pid = await serverPid(shared);
  await database.close();
  expect(await isRunning(pid)).toBe(false);
});

test('after a plain kill of the database, which waits for its users to leave, the running program brings it back', async () => {
  const database = await open(shared);
  const pool = new Pool(database.connection).on('error', () => {});
  const pid = await serverPid(shared);
  process.kill(pid, 'SIGTERM');
  await awaitNewServer(shared, pid, pool);
  await pool.end();
});

test('a program that closes right after kill -9 of the database ends cleanly and leaves no server', async () => {
  const database = await open(shared);
  await killServer(shared);
  await database.close();
  await database.close();
  expect(await isServed(shared)).toBe(false);
});

test('a program that closes while a server it started has not yet said who it is leaves no server', async () => {
  const slow = await copyPackage(join(folder, 'slow'), { isBare: false });
  const postgres = join(slow, 'native/bin/postgres');
  const database = await open(shared, slow);
  await rename(postgres, `${postgres}-itself`);
  await writeFile(postgres, `#!/bin/sh\nsleep 3\nexec "$0-itself" "$@"\n`, { mode: 0o755 });
  await killServer(shared);
  const isStarting = async () => (await run('ps', ['-ww', '-eo', 'args'])).stdout.includes(`${postgres} -D`);
  await expect.poll(isStarting, { timeout: 30_000 }).toBe(true);
  await database.close();
  expect(await isStarting()).toBe(false);
  expect(await isServed(shared)).toBe(false);
});

test('after kill -9 of the database while no program runs the next program starts it again', async () => {
  const program = start(shared);
  await program.ask('open');
  await program.ask("create table after_orphan as select 'word' as word");
  await program.kill();
  await killServer(shared);
  expect(await query(await open(shared), 'select * from after_orphan')).toEqual([{ word: 'word' }]);
});

test('after kill -9 of program and database at once, in the middle of a statement, the next program starts it again', async () => {
  const program = start(shared);
  await program.ask('open');
  await program.ask("create table after_both as select 'word' as word");
  program.ask('select pg_sleep(2)').catch(() => {});
  process.kill(await serverPid(shared), 'SIGKILL');
  await program.kill();
  expect(await query(await open(shared), 'select * from after_both')).toEqual([{ word: 'word' }]);
});

test('after kill -9 of the very first start the next program begins anew and sweeps up', async () => {
  const dataDir = await newFolder();
  const program = start(dataDir);
  program.ask('open').catch(() => {});
  await expect
    .poll(async () => (await readdir(dataDir)).some(isUnfinishedCluster), { interval: 5, timeout: 30_000 })
    .toBe(true);
  await program.kill();
  expect((await readdir(dataDir)).some(isUnfinishedCluster)).toBe(true);
  await open(dataDir);
  expect((await readdir(dataDir)).sort()).toEqual(['postgres', 'postgres.log', 'postgres.password']);
});

test('two programs that start together on an empty folder share one server, which the last one stops', async () => {
  const dataDir = await newFolder();
  const [first, second] = [start(dataDir), start(dataDir)];
  const opened = await Promise.all([
    first.ask<{ connection: object }>('open'),
    second.ask<{ connection: object }>('open'),
  ]);
  expect(opened[0].connection).toEqual(opened[1].connection);
  await first.ask('create table shared (word text)');
  expect(await second.ask('select * from shared')).toEqual([]);
  const pid = await serverPid(dataDir);
  await first.finish();
  expect(await second.ask('select * from shared')).toEqual([]);
  await second.finish();
  expect(await isRunning(pid)).toBe(false);
  expect((await readdir(dataDir)).sort()).toEqual(['postgres', 'postgres.log', 'postgres.password']);
});

test('the program that started the server leaves first, and the server stays for the other', async () => {
  const starter = start(shared);
  await starter.ask('open');
  const pid = await serverPid(shared);
  const guest = await open(shared);
  await starter.finish();
  expect(await isRunning(pid)).toBe(true);
  expect(await query(guest, 'select 1 as one')).toEqual([{ one: 1 }]);
  await guest.close();
  expect(await isRunning(pid)).toBe(false);
});

test('however programs come and go at the same time, each gets in, and none leaves a server behind', async () => {
  const others = [start(shared), start(shared)];
  const visit = async () => {
    const database = await openEmbedded({ dataDir: shared, packageDir });
    try {
      expect(await query(database, 'select 1 as one')).toEqual([{ one: 1 }]);
    } finally {
      await database.close();
    }
  };
  const visitFrom = async (program: EmbeddedProgram) => {
    await program.ask('open');
    expect(await program.ask('select 1 as one')).toEqual([{ one: 1 }]);
    await program.ask('close');
  };
  for (let round = 0; round < 5; round += 1) {
    await Promise.all([visit(), visit(), visit(), ...others.map(visitFrom)]);
    expect(await isServed(shared)).toBe(false);
  }
  const inTurns = async (turn: () => Promise<void>) => {
    for (let round = 0; round < 5; round += 1) await turn();
  };
  await Promise.all([
    inTurns(visit),
    inTurns(visit),
    ...others.map((program) => inTurns(() => visitFrom(program))),
  ]);
  expect(await isServed(shared)).toBe(false);
});

test('where npm ran no install scripts, a copy with links and execute bits is made, and the package is left alone', async () => {
  const bare = await copyPackage(join(folder, 'bare'), { isBare: true });
  const dataDir = await dataOfSomeoneElse();
  const program = start(dataDir, someoneElse, bare);
  await program.ask('open');
  expect(await program.ask('select 1 as one')).toEqual([{ one: 1 }]);
  const copy = (await readdir(dataDir)).find((name) => /^binaries-18\.[^/]*$/.test(name)) ?? 'no copy';
  for (const link of await readLinks(bare)) {
    expect(await readlink(join(dataDir, copy, relative(bare, link.path)))).toBe(link.leadsTo);
    await expect(stat(link.path)).rejects.toThrow('ENOENT');
  }
  expect((await stat(join(bare, 'native/bin/postgres'))).mode & 0o777).toBe(0o644);
});

test('a stale pid file whose pid now belongs to another program does not block the start', async () => {
  const dataDir = await dataOfSomeoneElse();
  const stranger = spawn('sleep', ['60'], someoneElse);
  try {
    const cluster = join(dataDir, 'postgres');
    const stale = [stranger.pid, cluster, 1, 5432, '.', '', '  1 1', 'ready   ', ''].join('\n');
    for (const file of ['postmaster.pid', '.s.PGSQL.5432.lock']) {
      await writeFile(join(cluster, file), stale);
    }
    if (isRoot) await run('chown', ['-R', 'nobody', cluster]);
    const program = start(dataDir, someoneElse);
    expect(await program.ask('open')).toHaveProperty('connection');
    expect(await program.ask('select 1 as one')).toEqual([{ one: 1 }]);
    expect(await isRunning(stranger.pid ?? 0)).toBe(true);
  } finally {
    stranger.kill();
    await once(stranger, 'exit');
  }
});

test('an empty pid file, left by a kill at the wrong moment, does not block the start', async () => {
  const file = join(shared, 'postgres', 'postmaster.pid');
  await writeFile(file, '');
  const anHourAgo = new Date(Date.now() - 3_600_000);
  await utimes(file, anHourAgo, anHourAgo);
  expect(await query(await open(shared), 'select 1 as one')).toEqual([{ one: 1 }]);
});

// Namespaces of its own, which only root may make, are what a second container would have.
test.skipIf(!isRoot || !isLinux)(
  'a program in another container joins the server instead of starting a second one',
  async () => {
    const database = await open(shared);
    const pid = await serverPid(shared);
    const inside = ['unshare', '--pid', '--ipc', '--mount-proc', '--fork', '--kill-child'];
    const program = startEmbeddedProgram(launcher, { dataDir: shared, packageDir, inside });
    programs.push(program);
    await program.ask('open');
    await program.ask('create table from_container (word text)');
    expect(await query(database, 'select * from from_container')).toEqual([]);
    await program.finish();
    expect(await serverPid(shared)).toBe(pid);
  },
);

test('a data folder that was renamed while the server runs is found under its new name', async () => {
  const moved = `${shared}-moved`;
  const program = start(shared);
  await program.ask('open');
  await rename(shared, moved);
  try {
    const database = await open(moved);
    const pid = await serverPid(moved);
    await program.finish();
    expect(await query(database, 'select 1 as one')).toEqual([{ one: 1 }]);
    await database.close();
    expect(await isRunning(pid)).toBe(false);
  } finally {
    await rename(moved, shared);
  }
});

test('a lost password file is reported, and not replaced', async () => {
  const dataDir = await newFolder();
  await mkdir(join(dataDir, 'postgres'));
  if (isRoot) await run('chown', ['nobody', join(dataDir, 'postgres')]);
  await expect(openEmbedded({ dataDir, packageDir })).rejects.toThrow(/postgres\.password is missing/);
  await expect(stat(join(dataDir, 'postgres.password'))).rejects.toThrow('ENOENT');
});

test('a machine without binaries is told to set DATABASE_URL', async () => {
  const arch = vi.spyOn(process, 'arch', 'get').mockReturnValue('mips');
  try {
    const opening = openEmbedded({ dataDir: await newFolder() });
    await expect(opening).rejects.toThrow(/^No embedded PostgreSQL for this machine: .*DATABASE_URL.*\.$/);
  } finally {
    arch.mockRestore();
  }
});

test('a server that cannot start says why in one line', async () => {
  const file = join(shared, 'postgres', 'postgresql.auto.conf');
  const settings = await readFile(file);
  await writeFile(file, 'shared_buffers = nonsense\n');
  try {
    await expect(openEmbedded({ dataDir: shared, packageDir })).rejects.toThrow(
      /^The embedded database in \S+ does not come up: .*postgresql\.auto\.conf.* \(more in \S+postgres\.log\)$/,
    );
  } finally {
    await writeFile(file, settings);
  }
});

async function open(dataDir: string, from = packageDir): Promise<EmbeddedDatabase> {
  const database = await openEmbedded({ dataDir, packageDir: from });
  databases.push(database);
  return database;
}

function start(
  dataDir: string,
  user: { uid?: number; gid?: number } = {},
  from = packageDir,
): EmbeddedProgram {
  const program = startEmbeddedProgram(launcher, { dataDir, packageDir: from, ...user });
  programs.push(program);
  return program;
}

async function newFolder(name = `data-${++count}`): Promise<string> {
  const path = join(folder, name);
  await mkdir(path);
  await chmod(path, 0o755);
  return path;
}

function dataAtLongPath(): Promise<string> {
  return copyData('long-'.repeat(25));
}

async function dataOfSomeoneElse(): Promise<string> {
  const path = await copyData('of-someone-else');
  if (isRoot) await run('chown', ['-R', `${NOBODY.uid}:${NOBODY.gid}`, path]);
  return path;
}

/** Copying a cluster is slower than starting it, so the tests that need one of its kind share the copy too. */
async function copyData(name: string): Promise<string> {
  const path = join(folder, name);
  if (!(await stat(path).catch(() => undefined))) await run('cp', ['-a', shared, path]);
  return path;
}

async function killServer(dataDir: string): Promise<number> {
  const pid = await serverPid(dataDir);
  process.kill(pid, 'SIGKILL');
  await expect.poll(() => isRunning(pid), { timeout: 30_000 }).toBe(false);
  return pid;
}

/** Orphaned processes of the old server may answer for a moment: only a new server counts. */
async function awaitNewServer(dataDir: string, oldPid: number, pool: Pool): Promise<void> {
  const isBack = async () => (await serverPid(dataDir).catch(() => oldPid)) !== oldPid && answers(pool);
  await expect.poll(isBack, { timeout: 30_000 }).toBe(true);
}

function isUnfinishedCluster(name: string): boolean {
  return name.startsWith('postgres.new-');
}

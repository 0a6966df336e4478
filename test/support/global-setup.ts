// One PostgreSQL for all tests, with one migrated database that each test file clones.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { runDistribute } from '../../src/features/distribution/distribute-command.ts';
import { openPool } from '../../src/platform/db/database.ts';
import { openEmbedded } from '../../src/platform/db/embedded/open-embedded.ts';
import { migrate } from '../../src/platform/db/migrate.ts';
import { buildProgram } from './build-program.ts';
import { asAdministratorOf, joinNodes, startCitus } from './citus-servers.ts';
import { type Chromium, findChromium, NO_CHROMIUM } from './find-chromium.ts';
import { STORY_BEGINS_AT } from './movable-clock.ts';
import { startPgBouncer } from './pgbouncer.ts';
import { readPostgresKind } from './postgres-binaries.ts';
import { startPostgres } from './postgres-server.ts';

export interface TestCluster {
  host: string;
  port: number;
  password: string;
  /** Of a Citus, to which every database belongs. */
  workers?: { host: string; port: number; password: string }[];
}

declare module 'vitest' {
  interface ProvidedContext {
    cluster: TestCluster;
    chromium: Chromium | null;
    /** Where a PgBouncer in transaction mode stands before it. */
    pooler: { host: string; port: number } | null;
  }
}

/** Nobody pulls the plug of this server: tests of crashes have servers of their own. */
const SETTINGS = { fsync: 'off', full_page_writes: 'off' };

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  project.provide('chromium', chooseChromium());
  await buildProgram();
  const { connection, stop } = await startCluster();
  const { workers } = connection;
  for (const worker of workers ?? [])
    await asAdministratorOf(
      { connection: worker },
      'postgres',
      'create database tocsin_template owner tocsin',
    );

  const admin = new pg.Client({ ...connection, user: 'postgres', database: 'postgres' });
  await admin.connect();
  await admin.query('create database tocsin_template owner tocsin');
  // Nobody pulls its plug: waiting for the disk at each commit would only take time.
  await admin.query('alter role tocsin set synchronous_commit = off');
  const { rows } = await admin.query("select version(), current_setting('jit') as jit");
  process.stderr.write(`The tests run on ${rows[0].version}, JIT ${rows[0].jit}\n`);
  await knowPasswordsAtOnce(admin, connection.password);
  await admin.end();
  if (workers) await joinNodes(connection, workers, 'tocsin_template');

  const db = openPool({ ...connection, user: 'tocsin', database: 'tocsin_template' }, () => {});
  await migrate(db, STORY_BEGINS_AT);
  if (workers) await runDistribute(db, { shards: null, isJson: true }, { stdout() {}, stderr() {} });
  await db.close();
  // What Citus does in the background would be in the way of whoever clones it.
  for (const node of workers ? [connection, ...workers] : [])
    await asAdministratorOf(
      { connection: node },
      'postgres',
      'alter database tocsin_template allow_connections false',
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = 'tocsin_template'`,
    );

  project.provide('cluster', connection);
  // Tests go through one with TOCSIN_TEST_POOLER=transaction.
  const pooler = process.env.TOCSIN_TEST_POOLER ? await startPgBouncer('transaction', connection) : null;
  project.provide('pooler', pooler && { host: pooler.host, port: pooler.port });
  return async () => {
    await pooler?.stop();
    await stop();
  };
}

/** Thousands of connections are opened; each would hash the password 4,096 times, here and there. Version 15 always does. */
async function knowPasswordsAtOnce(admin: pg.Client, password: string): Promise<void> {
  const { rows } = await admin.query("select from pg_settings where name = 'scram_iterations'");
  if (rows.length === 0) return;
  await admin.query('set scram_iterations = 1');
  for (const role of ['postgres', 'tocsin'])
    await admin.query(`alter role ${role} password ${pg.escapeLiteral(password)}`);
}

/** The embedded one, unless TOCSIN_TEST_POSTGRES or TOCSIN_TEST_CITUS names another. */
async function startCluster(): Promise<{ connection: TestCluster; stop(): Promise<void> }> {
  const lines = Object.entries(SETTINGS).map(([name, value]) => `${name}=${value}`);
  if (process.env.TOCSIN_TEST_CITUS) {
    const { coordinator, workers, stop } = await startCitus(2, lines);
    const connections = workers.map(({ connection }) => connection);
    return { connection: { ...coordinator.connection, workers: connections }, stop };
  }
  const other = process.env.TOCSIN_TEST_POSTGRES;
  if (other) return startPostgres(readPostgresKind(other), { settings: lines });
  const dataDir = await mkdtemp(join(tmpdir(), 'tocsin-tests-'));
  // Run by root, the database works under another user, who must be able to enter.
  await chmod(dataDir, 0o755);
  const embedded = await openEmbedded({ dataDir, settings: SETTINGS });
  const { host, port, password } = embedded.connection;
  return {
    connection: { host, port, password },
    async stop() {
      await embedded.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Without one, browser tests are skipped, unless TOCSIN_BROWSER=required. */
function chooseChromium(): Chromium | null {
  const found = findChromium();
  if (found?.from === 'npm')
    process.stderr.write(
      'Browser tests of passkeys and of what is pushed are skipped: the Chromium from npm can do neither: apt-get install chromium\n',
    );
  if (found) return found;
  if (process.env.TOCSIN_BROWSER === 'required') throw new Error(NO_CHROMIUM);
  process.stderr.write(`Browser tests are skipped: ${NO_CHROMIUM}\n`);
  return null;
}

import { randomUUID } from 'node:crypto';
import type { PoolConfig } from 'pg';
import { inject } from 'vitest';
import { type Database, openPool } from '../../src/platform/db/database.ts';
import { asAdministratorOf } from './citus-servers.ts';
import { whenFileIsDone } from './when-file-is-done.ts';

export interface TestDatabase {
  db: Database;
  url: string;
  /** Where it is, for whoever connects by another way. */
  connection: { host: string; port: number; user: string; password: string; database: string };
}

export const asAdministrator = (statement: string): Promise<void> =>
  asAdministratorOf({ connection: inject('cluster') }, 'postgres', statement);

/** Packs are on other machines than the one that is connected to. */
export const isSplit = (): boolean => inject('cluster').workers !== undefined;

/** Where the databases are split, each is on every machine. */
async function asAdministratorEverywhere(statement: string): Promise<void> {
  const cluster = inject('cluster');
  for (const connection of [cluster, ...(cluster.workers ?? [])])
    await asAdministratorOf({ connection }, 'postgres', statement);
}

/** A migrated database of its own for the calling test file, gone when the file is done. */
export const cloneDatabase = (): Promise<TestDatabase> => createDatabase('tocsin_template');

/** The same before anything was made in it. */
export const createEmptyDatabase = (): Promise<TestDatabase> => createDatabase('template0');

async function createDatabase(template: string): Promise<TestDatabase> {
  const { host, port, password } = inject('cluster');
  const database = `test_${randomUUID().replaceAll('-', '')}`;
  await asAdministratorEverywhere(`create database ${database} template ${template} owner tocsin`);
  const connection = { host, port, password, user: 'tocsin', database };
  const pooler = inject('pooler');
  const db = pooler
    ? openPool({ ...connection, ...pooler }, () => {}, connection)
    : openPool(connection, () => {});
  whenFileIsDone(async () => {
    await db.close().catch(() => {});
    const dropped = asAdministratorEverywhere(`drop database if exists ${database} with (force)`);
    // What Citus does in the background may be in the way; the servers are gone with the tests.
    await (isSplit() ? dropped.catch(() => {}) : dropped);
  });
  const address = host.startsWith('/')
    ? `localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`
    : `${host}:${port}/${database}`;
  return { db, connection, url: `postgres://tocsin:${password}@${address}` };
}

/** Another way to the same database, with settings of its own. */
export function openBeside({ connection }: TestDatabase, settings: PoolConfig): Database {
  const db = openPool({ ...connection, ...settings }, () => {});
  whenFileIsDone(() => db.close().catch(() => {}));
  return db;
}

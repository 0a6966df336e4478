import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sql from 'sql-template-tag';
import { projectRoot } from '../project-root.ts';
import { StartError } from '../start-error.ts';
import type { Database, ReadDatabase } from './database.ts';
import { LOCK_KEYS } from './lock-keys.ts';

interface Migration {
  name: string;
  text: string;
  checksum: string;
}

async function readMigrations(): Promise<Migration[]> {
  const folder = join(projectRoot, 'migrations');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(folder, name), 'utf8');
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') };
    }),
  );
}

const selectApplied = (db: ReadDatabase) =>
  db.query<{ name: string; checksum: string }>(
    sql`select name, checksum from schema_migration order by name`,
  );

/** Brings the schema up to this program's, all in one transaction: either every file applied or none. */
export async function migrate(db: Database, now: Date): Promise<{ applied: string[] }> {
  const migrations = await readMigrations();
  return db.transaction(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(${LOCK_KEYS.migration})`);
    await tx.query(sql`create table if not exists schema_migration (
      name text primary key, checksum text not null, applied_at timestamptz not null)`);
    const pending = comparePending(migrations, await selectApplied(tx));
    for (const { name, text, checksum } of pending) {
      await tx.run(text);
      await tx.query(sql`insert into schema_migration values (${name}, ${checksum}, ${now})`);
    }
    return { applied: pending.map(({ name }) => name) };
  });
}

/** The files still to apply; a database that went another way is refused. */
function comparePending(migrations: Migration[], applied: { name: string; checksum: string }[]): Migration[] {
  for (const { name, checksum } of applied) {
    const known = migrations.find((migration) => migration.name === name);
    if (!known) {
      throw new StartError(
        `The database has migration ${name}, which this version of Tocsin does not know: run a newer version`,
      );
    }
    if (known.checksum !== checksum) {
      throw new StartError(`Migration ${name} was changed after it was applied to this database`);
    }
  }
  const names = new Set(applied.map(({ name }) => name));
  return migrations.filter(({ name }) => !names.has(name));
}

/** For health reports: how the schema compares, without changing anything. */
export async function compareSchema(db: ReadDatabase): Promise<{ applied: number; pending: string[] }> {
  const [schema] = await db.query<{ isThere: boolean }>(sql`
    select to_regclass('schema_migration') is not null as "isThere"`);
  const applied = schema?.isThere ? await selectApplied(db) : [];
  const pending = comparePending(await readMigrations(), applied);
  return { applied: applied.length, pending: pending.map(({ name }) => name) };
}

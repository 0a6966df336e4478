// What this program knows of the schema, and how a database compares with it.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sql from 'sql-template-tag';
import { projectRoot } from '../project-root.ts';
import { StartError } from '../start-error.ts';
import type { ReadDatabase } from './database.ts';

export interface Migration {
  name: string;
  text: string;
  checksum: string;
}

export interface AppliedMigration {
  name: string;
  checksum: string;
}

export const describeMigration = (name: string, text: string): Migration => ({
  name,
  text,
  checksum: createHash('sha256').update(text).digest('hex'),
});

/** Read once: an upgrade may put other files there while an older program still runs. */
let known: Promise<Migration[]> | null = null;

export function readMigrations(): Promise<Migration[]> {
  known ??= readFolder(join(projectRoot, 'migrations'));
  return known;
}

async function readFolder(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => describeMigration(name, await readFile(join(folder, name), 'utf8'))),
  );
}

/** None where nothing was ever made. */
export async function selectApplied(db: Pick<ReadDatabase, 'query'>): Promise<AppliedMigration[]> {
  const [table] = await db.query<{ isThere: boolean }>(sql`
    select to_regclass('schema_migration') is not null as "isThere"`);
  if (!table?.isThere) return [];
  return db.query(sql`select name, checksum from schema_migration order by name`);
}

/** The files still to apply; a database that went another way is refused. */
export function findPending(migrations: Migration[], applied: AppliedMigration[]): Migration[] {
  const foreign = findForeign(migrations, applied);
  if (foreign) throw new StartError(foreign);
  const names = new Set(applied.map(({ name }) => name));
  return migrations.filter(({ name }) => !names.has(name));
}

/** Why the program must not touch the database. */
function findForeign(migrations: Migration[], applied: AppliedMigration[]): string | null {
  for (const { name, checksum } of applied) {
    const own = migrations.find((migration) => migration.name === name);
    if (!own)
      return `The database has migration ${name}, which this version of Tocsin does not know: run a newer version`;
    if (own.checksum !== checksum)
      return (
        `Migration ${name} was changed after it was applied to this database: another build made it, and this one cannot ` +
        'bring it up to date. Go on with the build that made it, or begin with an empty database or data folder.'
      );
  }
  return null;
}

/** How the schema compares, without changing anything. */
export async function compareSchema(
  db: ReadDatabase,
): Promise<{ applied: number; pending: string[]; foreign: string | null }> {
  const [migrations, applied] = [await readMigrations(), await selectApplied(db)];
  const foreign = findForeign(migrations, applied);
  const pending = foreign ? [] : findPending(migrations, applied).map(({ name }) => name);
  return { applied: applied.length, pending, foreign };
}

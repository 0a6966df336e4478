// An upgrade that turns out wrong can be undone: the embedded database is backed up before its schema is changed.

import { mkdir, readdir, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import sql from 'sql-template-tag';
import { english } from '../../domain/language/english.ts';
import type { Config } from '../../platform/config.ts';
import type { Database } from '../../platform/db/database.ts';
import { formatBytes } from '../../platform/format-bytes.ts';
import { StartError } from '../../platform/start-error.ts';
import { writeWholeFile } from '../../platform/whole-file.ts';
import { takeSnapshot } from './take-snapshot.ts';
import { writeBackup } from './write-backup.ts';

const KEPT = 3;
const NAME = /^before-.*-(\d{8}T\d{6}Z)\.backup\.gz$/;
// What the tables and their indexes take becomes a tenth of that as a rule.
const LARGEST_SHARE = 1 / 4;

/** null: whoever runs a database of their own has their own way. */
export function backUpBeforeMigrating(
  db: Database,
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  now: Date,
  say: (line: string) => void,
): ((pending: string[]) => Promise<void>) | null {
  if (databaseUrl) return null;
  return async ([first = '']) => {
    const folder = join(dataDir, 'backups');
    const time = now.toISOString().replaceAll(/[-:]|\.\d+/g, '');
    const file = join(folder, `before-${first.replace(/\.sql$/, '')}-${time}.backup.gz`);
    try {
      const { bytes, hasData } = await weigh(db);
      if (!hasData) return;
      say(`The database is backed up before its schema is changed: ${file}`);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await needRoom(folder, bytes * LARGEST_SHARE);
      await writeFile(db, file, now);
      await forgetOld(folder);
    } catch (error) {
      throw new StartError(
        `The schema was not changed, for no backup could be made before: ${(error as Error).message}. ` +
          'tocsin migrate --no-backup goes without.',
      );
    }
  };
}

/** A schema alone is nothing that could be lost. */
async function weigh(db: Database): Promise<{ bytes: number; hasData: boolean }> {
  const [row] = await db.query<{ bytes: number; hasData: boolean }>(sql`
    select pg_database_size(current_database())::float8 as "bytes",
      exists (select from organization) or exists (select from account) as "hasData"`);
  return row ?? { bytes: 0, hasData: true };
}

/** A disk that is filled to its end would stop the database too. */
async function needRoom(folder: string, bytes: number): Promise<void> {
  const disk = await statfs(folder);
  const free = disk.bavail * disk.bsize;
  if (free < bytes)
    throw new Error(
      `it may take ${formatBytes(bytes, english)}, and only ${formatBytes(free, english)} are free in ${folder}`,
    );
}

const writeFile = (db: Database, file: string, now: Date) =>
  db.alone(async (session) => {
    const snapshot = await takeSnapshot(session, now);
    const watch = { onRead: () => {}, signal: new AbortController().signal };
    await writeWholeFile(file, (sink) => writeBackup(session, snapshot, sink, watch));
  });

async function forgetOld(folder: string): Promise<void> {
  const timeOf = (name: string) => NAME.exec(name)?.[1] ?? '';
  const names = (await readdir(folder)).filter((name) => NAME.test(name));
  const oldest = names.sort((one, other) => timeOf(other).localeCompare(timeOf(one))).slice(KEPT);
  for (const name of oldest) await rm(join(folder, name));
}

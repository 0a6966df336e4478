// Backups as somebody at a terminal makes them, and what a database holds, in a form that can be compared.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import sql, { raw } from 'sql-template-tag';
import { runBackup, runVerify } from '../../src/features/backup/backup-command.ts';
import {
  type RestoreCommand,
  type RestoreDeps,
  runRestore,
} from '../../src/features/backup/restore-command.ts';
import { openHouseKey } from '../../src/platform/auth/house-key.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { migrate } from '../../src/platform/db/migrate.ts';
import { type MovableClock, STORY_BEGINS_AT } from './movable-clock.ts';
import { cloneDatabase } from './test-database.ts';
import { whenFileIsDone } from './when-file-is-done.ts';

interface Told {
  code: number;
  stdout: string[];
  stderr: string[];
}

export interface BackupDesk {
  folder: string;
  /** A path for a file that is not there yet. */
  newPath(): string;
  backUp(db: Database, file: string): Promise<Told>;
  verify(file: string): Promise<Told>;
  restore(db: Database, file: string, options?: RestoreOptions): Promise<Told>;
}

type RestoreOptions = Partial<RestoreCommand> & Partial<Pick<RestoreDeps, 'ask'>> & { input?: Buffer };

export async function openBackupDesk(clock?: MovableClock): Promise<BackupDesk> {
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-backup-'));
  whenFileIsDone(() => rm(folder, { recursive: true, force: true }));
  let paths = 0;

  const read = () => clock?.read() ?? STORY_BEGINS_AT;
  const atTerminal = async (
    run: (deps: Pick<RestoreDeps, 'clock' | 'out' | 'bar' | 'signal'>) => Promise<number>,
  ): Promise<Told> => {
    const stdout: string[] = [];
    const stderr: string[] = [];
    const hide = (line: string) => line.replaceAll(`${folder}/`, '');
    const out = {
      stdout: (line: string) => void stdout.push(hide(line)),
      stderr: (line: string) => void stderr.push(hide(line)),
    };
    const code = await run({ clock: read, out, bar: null, signal: new AbortController().signal });
    return { code, stdout, stderr };
  };
  const stdin = Readable.from([]);

  return {
    folder,
    newPath() {
      paths += 1;
      return join(folder, `backup-${paths}.gz`);
    },
    backUp: (db, file) =>
      atTerminal((deps) => runBackup({ ...deps, db, stdout: new Writable() }, { file, isJson: true })),
    verify: (file) => atTerminal((deps) => runVerify({ ...deps, stdin }, { file, isJson: true })),
    restore: (db, file, { ask = null, input, ...command } = {}) =>
      atTerminal((deps) =>
        runRestore(
          {
            ...deps,
            db,
            stdin: input ? Readable.from([input]) : stdin,
            ask,
            migrate: () => migrate(db, read()),
            key: openHouseKey({ key: Buffer.alloc(32, 'another key'), dataDir: '', databaseUrl: null }),
          },
          { file, isReplacing: false, isSure: false, isJson: false, ...command },
        ),
      ),
  };
}

/** A migrated database with nothing in it. */
export const cloneSmallDatabase = async (): Promise<Database> => (await cloneDatabase()).db;

/** A hash of the rows of each table, partitions with their table. */
export async function hashTables(db: Database): Promise<Record<string, string>> {
  const tables = await db.query<{ name: string }>(sql`
    select relname as "name" from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by relname`);
  const hashes: Record<string, string> = {};
  for (const { name } of tables) {
    const [row] = await db.query<{ hash: string }>(
      raw(`select count(*) || ' ' || coalesce(md5(string_agg(t::text, E'\\n' order by t::text)), '') as "hash"
        from ${name} t ${EXCEPT[name] ?? ''}`),
    );
    hashes[name] = row?.hash ?? '';
  }
  return hashes;
}

/** What a restore itself adds or leaves out. */
const EXCEPT: Record<string, string> = {
  alarm_list_change: 'where false',
  audit: `where action <> 'database.restore'`,
  program: 'where false',
};

/** All that the catalogue says about the shape of things. */
export const describeSchema = (db: Database) =>
  db.query<{ thing: string }>(sql`
    select 'column ' || table_name || ' ' || ordinal_position || ' '
      || concat_ws(' ', column_name, data_type, is_nullable, column_default, is_identity, identity_generation) as "thing"
    from information_schema.columns where table_schema = 'public'
    union all
    select 'constraint ' || conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) || convalidated
    from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n'
    union all
    select 'index ' || indexdef from pg_indexes where schemaname = 'public'
    union all
    select 'partition ' || oid::regclass || ' ' || pg_get_expr(relpartbound, oid) from pg_class
    where relnamespace = 'public'::regnamespace and relispartition and relkind = 'r'
    union all
    select 'options ' || oid::regclass || ' ' || reloptions::text from pg_class
    where relnamespace = 'public'::regnamespace and reloptions is not null
    union all
    select 'trigger ' || pg_get_triggerdef(t.oid) || ' ' || tgenabled::text
    from pg_trigger t join pg_class on pg_class.oid = tgrelid where relnamespace = 'public'::regnamespace and not tgisinternal
    union all
    select 'function ' || pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace
    order by 1`);

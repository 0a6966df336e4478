// One moment of the database, held for as long as it takes to read it out.
import pg from 'pg';
import sql from 'sql-template-tag';
import { selectApplied } from '../../platform/db/migrations.ts';
import type { Session } from '../../platform/db/session.ts';
import { version } from '../../platform/project-root.ts';
import { StartError } from '../../platform/start-error.ts';
import { type BackupHeader, FORMAT } from './format.ts';
import { selectSequences, selectTables } from './queries.ts';
import { settle } from './settle.ts';

/** Of programs that run on this database, not on its copy. What is packed twice is found; what is not packed would be lost. */
const NOT_KEPT: ReadonlySet<string> = new Set([
  'program',
  'program_end',
  'set_aside',
  'alarm_list_change',
  'packed_entry',
  'service_search',
]);

export interface Snapshot {
  header: BackupHeader;
  /** What each table takes on disk, in the order of the header. */
  bytes: number[];
}

/** Begins a transaction, in which everything is read as it is now, beside whoever goes on writing. */
export async function takeSnapshot(session: Session, now: Date): Promise<Snapshot> {
  await settle(session);
  const tables = (await selectTables(session)).filter(({ partition }) => partition === null);
  if (tables.length === 0) throw new StartError('The database is empty: there is nothing to back up.');
  await session.run('begin isolation level repeatable read read only');
  // Before the first look, which is what takes the snapshot: nothing that it shows is dropped or changed meanwhile.
  const names = tables.map(({ name }) => pg.escapeIdentifier(name)).join(', ');
  await session.run(`lock table ${names} in access share mode`);

  const stored = (await selectTables(session)).filter(
    ({ name, isPartitioned }) => !isPartitioned && !NOT_KEPT.has(name),
  );
  const [server] = await session.query<{ version: string }>(
    sql`select current_setting('server_version') as "version"`,
  );
  const header = {
    format: FORMAT,
    tocsin: version,
    postgres: server?.version ?? '',
    takenAt: now.toISOString(),
    migrations: await selectApplied(session),
    sequences: await selectSequences(session),
    tables: stored.map(({ name, columns, partition }) => ({ name, columns, partition })),
  };
  return { header, bytes: stored.map(({ bytes }) => bytes) };
}

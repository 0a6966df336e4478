// Puts a backup in the place of what a schema holds, in one transaction: all of it, or nothing has changed.

import pg from 'pg';
import sql from 'sql-template-tag';
import { COMMAND_LINE } from '../../domain/accounts/requester.ts';
import { attachPartition, createPartition } from '../../engine/readings/reading-months.ts';
import { makeSchema } from '../../platform/db/migrate.ts';
import type { Migration } from '../../platform/db/migrations.ts';
import type { Session } from '../../platform/db/session.ts';
import { LOCK_KEYS } from '../../platform/lock-keys.ts';
import { StartError } from '../../platform/start-error.ts';
import { type BackupTable, copiedPart, type RowCounts, UnusableBackup } from './format.ts';
import type { OpenBackup } from './open-backup.ts';
import { selectFilled, selectForeignKeys, selectKeepers, selectTables, writeDrops } from './queries.ts';
import { settle } from './settle.ts';
import { compareCounts } from './verify-backup.ts';

export interface LoadedBackup {
  tables: number;
  rows: number;
  /** Tables of the backup that no migration makes. */
  skipped: string[];
}

const BOUND =
  /^FOR VALUES FROM \((?:'[^']*'|-?\d+|MINVALUE|MAXVALUE)(?:, (?:'[^']*'|-?\d+|MINVALUE|MAXVALUE))*\) TO \((?:'[^']*'|-?\d+|MINVALUE|MAXVALUE)(?:, (?:'[^']*'|-?\d+|MINVALUE|MAXVALUE))*\)$/;

const LOCK_NOT_AVAILABLE = '55P03';

/** `check`: once nobody else can start to use the schema, and before anything is changed; it throws to leave all as it is. */
export async function loadBackup(
  session: Session,
  backup: OpenBackup,
  { migrations, now, check }: { migrations: Migration[]; now: Date; check: () => Promise<unknown> },
): Promise<LoadedBackup> {
  await settle(session);
  return session.transaction(async () => {
    await keepOthersOut(session);
    await check();
    await dropAll(session);
    await makeSchema(session, migrations, now);
    const filled = await fill(session, backup);
    await recordRestore(session, backup.header.takenAt, now);
    return { tables: backup.header.tables.length - filled.skipped.length, ...filled };
  });
}

/** Programs that start wait until all is loaded. */
async function keepOthersOut(session: Session): Promise<void> {
  const [lock] = await session.query<{ isMine: boolean }>(
    sql`select pg_try_advisory_xact_lock(${LOCK_KEYS.migration}) as "isMine"`,
  );
  if (!lock?.isMine)
    throw new StartError('Another program is at the schema of the database: try again later.');
}

async function dropAll(session: Session): Promise<void> {
  await session.run(`set local lock_timeout = '3s'`);
  try {
    for (const drop of await writeDrops(session)) await session.run(drop);
  } catch (error) {
    if ((error as { code?: unknown }).code !== LOCK_NOT_AVAILABLE) throw error;
    throw new StartError('Somebody is using the database: try again when nothing else runs on it.');
  }
}

async function fill(session: Session, backup: OpenBackup): Promise<Omit<LoadedBackup, 'tables'>> {
  const made = await selectTables(session);
  const plain = made.filter(({ isPartitioned }) => !isPartitioned).map(({ name }) => name);
  const filled = await selectFilled(session, plain);
  // Checked all together at the end, which takes less time and no order.
  const foreignKeys = await selectForeignKeys(session);
  for (const { table, name } of foreignKeys)
    await session.run(`alter table ${table} drop constraint ${name}`);
  // What migrations put there is in the backup too.
  for (const name of filled) await session.run(`truncate ${pg.escapeIdentifier(name)}`);

  // What they would write is in the backup too.
  const keepers = await selectKeepers(session);
  for (const { table, name } of keepers) await session.run(`alter table ${table} disable trigger ${name}`);

  await session.run(`set local maintenance_work_mem = '128MB'`);
  const counted: RowCounts = {};
  const skipped: string[] = [];
  for (const table of backup.header.tables) {
    if (table.partition || plain.includes(table.name))
      counted[table.name] = await fillTable(session, backup, table);
    else {
      skipped.push(table.name);
      for await (const _ of backup.rowsOf(table));
    }
  }
  for (const { table, name } of keepers) await session.run(`alter table ${table} enable trigger ${name}`);
  const rows = compareCounts(counted, await backup.finish());

  for (const { name, last } of backup.header.sequences)
    await session.query(sql`select setval(to_regclass(quote_ident(${name})), ${last}::bigint)`);
  for (const { table, name, definition } of foreignKeys)
    await session.run(`alter table ${table} add constraint ${name} ${definition}`);
  return { rows, skipped };
}

async function fillTable(session: Session, backup: OpenBackup, table: BackupTable): Promise<number> {
  const { partition } = table;
  const name = pg.escapeIdentifier(table.name);
  const parent = pg.escapeIdentifier(partition?.of ?? '');
  if (partition) await session.run(createPartition(name, parent));
  // Frozen: nobody has to come by later to mark these rows as old.
  const rows = await session.copyIn(
    `copy ${copiedPart(table)} from stdin with (freeze)`,
    backup.rowsOf(table),
  );
  // Builds the index of the key at once, which takes less time than row by row.
  if (partition) await session.run(attachPartition(name, parent, checkBound(partition.bound)));
  return rows;
}

/** It becomes part of a statement. */
function checkBound(bound: string): string {
  if (!BOUND.test(bound)) throw new UnusableBackup(`holds a partition that cannot be made: ${bound}`);
  return bound;
}

/** In the audit of each organization, for it was rewound. */
const recordRestore = (session: Session, takenAt: string, now: Date) =>
  session.query(sql`
    insert into audit (happened_at, organization_id, account_name, action, detail)
    select ${now}, id, ${COMMAND_LINE.name}, 'database.restore', ${JSON.stringify({ taken_at: takenAt })} from organization`);

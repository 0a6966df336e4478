// The weeks of readings and rollups: made ahead, dropped behind the retention.
import sql, { raw } from 'sql-template-tag';
import {
  expiredWeeks,
  partitionOf,
  READING_TABLES,
  type ReadingWeek,
  weeksToKeep,
} from '../../domain/readings/reading-week.ts';
import type { Database, ReadDatabase } from '../../platform/db/database.ts';
import { LOCK_KEYS } from '../../platform/lock-keys.ts';

// A few at a time: a clock that is wrong for an hour, or a mistyped retention, must not cost the whole history.
const MOST_DROPPED_AT_ONCE = 4;
const LOCK_NOT_AVAILABLE = '55P03';

async function selectPartitions(db: ReadDatabase): Promise<Set<string>> {
  const existing = await db.query<{ name: string }>(sql`
    select inhrelid::regclass::text as "name" from pg_inherits
    where inhparent = any(${[...READING_TABLES]}::regclass[])`);
  return new Set(existing.map(({ name }) => name));
}

const isMissing = (existing: ReadonlySet<string>) => (week: ReadingWeek) =>
  READING_TABLES.some((table) => !existing.has(partitionOf(table, week)));

/** Weeks that lack the partition of at least one table. */
export async function findMissingWeeks(
  db: ReadDatabase,
  now: Date,
  retentionDays: number,
): Promise<ReadingWeek[]> {
  return weeksToKeep(now, retentionDays).filter(isMissing(await selectPartitions(db)));
}

/** Creates, then attaches: attaching locks the parent against nothing but other schema changes. */
export async function makePartitions(db: Database, now: Date, retentionDays: number): Promise<number> {
  if ((await findMissingWeeks(db, now, retentionDays)).length === 0) return 0;
  return db.transaction(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(${LOCK_KEYS.partitions})`);
    const existing = await selectPartitions(tx);
    const missing = weeksToKeep(now, retentionDays).filter(isMissing(existing));
    const statements = missing.flatMap((week) => createPartitions(week, existing));
    if (statements.length > 0) await tx.run(statements.join('\n'));
    return missing.length;
  });
}

const createPartitions = (week: ReadingWeek, existing: ReadonlySet<string>) =>
  READING_TABLES.filter((table) => !existing.has(partitionOf(table, week))).flatMap((table) => {
    const bound = `for values from ('${week.from.toISOString()}') to ('${week.to.toISOString()}')`;
    const partition = partitionOf(table, week);
    return [createPartition(partition, table), attachPartition(partition, table, bound)];
  });

export const createPartition = (partition: string, table: string) =>
  `create table ${partition} (like ${table} including defaults including constraints);`;

export const attachPartition = (partition: string, table: string, bound: string) =>
  `alter table ${table} attach partition ${partition} ${bound};`;

/** Drops weeks wholly older than the retention, a few at a time; answers how many are gone. */
export async function dropExpiredWeeks(db: Database, now: Date, retentionDays: number): Promise<number> {
  const expired = expiredWeeks(await selectPartitions(db), now, retentionDays);
  let dropped = 0;
  for (const week of expired.slice(0, MOST_DROPPED_AT_ONCE)) {
    if (!(await dropWeek(db, week))) break;
    dropped += 1;
  }
  return dropped;
}

/**
 * Dropping a partition detaches it, under a lock on the whole table that takes milliseconds once granted. Detaching
 * concurrently would have to run outside a transaction and could stop half-way, so the wait is kept short instead:
 * whoever is in the way, the next hour tries again.
 */
async function dropWeek(db: Database, week: ReadingWeek): Promise<boolean> {
  try {
    return await db.transaction(async (tx) => {
      const [lock] = await tx.query<{ isMine: boolean }>(
        sql`select pg_try_advisory_xact_lock(${LOCK_KEYS.partitions}) as "isMine"`,
      );
      if (!lock?.isMine) return false;
      await tx.query(sql`set local lock_timeout = '200ms'`);
      // One statement for all three tables, so that a reading's week and its rollups go together.
      const partitions = READING_TABLES.map((table) => partitionOf(table, week));
      await tx.query(raw(`drop table if exists ${partitions.join(', ')}`));
      return true;
    });
  } catch (error) {
    if ((error as { code?: string }).code === LOCK_NOT_AVAILABLE) return false;
    throw error;
  }
}

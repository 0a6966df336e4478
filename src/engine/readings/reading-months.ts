// The months of packed readings: made by the packer when it first needs them, dropped when no organization keeps them.
import sql, { raw } from 'sql-template-tag';
import { isExpired, monthOf, type ReadingMonth, readMonths } from '../../domain/readings/reading-month.ts';
import { DEFAULT_RETENTION_YEARS, findOldestKept, type MostDays } from '../../domain/readings/retention.ts';
import type { Database, ReadDatabase, Tx } from '../../platform/db/database.ts';
import { isLockTimeout } from '../../platform/db/passing-fault.ts';
import { LOCK_KEYS } from '../../platform/lock-keys.ts';

// A few at a time: a clock that is wrong for an hour, or a mistyped retention, must not cost the whole history.
const MOST_DROPPED_AT_ONCE = 2;

async function selectPartitions(db: Pick<ReadDatabase, 'query'>): Promise<Set<string>> {
  const existing = await db.query<{ name: string }>(sql`
    select inhrelid::regclass::text as "name" from pg_inherits where inhparent = 'reading_pack'::regclass`);
  return new Set(existing.map(({ name }) => name));
}

/** The oldest first. */
export const selectMonths = async (db: Pick<ReadDatabase, 'query'>): Promise<ReadingMonth[]> =>
  readMonths(await selectPartitions(db));

/** Creates, then attaches: attaching locks the parent against nothing but other schema changes. */
export async function makeMonths(tx: Pick<Tx, 'query' | 'run'>, days: Iterable<number>): Promise<void> {
  const months = new Map([...new Set(days)].map(monthOf).map((month) => [month.partition, month]));
  const existing = await selectPartitions(tx);
  const missing = [...months.values()].filter(({ partition }) => !existing.has(partition));
  if (missing.length === 0) return;
  await tx.query(sql`select pg_advisory_xact_lock(${LOCK_KEYS.partitions})`);
  const made = await selectPartitions(tx);
  const statements = missing
    .filter(({ partition }) => !made.has(partition))
    .flatMap(({ partition, from, to }) => [
      createPartition(partition, 'reading_pack'),
      attachPartition(partition, 'reading_pack', `for values from ('${from}') to ('${to}')`),
    ]);
  // One by one: Citus hands on all of what it is sent.
  for (const statement of statements) await tx.run(statement);
}

export const createPartition = (partition: string, table: string) =>
  `create table ${partition} (like ${table} including defaults including constraints including storage);`;

export const attachPartition = (partition: string, table: string, bound: string) =>
  `alter table ${table} attach partition ${partition} ${bound};`;

/** Drops months wholly older than every organization's retention, a few at a time; answers how many are gone. */
export async function dropExpiredMonths(db: Database, now: Date, mostDays: MostDays): Promise<number> {
  const [longest] = await db.query<{ years: number | null }>(
    sql`select max(retention_years) as "years" from organization`,
  );
  const edge = findOldestKept(now.getTime(), longest?.years ?? DEFAULT_RETENTION_YEARS, mostDays);
  const expired = (await selectMonths(db)).filter((month) => isExpired(month, edge));
  let dropped = 0;
  for (const month of expired.slice(0, MOST_DROPPED_AT_ONCE)) {
    if (!(await dropMonth(db, month))) break;
    dropped += 1;
  }
  return dropped;
}

/**
 * Dropping a partition detaches it, under a lock on the whole table that takes milliseconds once granted. Detaching
 * concurrently would have to run outside a transaction and could stop half-way, so the wait is kept short instead:
 * whoever is in the way, the next hour tries again.
 */
async function dropMonth(db: Database, { partition, to }: ReadingMonth): Promise<boolean> {
  try {
    return await db.transaction(async (tx) => {
      const [lock] = await tx.query<{ isMine: boolean }>(
        sql`select pg_try_advisory_xact_lock(${LOCK_KEYS.partitions}) as "isMine"`,
      );
      if (!lock?.isMine) return false;
      await tx.query(sql`set local lock_timeout = '200ms'`);
      await tx.query(raw(`drop table if exists ${partition}`));
      await tx.query(sql`delete from reading_damage where day < ${to}::date`);
      return true;
    });
  } catch (error) {
    if (isLockTimeout(error)) return false;
    throw error;
  }
}

import sql, { raw } from 'sql-template-tag';
import { type ReadingWeek, weeksToKeep } from '../domain/reading-week.ts';
import type { Database, ReadDatabase } from '../platform/db/database.ts';

// Any fixed number: programs that make partitions at the same time queue up here.
const PARTITION_LOCK = 7_061_002;

export async function findMissingWeeks(
  db: ReadDatabase,
  now: Date,
  retentionDays: number,
): Promise<ReadingWeek[]> {
  const existing = await db.query<{ name: string }>(sql`
    select inhrelid::regclass::text as "name" from pg_inherits where inhparent = 'reading'::regclass`);
  const names = new Set(existing.map(({ name }) => name));
  return weeksToKeep(now, retentionDays).filter(({ partition }) => !names.has(partition));
}

/** Creates, then attaches: attaching locks the parent against nothing but other schema changes. */
export async function makePartitions(db: Database, now: Date, retentionDays: number): Promise<number> {
  if ((await findMissingWeeks(db, now, retentionDays)).length === 0) return 0;
  return db.transaction(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(${PARTITION_LOCK})`);
    const missing = await findMissingWeeks(tx, now, retentionDays);
    if (missing.length > 0) await tx.query(raw(missing.map(createPartition).join('\n')));
    return missing.length;
  });
}

const createPartition = ({ partition, from, to }: ReadingWeek) => `
  create table ${partition} (like reading including defaults including constraints);
  alter table reading attach partition ${partition}
    for values from ('${from.toISOString()}') to ('${to.toISOString()}');`;

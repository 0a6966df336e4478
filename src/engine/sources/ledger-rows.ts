import sql from 'sql-template-tag';
import type { Refused } from '../../domain/readings/refused.ts';
import type { Tx } from '../../platform/db/database.ts';

interface Seen {
  sourceId: number;
  seenAt: Date;
  body: Buffer | null;
  /** Under which the body came. */
  topic: string | null;
}

/** Answers with those that still exist: they stay until the transaction ends. */
export async function writeSeen(tx: Tx, seen: readonly Seen[]): Promise<ReadonlySet<number>> {
  const rows = await tx.query<{ id: number }>(sql`
    with given as (
      select * from unnest(${seen.map(({ sourceId }) => sourceId)}::int[],
        ${seen.map(({ seenAt }) => seenAt)}::timestamptz[], ${seen.map(({ body }) => body)}::bytea[],
        ${seen.map(({ topic }) => topic)}::text[])
        as given (source_id, seen_at, body, topic)),
    held as (
      select id from source where id in (select source_id from given) order by id for no key update)
    update source set last_seen_at = greatest(last_seen_at, given.seen_at), last_body = coalesce(given.body, last_body),
      last_topic = case when given.body is null then last_topic else given.topic end
    from given, held where source.id = given.source_id and source.id = held.id returning source.id`);
  return new Set(rows.map(({ id }) => id));
}

interface RefusalNote {
  sourceId: number;
  /** As it is said: those that sound the same are counted together. */
  reason: string;
  why: Refused;
  count: number;
  lastAt: Date;
  sample: Buffer;
}

/** Of each source so many are kept, those that came last. */
export async function writeRefusals(tx: Tx, refusals: readonly RefusalNote[], most: number): Promise<void> {
  const sourceIds = refusals.map(({ sourceId }) => sourceId);
  await tx.query(sql`
    insert into source_refusal (source_id, reason, why, count, last_at, sample)
    select * from unnest(${sourceIds}::int[], ${refusals.map(({ reason }) => reason)}::text[],
      ${refusals.map(({ why }) => JSON.stringify(why))}::jsonb[],
      ${refusals.map(({ count }) => count)}::bigint[], ${refusals.map(({ lastAt }) => lastAt)}::timestamptz[],
      ${refusals.map(({ sample }) => sample)}::bytea[])
    on conflict (source_id, reason) do update
    set why = excluded.why, count = source_refusal.count + excluded.count, last_at = excluded.last_at, sample = excluded.sample`);
  await tx.query(sql`
    delete from source_refusal old
    using (select source_id, reason, row_number() over (partition by source_id order by last_at desc, reason) as nth
      from source_refusal where source_id = any(${sourceIds}::int[])) ranked
    where old.source_id = ranked.source_id and old.reason = ranked.reason and ranked.nth > ${most}`);
}

/** An administrator has seen them. */
export const forgetRefusals = (tx: Tx, sourceId: number) =>
  tx.query(sql`delete from source_refusal where source_id = ${sourceId}`);

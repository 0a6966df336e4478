import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { Instant } from '../../domain/judging/judge.ts';
import type { RollupProgress, Span } from '../../domain/readings/rollup.ts';
import { first, type ReadDatabase, type Tx } from '../../platform/db/database.ts';
import { LOCK_KEYS } from '../../platform/lock-keys.ts';

const progress = sql`
  select extract(epoch from sealed_until)::float8 * 1000 as "sealedUntil",
    extract(epoch from rolled_until)::float8 * 1000 as "rolledUntil"
  from rollup_progress`;

export const selectProgress = async (db: ReadDatabase) => first(await db.query<RollupProgress>(progress));

/** null: another program is at it. Held until the end of the transaction, so that one works at a time. */
export const takeProgress = async (tx: Tx) =>
  first(await tx.query<RollupProgress>(sql`${progress} for no key update skip locked`));

/**
 * Waits until every transaction that judged its readings by the old seal is over, and keeps new ones waiting meanwhile.
 * Gives up soon, well before the database would look for a deadlock.
 */
export async function lockSeal(tx: Tx): Promise<void> {
  await tx.query(sql`set local lock_timeout = '500ms'`);
  await tx.query(sql`select pg_advisory_xact_lock(${LOCK_KEYS.rollupSeal})`);
}

export const updateProgress = (tx: Tx, { sealedUntil, rolledUntil }: RollupProgress) =>
  tx.query(sql`
    update rollup_progress set sealed_until = ${new Date(sealedUntil)}, rolled_until = ${new Date(rolledUntil)}`);

/** The first of them that holds anything; what does not exist holds nothing. */
export async function selectFirstFilled(tx: Tx, partitions: string[]): Promise<string | null> {
  const found = first(
    await tx.query<{ partition: string }>(sql`
      select partition from unnest(${partitions}::text[]) with ordinality as one (partition, place)
      where pg_relation_size(to_regclass(partition)) > 0 order by place limit 1`),
  );
  return found?.partition ?? null;
}

interface ChannelHour {
  serviceId: number;
  channelId: number;
  hour: Instant;
}

/** Takes about so many marks, and with each all others of its hour. */
export const deleteMarks = (tx: Tx, most: number) =>
  tx.query<ChannelHour>(sql`
    with taken as (
      select distinct service_id, channel_id, starts_at
      from (select service_id, channel_id, starts_at from rollup_dirty limit ${most}) as mark
    ), deleted as (
      delete from rollup_dirty using taken
      where (rollup_dirty.service_id, rollup_dirty.channel_id, rollup_dirty.starts_at)
        = (taken.service_id, taken.channel_id, taken.starts_at)
    )
    select service_id as "serviceId", channel_id as "channelId", extract(epoch from starts_at)::float8 * 1000 as "hour"
    from taken`);

export const selectMarks = async (db: ReadDatabase) =>
  first(
    await db.query<{ hours: number; oldestAt: Date | null }>(sql`
      select count(*)::int as "hours", min(marked_at) as "oldestAt" from rollup_dirty`),
  );

/** A stretch of each channel: rows of service_id, channel_id, from_at, to_at. */
export const stretchOfAll = ({ from, to }: Span) => sql`
  select service_id, id as channel_id, ${new Date(from)}::timestamptz as from_at, ${new Date(to)}::timestamptz as to_at
  from channel`;

export const stretchesOf = (stretches: readonly (Omit<ChannelHour, 'hour'> & Span)[]) => sql`
  select service_id, channel_id, to_timestamp(from_ms / 1000.0) as from_at, to_timestamp(to_ms / 1000.0) as to_at
  from unnest(${stretches.map(({ serviceId }) => serviceId)}::int[], ${stretches.map(({ channelId }) => channelId)}::int[],
    ${stretches.map(({ from }) => from)}::float8[], ${stretches.map(({ to }) => to)}::float8[])
    as given (service_id, channel_id, from_ms, to_ms)`;

/**
 * The mean of `value`, each counted `weight` times. The database's own avg() fails on values beyond 1e154, and its
 * division on those near zero; a channel that sends such must not stop the rollups of all.
 */
export function meanOf(value: string, weight: string): Sql {
  return raw(`
    case when sum(${value}::numeric * ${weight}) filter (where abs(${value}) > 1e100) is null
      then coalesce(sum(${value} * ${weight}) filter (where abs(${value}) between 1e-200 and 1e100), 0) / sum(${weight})
      else least(greatest(round((sum(${value}::numeric * ${weight}) filter (where abs(${value}) > 1e100)
        + coalesce(sum(${value} * ${weight}) filter (where abs(${value}) between 1e-200 and 1e100), 0)::numeric)
        / sum(${weight}), 50), -1.7976931348623157e308), 1.7976931348623157e308)::float8
    end`);
}

// Channel by channel along the key: needs no further index where readings pour in.
export const rollMinutes = (tx: Tx, stretches: Sql) =>
  tx.query(sql`
    insert into reading_minute (service_id, channel_id, starts_at, min, max, mean, count)
    select stretch.service_id, stretch.channel_id, minute.*
    from (${stretches}) as stretch, lateral (
      select date_bin('1 minute', taken_at, 'epoch'), min(value), max(value), ${meanOf('value', '1')}, count(*)
      from reading
      where service_id = stretch.service_id and channel_id = stretch.channel_id
        and taken_at >= stretch.from_at and taken_at < stretch.to_at
      group by 1) as minute
    ${keepNewest('reading_minute')}`);

export const rollHours = (tx: Tx, stretches: Sql) =>
  tx.query(sql`
    insert into reading_hour (service_id, channel_id, starts_at, min, max, mean, count)
    select stretch.service_id, stretch.channel_id, hour.*
    from (${stretches}) as stretch, lateral (
      select date_bin('1 hour', starts_at, 'epoch'), min(min), max(max), ${meanOf('mean', 'count')}, sum(count)
      from reading_minute
      where service_id = stretch.service_id and channel_id = stretch.channel_id
        and starts_at >= stretch.from_at and starts_at < stretch.to_at
      group by 1) as hour
    ${keepNewest('reading_hour')}`);

const COLUMNS = ['min', 'max', 'mean', 'count'];

const keepNewest = (table: string) => sql`
  on conflict (service_id, channel_id, starts_at) do update
  set ${join(COLUMNS.map((column) => raw(`${column} = excluded.${column}`)))}
  where (${join(COLUMNS.map((column) => raw(`${table}.${column}`)))})
    is distinct from (${join(COLUMNS.map((column) => raw(`excluded.${column}`)))})`;

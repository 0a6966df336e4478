// The rows of packed readings, and what could not be read of them.
import sql from 'sql-template-tag';
import type { ServiceId } from '../../domain/ids.ts';
import type { Instant } from '../../domain/instant.ts';
import { UNREADABLE } from '../../domain/readings/damaged-pack.ts';
import { DamagedPack, decodePack, type Readings } from '../../domain/readings/pack.ts';
import { writeDay } from '../../domain/readings/span.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { packInts } from '../../platform/db/pack-numbers.ts';
import type { Statement } from '../../platform/db/statement.ts';
import { LOCK_KEYS } from '../../platform/lock-keys.ts';

export interface PackRow {
  serviceId: ServiceId;
  channelId: number;
  /** Since the epoch. */
  day: number;
  part: string;
  count: number;
  firstAt: Instant;
  lastAt: Instant;
  /** null: the server cannot read it. */
  data: Buffer | null;
}

export interface PackRange {
  serviceIds: readonly ServiceId[];
  channelIds: readonly number[];
  /** Since the epoch. */
  days: readonly number[] | { first: number; last: number };
}

export const EPOCH_DAY = sql`date '1970-01-01'`;
const ms = (column: 'first_at' | 'last_at') =>
  column === 'first_at'
    ? sql`round(date_part('epoch', first_at) * 1000)`
    : sql`round(date_part('epoch', last_at) * 1000)`;

/** Plain conditions, so that a table that is split by service can be asked too. */
const isWithin = ({ serviceIds, channelIds, days }: PackRange) => sql`
  service_id = any(${packInts(serviceIds)}::int[]) and channel_id = any(${packInts(channelIds)}::int[])
    and ${'first' in days ? isBetween(days) : sql`day = any(${days.map(writeDay)}::date[])`}`;

const isBetween = ({ first, last }: { first: number; last: number }) =>
  sql`day between ${writeDay(first)}::date and ${writeDay(last)}::date`;

/** In the order they were stored. */
export const selectPacks = (range: PackRange): Statement<PackRow> => sql`
  select service_id as "serviceId", channel_id as "channelId", day - ${EPOCH_DAY} as "day", part, count,
    ${ms('first_at')} as "firstAt", ${ms('last_at')} as "lastAt", read_whole(data) as "data"
  from reading_pack where ${isWithin(range)} order by part`;

export interface PackSummary {
  channelId: number;
  firstAt: Instant;
  lastAt: Instant;
  min: number;
  max: number;
  mean: number;
  count: number;
}

/** What the packs come to, without unpacking them. */
export const selectSummaries = (range: PackRange): Statement<PackSummary> => sql`
  select channel_id as "channelId", ${ms('first_at')} as "firstAt", ${ms('last_at')} as "lastAt", min, max, mean, count
  from reading_pack where ${isWithin(range)} order by first_at`;

/** How many readings the packs of each day hold, the first day first. */
export const selectDayCounts = (range: PackRange): Statement<{ day: number; count: number }> => sql`
  select day - ${EPOCH_DAY} as "day", sum(count)::float8 as "count"
  from reading_pack where ${isWithin(range)} group by day order by day`;

/** By channel, the last day with a reading before the given instant. */
export const selectLastDays = (
  range: PackRange,
  before: Date,
): Statement<{ channelId: number; day: number }> => sql`
  select channel_id as "channelId", max(day) - ${EPOCH_DAY} as "day"
  from reading_pack where ${isWithin(range)} and first_at < ${before} group by channel_id`;

export interface Damage {
  row: Omit<PackRow, 'data'>;
  reason: string;
}

/** What is damaged is left out and handed to `onDamage`. */
export function unpack({ data, ...row }: PackRow, onDamage: (damage: Damage) => void): Readings | null {
  try {
    if (!data) throw new DamagedPack(UNREADABLE);
    const readings = decodePack(data);
    checkRow(row, readings);
    return readings;
  } catch (error) {
    if (!(error instanceof DamagedPack)) throw error;
    onDamage({ row, reason: error.message });
    return null;
  }
}

/** Bytes that are whole may still be those of another row. */
function checkRow({ count, firstAt, lastAt }: Damage['row'], { ats }: Readings): void {
  if (ats.length !== count)
    throw new DamagedPack(`It holds ${ats.length} readings, and its row tells of ${count}`);
  if (ats[0] !== firstAt || ats[count - 1] !== lastAt)
    throw new DamagedPack('Its readings are not of the times that its row tells of');
}

/**
 * For the log and for those who look after the service. Whoever reads goes on, also where nothing can be written. Nobody
 * waits: while another transaction notes some, these are left to the next who reads.
 */
export async function noteDamages(db: ReadDatabase, damages: readonly Damage[]): Promise<void> {
  if (damages.length === 0) return;
  await db
    .query(sql`
      insert into reading_damage (service_id, channel_id, day, part, reason)
      select given.* from (select pg_try_advisory_xact_lock(${LOCK_KEYS.damages}) as is_mine offset 0) as lock
      cross join unnest(${damages.map(({ row }) => row.serviceId)}::int[],
        ${damages.map(({ row }) => row.channelId)}::int[], ${damages.map(({ row }) => writeDay(row.day))}::date[],
        ${damages.map(({ row }) => row.part)}::bigint[], ${damages.map(({ reason }) => reason)}::text[]) as given
      where is_mine on conflict do nothing`)
    .catch(() => {});
}

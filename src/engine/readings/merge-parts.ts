// Parts of a day become its pack: when the day is over, or when there are so many that looking at it takes long.
import { setImmediate as breathe } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { groupBy } from '../../domain/group-by.ts';
import type { ServiceId } from '../../domain/ids.ts';
import { mergeReadings } from '../../domain/readings/merge-readings.ts';
import { dayOf, writeDay } from '../../domain/readings/span.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { LOCK_KEYS } from '../../platform/lock-keys.ts';
import { type Damage, EPOCH_DAY, noteDamages, type PackRow, selectPacks, unpack } from './packs.ts';
import { insertPacks, type NewPack, packReadings } from './write-packs.ts';

export type MergeOutcome = 'nothing_to_do' | 'more_to_do' | 'another_program_does';

const MANY_PARTS = 24;
/** Channels' days in one round, unless they hold very much. */
const DAYS_AT_ONCE = 200;
const ENOUGH_READINGS = 1_000_000;
/** Channels whose parts are in memory together. */
const CHANNELS_AT_ONCE = 50;

/** What is late, up to a quarter of an hour, still joins the others of its day. */
const SETTLE_MS = 15 * 60_000;

export async function mergeParts(db: Database, now: Date): Promise<MergeOutcome> {
  return db.transaction(async (tx) => {
    if (!(await takePacking(tx))) return 'another_program_does';
    const today = dayOf(now.getTime() - SETTLE_MS);
    const days = await selectUnmerged(tx, today);
    if (days.length === 0) {
      tx.forgo();
      return 'nothing_to_do';
    }
    let readings = 0;
    for (const { day, channels } of cutIntoLots(days)) {
      if (readings >= ENOUGH_READINGS) return 'more_to_do';
      readings += await mergeDay(tx, day, channels);
    }
    return days.length === DAYS_AT_ONCE ? 'more_to_do' : 'nothing_to_do';
  });
}

function* cutIntoLots(days: readonly ChannelDay[]) {
  for (const [day, channels] of groupBy(days, ({ day }) => day))
    for (let from = 0; from < channels.length; from += CHANNELS_AT_ONCE)
      yield { day, channels: channels.slice(from, from + CHANNELS_AT_ONCE) };
}

/** Of all who pack or merge, one at a time. Held until the end of the transaction. */
export async function takePacking(tx: Tx): Promise<boolean> {
  const [lock] = await tx.query<{ isMine: boolean }>(
    sql`select pg_try_advisory_xact_lock(${LOCK_KEYS.packing}) as "isMine"`,
  );
  return lock?.isMine ?? false;
}

interface ChannelDay {
  serviceId: ServiceId;
  channelId: number;
  day: number;
}

const selectUnmerged = (tx: Tx, today: number) =>
  tx.query<ChannelDay>(sql`
    select service_id as "serviceId", channel_id as "channelId", day - ${EPOCH_DAY} as "day"
    from reading_pack where not is_merged group by day, service_id, channel_id
    having day < ${writeDay(today)}::date or count(*) >= ${MANY_PARTS}
    order by day limit ${DAYS_AT_ONCE}`);

/** Answers how many readings there were. */
async function mergeDay(tx: Tx, day: number, channels: readonly ChannelDay[]): Promise<number> {
  const rows = await tx.query(
    selectPacks({
      serviceIds: [...new Set(channels.map(({ serviceId }) => serviceId))],
      channelIds: channels.map(({ channelId }) => channelId),
      days: [day],
    }),
  );
  const damages: Damage[] = [];
  const merged: PackKey[] = [];
  const packs: NewPack[] = [];
  for (const [channelId, parts] of groupBy(rows, (row) => row.channelId)) {
    const runs = parts.flatMap((part) => {
      const readings = unpack(part, (damage) => damages.push(damage));
      if (readings) merged.push({ serviceId: part.serviceId, channelId, part: part.part });
      return readings ?? [];
    });
    const [{ serviceId }] = parts as [PackRow, ...PackRow[]];
    packs.push(...packReadings({ serviceId, channelId }, mergeReadings(runs), true));
    await breathe();
  }
  for (const statement of insertPacks(packs)) tx.later(statement);
  deletePacks(tx, day, merged);
  // What cannot be read stays as it is, and is not tried for ever.
  leaveAlone(
    tx,
    day,
    damages.map(({ row }) => row),
  );
  await noteDamages(tx, damages);
  return packs.reduce((sum, { count }) => sum + count, 0);
}

type PackKey = Pick<PackRow, 'serviceId' | 'channelId' | 'part'>;

const isAmong = (day: number, packs: readonly PackKey[]) => sql`
  day = ${writeDay(day)}::date and service_id = any(${packs.map(({ serviceId }) => serviceId)}::int[])
    and channel_id = any(${packs.map(({ channelId }) => channelId)}::int[])
    and part = any(${packs.map(({ part }) => part)}::bigint[])`;

const deletePacks = (tx: Tx, day: number, packs: readonly PackKey[]) =>
  tx.later(sql`delete from reading_pack where ${isAmong(day, packs)}`);

const leaveAlone = (tx: Tx, day: number, packs: readonly PackKey[]) =>
  packs.length > 0 && tx.later(sql`update reading_pack set is_merged = true where ${isAmong(day, packs)}`);

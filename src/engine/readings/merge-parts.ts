// Parts of a day become its pack: when the day is over, or when there are so many that looking at it takes long.
import { setImmediate as breathe } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { groupBy } from '../../domain/group-by.ts';
import type { ServiceId } from '../../domain/ids.ts';
import { mergeReadings } from '../../domain/readings/merge-readings.ts';
import { dayOf, writeDay } from '../../domain/readings/span.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { takePacking } from './pack-inbox.ts';
import { type Damage, EPOCH_DAY, noteDamages, type PackRow, selectPacks, unpack } from './packs.ts';
import { insertPacks, packReadings } from './write-packs.ts';

export type MergeOutcome = 'nothing_to_do' | 'more_to_do' | 'another_program_does';

const MANY_PARTS = 24;
/** Channels' days in one round: their parts are in memory together. */
const DAYS_AT_ONCE = 200;

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
    for (const [day, some] of groupBy(days, ({ day }) => day)) await mergeDay(tx, day, some);
    return days.length === DAYS_AT_ONCE ? 'more_to_do' : 'nothing_to_do';
  });
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

async function mergeDay(tx: Tx, day: number, channels: readonly ChannelDay[]): Promise<void> {
  const rows = await tx.query(
    selectPacks({
      serviceIds: [...new Set(channels.map(({ serviceId }) => serviceId))],
      channelIds: channels.map(({ channelId }) => channelId),
      days: [day],
    }),
  );
  const damages: Damage[] = [];
  const merged: PackRow[] = [];
  for (const [channelId, parts] of groupBy(rows, (row) => row.channelId)) {
    const runs = parts.flatMap((part) => {
      const readings = unpack(part, (damage) => damages.push(damage));
      if (readings) merged.push(part);
      return readings ?? [];
    });
    const [{ serviceId }] = parts as [PackRow, ...PackRow[]];
    const packs = packReadings({ serviceId, channelId }, mergeReadings(runs), true);
    for (const statement of insertPacks(packs)) tx.later(statement);
    await breathe();
  }
  deletePacks(tx, day, merged);
  // What cannot be read stays as it is, and is not tried for ever.
  leaveAlone(
    tx,
    day,
    damages.map(({ row }) => row),
  );
  await noteDamages(tx, damages);
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

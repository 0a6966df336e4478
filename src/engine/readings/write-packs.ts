// Readings of channels become packs of their days.
import sql, { type Sql } from 'sql-template-tag';
import type { ServiceId } from '../../domain/ids.ts';
import { summarize } from '../../domain/readings/merge-readings.ts';
import { encodePack, type Readings } from '../../domain/readings/pack.ts';
import { DAY_MS, dayOf } from '../../domain/readings/span.ts';
import { findPlace } from '../../domain/readings/step-readings.ts';
import { packBytes, packFloats, packInts } from '../../platform/db/pack-numbers.ts';
import { EPOCH_DAY } from './packs.ts';

export interface NewPack extends ReturnType<typeof summarize> {
  serviceId: ServiceId;
  channelId: number;
  day: number;
  isMerged: boolean;
  data: Uint8Array;
}

/** More would make a chart of a fast sensor unpack what it does not show, and one bit's damage cost a whole day. */
const MOST_IN_A_PACK = 4096;

/** Readings in order of time, by days, each once. */
export function packReadings(
  channel: { serviceId: ServiceId; channelId: number },
  { ats, values }: Readings,
  isMerged: boolean,
): NewPack[] {
  const packs: NewPack[] = [];
  for (let begin = 0; begin < ats.length; ) {
    const day = dayOf(ats[begin] as number);
    const end = Math.min(findPlace(ats, (day + 1) * DAY_MS), begin + MOST_IN_A_PACK);
    const readings = { ats: ats.subarray(begin, end), values: values.subarray(begin, end) };
    packs.push({ ...channel, day, isMerged, ...summarize(readings), data: encodePack(readings) });
    begin = end;
  }
  return packs;
}

/** Where readings are split over machines, a statement costs a trip to each of its shards, however much it brings. */
const MOST_AT_ONCE = 10_000;
const MOST_BYTES_AT_ONCE = 4 * 1024 * 1024;

/** One after the other. Their months have to be there. */
export function insertPacks(packs: readonly NewPack[]): Sql[] {
  const statements: Sql[] = [];
  for (let from = 0; from < packs.length; ) {
    let to = from;
    for (let bytes = 0; to < packs.length && to - from < MOST_AT_ONCE && bytes < MOST_BYTES_AT_ONCE; to += 1)
      bytes += (packs[to] as NewPack).data.length;
    statements.push(insertSome(packs.slice(from, to)));
    from = to;
  }
  return statements;
}

const insertSome = (packs: readonly NewPack[]) => sql`
    insert into reading_pack
      (service_id, channel_id, day, is_merged, count, first_at, last_at, min, max, mean, data)
    select service_id, channel_id, ${EPOCH_DAY} + day, ${packs[0]?.isMerged ?? false}, count,
      to_timestamp(first_ms / 1000.0), to_timestamp(last_ms / 1000.0), min, max, mean, data
    from unnest(${packInts(packs.map(({ serviceId }) => serviceId))}::int[],
      ${packInts(packs.map(({ channelId }) => channelId))}::int[], ${packInts(packs.map(({ day }) => day))}::int[],
      ${packInts(packs.map(({ count }) => count))}::int[], ${packFloats(packs.map(({ firstAt }) => firstAt))}::float8[],
      ${packFloats(packs.map(({ lastAt }) => lastAt))}::float8[], ${packFloats(packs.map(({ min }) => min))}::float8[],
      ${packFloats(packs.map(({ max }) => max))}::float8[], ${packFloats(packs.map(({ mean }) => mean))}::float8[],
      ${packBytes(packs.map(({ data }) => data))}::bytea[])
      as given (service_id, channel_id, day, count, first_ms, last_ms, min, max, mean, data)`;

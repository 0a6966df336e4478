import sql from 'sql-template-tag';
import type { ServiceId } from '../../domain/ids.ts';
import type { Instant } from '../../domain/judging/judge.ts';
import type { Tx } from '../../platform/db/database.ts';
import { packFloats, packInts } from '../../platform/db/pack-numbers.ts';
import type { Statement } from '../../platform/db/statement.ts';

/** Readings as columns, the way they travel. */
export interface ReadingColumns {
  serviceIds: ServiceId[];
  channelIds: number[];
  ats: Instant[];
  values: number[];
}

export interface StoredReading {
  channelId: number;
  at: Instant;
}

/** Late readings and those ahead of the clock: of two at the same time the first is kept. Answers which were stored. */
export const insertNewReadings = (readings: ReadingColumns): Statement<StoredReading> => sql`
  ${insertReadings(readings)} on conflict do nothing
  returning channel_id as "channelId", round(date_part('epoch', taken_at) * 1000) as "at"`;

/** Meant for readings newer than all that is stored of their channels, so that they cannot meet a double. */
export const insertReadings = ({ serviceIds, channelIds, ats, values }: ReadingColumns) => sql`
  insert into reading (service_id, channel_id, taken_at, value)
  select service_id, channel_id, to_timestamp(ms / 1000.0), value
  from unnest(${packInts(serviceIds)}::int[], ${packInts(channelIds)}::int[], ${packFloats(ats)}::float8[],
    ${packFloats(values)}::float8[]) as given (service_id, channel_id, ms, value)`;

/** By channel, the newest reading that is not ahead of the clock. */
export async function selectNewestUntil(
  tx: Tx,
  channels: readonly { serviceId: ServiceId; channelId: number }[],
  now: Date,
): Promise<Map<number, Instant>> {
  const rows = await tx.query<{ channelId: number; at: Instant }>(sql`
    select channel_id as "channelId", round(date_part('epoch', taken_at) * 1000) as "at"
    from unnest(${packInts(channels.map(({ serviceId }) => serviceId))}::int[],
      ${packInts(channels.map(({ channelId }) => channelId))}::int[]) as given (id_of_service, id_of_channel)
    cross join lateral (
      select channel_id, taken_at from reading
      where service_id = id_of_service and channel_id = id_of_channel and taken_at <= ${now}
      order by taken_at desc limit 1) as newest`);
  return new Map(rows.map(({ channelId, at }) => [channelId, at]));
}

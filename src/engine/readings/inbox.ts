// The readings of one transaction are one row: a log of what was answered, until the packer takes it.
import sql from 'sql-template-tag';
import type { ServiceId } from '../../domain/ids.ts';
import type { Instant } from '../../domain/judging/judge.ts';
import { type Batch, decodeBatch, encodeBatch } from '../../domain/readings/batch.ts';
import { DamagedPack } from '../../domain/readings/damaged-pack.ts';
import { packInts } from '../../platform/db/pack-numbers.ts';
import type { Statement } from '../../platform/db/statement.ts';
import { UNREADABLE } from './packs.ts';

/** Readings as columns, the way they travel. */
export interface ReadingColumns {
  serviceIds: ServiceId[];
  channelIds: number[];
  ats: Instant[];
  values: number[];
}

/** None of them may be stored already: nobody looks once more. */
export function appendReadings({ serviceIds, channelIds, ats, values }: ReadingColumns, now: Date) {
  const data = encodeBatch({
    serviceIds: Int32Array.from(serviceIds),
    channelIds: Int32Array.from(channelIds),
    ats: Float64Array.from(ats),
    values: Float64Array.from(values),
  });
  return sql`
    insert into reading_inbox (received_at, count, service_ids, data)
    values (${now}, ${ats.length}, ${packInts([...new Set(serviceIds)])}::int[], ${Buffer.from(data.buffer, data.byteOffset, data.byteLength)}::bytea)`;
}

export interface InboxRow {
  id: string;
  /** null: the server cannot read it. */
  data: Buffer | null;
}

/** @throws DamagedPack */
export function openInboxRow({ data }: InboxRow): Batch {
  if (!data) throw new DamagedPack(UNREADABLE);
  return decodeBatch(data);
}

/** With readings of any of these services, as they came: those behind the given one. */
export const selectInbox = (serviceIds: readonly ServiceId[], behind = '0'): Statement<InboxRow> => sql`
  select id, read_whole(data) as "data" from reading_inbox
  where service_ids && ${packInts(serviceIds)}::int[] and id > ${behind}::bigint order by id limit ${INBOX_PAGE}`;

/** More would be in memory together when nobody has packed for long. */
export const INBOX_PAGE = 1_000;

/** Whose readings were in rows that cannot be unpacked, and when those came. */
export const selectInboxOrigins = (
  ids: readonly string[],
): Statement<{ serviceIds: ServiceId[]; receivedAt: Date }> => sql`
  select service_ids as "serviceIds", received_at as "receivedAt" from reading_inbox
  where id = any(${ids}::bigint[])`;

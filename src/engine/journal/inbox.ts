// The journal's entries: the readings of one transaction are one row, a log of what was answered, until the packer takes it.
import sql, { type Sql } from 'sql-template-tag';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import type { Instant } from '../../domain/instant.ts';
import { type Batch, decodeBatch, encodeBatch } from '../../domain/readings/batch.ts';
import { DamagedPack, UNREADABLE } from '../../domain/readings/damaged-pack.ts';
import type { Tx } from '../../platform/db/database.ts';
import { packBigints, packInts } from '../../platform/db/pack-numbers.ts';
import type { Statement } from '../../platform/db/statement.ts';
import { OWN_POSITION, type Turn, takeTurn } from './take-turn.ts';

/** Readings as columns, the way they travel. */
export interface ReadingColumns {
  serviceIds: ServiceId[];
  channelIds: number[];
  ats: Instant[];
  values: number[];
}

/**
 * For those who have the organization's turn. None of the readings may be stored already: nobody looks once more.
 * `changed`: services whose rows this transaction writes.
 */
export const appendEntry = (
  organizationId: OrganizationId,
  columns: ReadingColumns,
  changed: readonly ServiceId[],
  now: Date,
): Sql => sql`
  ${insertEntry(organizationId, columns, changed, now)}`;

/**
 * In the message that takes the turn: only if nothing was entered since that position, and all else holds. Answers with its
 * own position, or with nothing.
 */
export const appendIfNothingNew = (
  organizationId: OrganizationId,
  columns: ReadingColumns,
  since: number,
  holds: Sql,
  now: Date,
): Statement<{ position: number }> => sql`
  ${insertEntry(organizationId, columns, [], now)}
  where ${OWN_POSITION} > ${since}::bigint and ${holds}
    and not exists (select from reading_inbox where organization_id = ${organizationId} and position > ${since})
    and not exists (select from journal_packed where organization_id = ${organizationId} and until > ${since})
  returning position::float8 as "position"`;

/**
 * The turn and its entry in one statement, for whoever knows all that was entered up to `since`: if this is the very next of
 * all positions, nobody has had a turn meanwhile. If it is not, or something else does not hold, nothing is entered or answered.
 */
export const appendIfNext = (
  organizationId: OrganizationId,
  columns: ReadingColumns,
  since: number,
  holds: Sql,
  now: Date,
): Statement<Turn> => sql`
  with turn as materialized (${takeTurn(organizationId)})
  ${insertEntry(organizationId, columns, [], now)}
  from turn where "position" = ${since + 1}::float8 and ${holds}
  returning position::float8 as "position"`;

/** Of services that were changed by somebody who has the turns of their organizations: who remembers them looks them up again. */
export const enterChanges = (tx: Tx, serviceIds: readonly ServiceId[], now: Date): void =>
  tx.later(sql`
    insert into reading_inbox (organization_id, position, received_at, count, service_ids, changed)
    select organization_id, nextval('journal_position'), ${now}, 0, '{}', array_agg(service_id) from alarm_state
    where service_id = any(${packInts(serviceIds)}::int[]) group by organization_id`);

/** Readings that nobody judges, in a turn of their own. None may be stored already. */
export const appendHistory = (organizationId: OrganizationId, columns: ReadingColumns, now: Date): Sql => sql`
  with turn as materialized (${takeTurn(organizationId)})
  ${insertEntry(organizationId, columns, [], now)} from turn`;

function insertEntry(
  organizationId: OrganizationId,
  { serviceIds, channelIds, ats, values }: ReadingColumns,
  changed: readonly ServiceId[],
  now: Date,
): Sql {
  const data =
    ats.length > 0
      ? encodeBatch({
          serviceIds: Int32Array.from(serviceIds),
          channelIds: Int32Array.from(channelIds),
          ats: Float64Array.from(ats),
          values: Float64Array.from(values),
        })
      : null;
  return sql`
    insert into reading_inbox (organization_id, position, received_at, last_at, count, service_ids, changed, data)
    select ${organizationId}::int, ${OWN_POSITION}, ${now}::timestamptz, ${findLast(ats)}::timestamptz, ${ats.length}::int,
      ${packInts([...new Set(serviceIds)])}::int[], ${packInts(changed)}::int[],
      ${data && Buffer.from(data.buffer, data.byteOffset, data.byteLength)}::bytea`;
}

function findLast(ats: readonly Instant[]): Date | null {
  let last = Number.NEGATIVE_INFINITY;
  for (const at of ats) if (at > last) last = at;
  return ats.length > 0 ? new Date(last) : null;
}

export interface InboxRow {
  id: string;
  /** null: the server cannot read it. */
  data: Buffer | null;
}

/** @throws DamagedPack */
export function openInboxRow({ data }: { data: Uint8Array | null }): Batch {
  if (!data) throw new DamagedPack(UNREADABLE);
  return decodeBatch(data);
}

/** With readings of any of these services, as they came: those behind the given one. */
export const selectInbox = (serviceIds: readonly ServiceId[], behind = '0'): Statement<InboxRow> => sql`
  select id, read_whole(data) as "data" from reading_inbox
  where service_ids && ${packInts(serviceIds)}::int[] and id > ${behind}::bigint and count > 0
  order by id limit ${INBOX_PAGE}`;

/** More would be in memory together when nobody has packed for long. */
export const INBOX_PAGE = 1_000;

/** Whose readings were in rows that cannot be unpacked, and when those came. */
export const selectInboxOrigins = (
  ids: readonly string[],
): Statement<{ serviceIds: ServiceId[]; receivedAt: Date }> => sql`
  select service_ids as "serviceIds", received_at as "receivedAt" from reading_inbox
  where id = any(${ids}::bigint[])`;

/** An entry on its way into packs. */
export interface WaitingEntry {
  id: string;
  organizationId: OrganizationId;
  position: number;
  /** 0: an entry without readings. */
  count: number;
  /** null: there are none, or the server cannot read them. */
  data: Buffer | null;
}

export const selectWaiting = (ids: readonly string[]): Statement<WaitingEntry> => sql`
  select id, organization_id as "organizationId", position::float8 as "position", count,
    read_whole(data) as "data"
  from reading_inbox where id = any(${ids}::bigint[]) order by organization_id, position`;

/** Of these, what nobody else has taken away. */
export const selectStillThere = async (tx: Tx, ids: readonly string[]): Promise<string[]> =>
  (
    await tx.query<{ id: string }>(
      sql`select id from reading_inbox where id = any(${ids}::bigint[]) and ${IS_NOT_PACKED}`,
    )
  ).map(({ id }) => id);

/** Of an entry that is still there. */
export const IS_NOT_PACKED = sql`not exists (select from packed_entry where packed_entry.id = reading_inbox.id)`;

/** For the packer: they are in packs, and in the rows of their services. */
export function takeAway(tx: Tx, entries: readonly WaitingEntry[]): void {
  tx.later(sql`
    insert into journal_packed (organization_id, until)
    select organization_id, max(position)
    from unnest(${packInts(entries.map(({ organizationId }) => organizationId))}::int[],
      ${packBigints(entries.map(({ position }) => position))}::bigint[]) as packed (organization_id, position)
    group by organization_id order by organization_id
    on conflict (organization_id) do update set until = greatest(journal_packed.until, excluded.until)`);
  tx.later(sql`delete from reading_inbox where id = any(${entries.map(({ id }) => id)}::bigint[])`);
}

/** For the packer: they are in packs which may not be shown yet. */
export const notePacked = (tx: Tx, entries: readonly WaitingEntry[]): void =>
  tx.later(
    sql`insert into packed_entry select unnest(${entries.map(({ id }) => id)}::bigint[]) on conflict do nothing`,
  );

export const hasPacked = async (tx: Tx): Promise<boolean> =>
  (await tx.query(sql`select from packed_entry limit 1`)).length > 0;

/** For the packer: all that were noted, whose packs are shown by now. */
export function takeAwayPacked(tx: Tx): void {
  tx.later(sql`
    insert into journal_packed (organization_id, until)
    select organization_id, max(position) from reading_inbox join packed_entry using (id)
    group by organization_id order by organization_id
    on conflict (organization_id) do update set until = greatest(journal_packed.until, excluded.until)`);
  tx.later(sql`delete from reading_inbox using packed_entry where reading_inbox.id = packed_entry.id`);
  tx.later(sql`delete from packed_entry`);
}

/** What could not be unpacked stays where it is, and is passed over. */
export const setAside = (tx: Tx, ids: readonly string[], now: Date): void =>
  tx.later(sql`update reading_inbox set damaged_at = ${now} where id = any(${ids}::bigint[])`);

interface SetAside {
  row: string;
  receivedAt: Date;
  readings: number;
  serviceIds: ServiceId[];
}

/** Each once. */
export const nameSetAside = (now: Date): Statement<SetAside> => sql`
  update reading_inbox set logged_at = ${now} where damaged_at is not null and logged_at is null
  returning id as "row", received_at as "receivedAt", count as "readings", service_ids as "serviceIds"`;

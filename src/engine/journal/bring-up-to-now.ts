// A quiet service's readings stand in the journal, and its row stays as it is: what is known of a service is its row and
// what came after it. A reading that was not quiet wrote the row, so what is left only brings newer times and values.
import sql, { type Sql } from 'sql-template-tag';
import type { Instant } from '../../domain/instant.ts';
import { type Batch, decodeBatch } from '../../domain/readings/batch.ts';
import { DamagedPack } from '../../domain/readings/damaged-pack.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import type { Statement } from '../../platform/db/statement.ts';
import { inSlices } from '../../platform/in-slices.ts';

/** The channels of a row, up to its position. */
export interface Behind {
  position: number;
  channelIds: number[];
  channelAt: Instant[];
  channelValues: number[];
}

export interface Entry {
  position: number;
  /** null: the server cannot read it. */
  data: Buffer | null;
}

type PagedEntry = Entry & { id: string };

/** More would be in memory together when nobody has packed for long. */
const PAGE = 1_000;

/**
 * Entries after the rows of these services. To be asked for before the rows are read, or while they are locked: the packer
 * writes rows before it takes the entries away.
 */
export const selectEntriesOf = (serviceIds: Sql, behind = '0'): Statement<PagedEntry> => sql`
  select reading_inbox.id, reading_inbox.position::float8 as "position", read_whole(data) as "data"
  from (
    select organization_id, min(position) as since, array_agg(service_id) as ids from alarm_state
    where service_id = any(${serviceIds}) group by organization_id) as concerned
  join reading_inbox on reading_inbox.organization_id = concerned.organization_id
    and reading_inbox.position > concerned.since
  where reading_inbox.id > ${behind}::bigint and count > 0 and damaged_at is null
    and (cardinality(ids) > ${MOST_LOOKED_FOR}::int or service_ids && ids)
  order by reading_inbox.id limit ${PAGE}`;

/** Whether an entry has any of more than these takes longer to find out than to read it. */
const MOST_LOOKED_FOR = 8;

/**
 * The rows, up to now, with the first of the entries read before them. Should there be more, the rows are read again after
 * those, unless they are locked.
 */
export async function bringUpToNow<Row extends Behind>(
  db: ReadDatabase,
  serviceIds: Sql,
  { entries, rows }: { entries: PagedEntry[]; rows: Row[] },
  selectRows?: Statement<Row>,
): Promise<Row[]> {
  const channelIds = new Set(rows.flatMap((row) => row.channelIds));
  const newer = await inSlices(pickAll(entries, channelIds), 'alarms');
  if (entries.length < PAGE) return inSlices(bringAll(rows, newer), 'alarms');
  for (let page = entries; page.length === PAGE; ) {
    page = await db.query(selectEntriesOf(serviceIds, page.at(-1)?.id));
    newer.push(...(await inSlices(pickAll(page, channelIds), 'alarms')));
  }
  return inSlices(bringAll(selectRows ? await db.query(selectRows) : rows, newer), 'alarms');
}

interface NewerReadings {
  position: number;
  channelIds: number[];
  ats: number[];
  values: number[];
}

function* pickAll(entries: readonly Entry[], wanted: ReadonlySet<number>): Generator<void, NewerReadings[]> {
  const picked: NewerReadings[] = [];
  for (const entry of entries) {
    const newer = pickReadings(entry, wanted);
    if (newer) picked.push(newer);
    yield;
  }
  return picked;
}

/** What an entry has of these channels. null: it cannot be read, which the packer finds out. */
function pickReadings({ position, data }: Entry, wanted: ReadonlySet<number>): NewerReadings | null {
  const batch = data && readBatch(data);
  if (!batch) return null;
  const places: number[] = [];
  for (let place = 0; place < batch.channelIds.length; place += 1)
    if (wanted.has(batch.channelIds[place] as number)) places.push(place);
  const [ids, ats, values] = [batch.channelIds, batch.ats, batch.values];
  return {
    position,
    channelIds: places.map((place) => ids[place] as number),
    ats: places.map((place) => ats[place] as number),
    values: places.map((place) => values[place] as number),
  };
}

/** In place. */
function* bringAll<Row extends Behind>(rows: Row[], newer: readonly NewerReadings[]): Generator<void, Row[]> {
  if (newer.length === 0) return rows;
  const bring = openToNewer(rows);
  for (const { position, channelIds, ats, values } of newer) {
    for (let reading = 0; reading < ats.length; reading += 1)
      bring(position, channelIds[reading] as number, ats[reading] as number, values[reading] as number);
    yield;
  }
  return rows;
}

/** What is brought changes the rows in place, unless they hold as much already. */
export function openToNewer(rows: readonly Behind[]) {
  const places = new Map<number, { row: Behind; index: number }>();
  for (const row of rows) for (const [index, id] of row.channelIds.entries()) places.set(id, { row, index });
  return (position: number, channelId: number, at: Instant, value: number): void => {
    const place = places.get(channelId);
    if (!place || position <= place.row.position) return;
    if (at <= (place.row.channelAt[place.index] ?? Number.NEGATIVE_INFINITY)) return;
    place.row.channelAt[place.index] = at;
    place.row.channelValues[place.index] = value;
  };
}

/** null: damaged, which is found and set aside by the packer. */
export function readBatch(data: Buffer): Batch | null {
  try {
    return decodeBatch(data);
  } catch (error) {
    if (error instanceof DamagedPack) return null;
    throw error;
  }
}

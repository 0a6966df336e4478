// The stored readings of a service as CSV, in order of time. Whatever the size, only a few pages are in memory, and no
// connection is held while a slow reader reads.
import sql from 'sql-template-tag';
import type { ServiceId } from '../../../domain/ids.ts';
import { writeCsvText } from '../../../platform/csv.ts';
import type { ReadDatabase } from '../../../platform/db/database.ts';
import type { ShownChannel } from '../shown-service/queries.ts';

interface Export {
  serviceId: ServiceId;
  channels: ShownChannel[];
  from: Date;
  /** Exclusive. */
  to: Date;
}

interface StoredReading {
  at: number;
  value: number;
}

const PAGE_ROWS = 10_000;
const CHUNK_ROWS = 2_000;

/** Chunks of text. */
export async function* exportReadings(db: ReadDatabase, wanted: Export): AsyncGenerator<string> {
  const heads = await openChannels(db, wanted);
  let lines = ['time,channel,value,unit'];
  for (let next = findEarliest(heads); next; next = findEarliest(heads)) {
    lines.push(`${new Date(next.at).toISOString()}${next.name}${next.value}${next.unit}`);
    if (lines.length >= CHUNK_ROWS) {
      yield `${lines.join('\r\n')}\r\n`;
      lines = [];
    }
    // Waiting for every single row would take longer than reading it.
    if (!step(next) && !(await turnPage(next))) heads.splice(heads.indexOf(next), 1);
  }
  if (lines.length > 0) yield `${lines.join('\r\n')}\r\n`;
}

/** A channel at its next reading. */
interface Head extends StoredReading {
  page: StoredReading[];
  place: number;
  /** What comes after the given instant; null: from the beginning. */
  read(after: number | null): Promise<StoredReading[]>;
  /** Ready to be written, with the commas around. */
  name: string;
  unit: string;
}

async function openChannels(db: ReadDatabase, { channels, ...wanted }: Export): Promise<Head[]> {
  const heads: Head[] = [];
  // A few channels share the memory that one would have.
  const rows = Math.max(500, Math.floor(PAGE_ROWS / Math.max(1, channels.length)));
  for (const { id, name, unit } of channels) {
    const read = (after: number | null) => selectPage(db, { ...wanted, channelId: id, after, rows });
    const page = await read(null);
    const head = { page, place: -1, read, at: 0, value: 0 };
    const cells = { name: `,${writeCsvText(name)},`, unit: `,${writeCsvText(unit ?? '')}` };
    const opened = { ...head, ...cells };
    if (step(opened)) heads.push(opened);
  }
  return heads;
}

/** false: the page is at its end. */
function step(head: Head): boolean {
  head.place += 1;
  const reading = head.page[head.place];
  if (!reading) return false;
  head.at = reading.at;
  head.value = reading.value;
  return true;
}

/** false: that was the last one. */
async function turnPage(head: Head): Promise<boolean> {
  head.page = await head.read(head.at);
  head.place = -1;
  return step(head);
}

/** At the same time, in the order of the channels. */
function findEarliest(heads: readonly Head[]): Head | null {
  let earliest: Head | null = null;
  for (const head of heads) if (!earliest || head.at < earliest.at) earliest = head;
  return earliest;
}

interface Page extends Omit<Export, 'channels'> {
  channelId: number;
  after: number | null;
  rows: number;
}

const selectPage = (db: ReadDatabase, { serviceId, channelId, from, to, after, rows }: Page) =>
  db.query<StoredReading>(sql`
    select extract(epoch from taken_at)::float8 * 1000 as "at", value from reading
    where service_id = ${serviceId} and channel_id = ${channelId} and taken_at < ${to}
      and ${after === null ? sql`taken_at >= ${from}` : sql`taken_at > ${new Date(Math.round(after))}`}
    order by taken_at limit ${rows}`);

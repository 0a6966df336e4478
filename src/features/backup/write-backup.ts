// Reads a database out into a stream: one moment of it, in constant memory.
import { createHash } from 'node:crypto';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { CopiedRows, Session } from '../../platform/db/session.ts';
import {
  announceTable,
  COUNTS_MARK,
  copiedPart,
  END_MARK,
  HEADER_MARK,
  type RowCounts,
  sealWith,
} from './format.ts';
import type { Snapshot } from './take-snapshot.ts';

export interface WrittenBackup {
  tables: number;
  rows: number;
  /** Of the file. */
  bytes: number;
}

/** Called with what was read so far: bytes of text, and about which share of all that is. */
export type OnRead = (bytes: number, share: number) => void;

// More would make files a tenth smaller and take longer than the server needs to read them out.
const COMPRESSION_LEVEL = 3;

/** Ends the transaction of the snapshot. */
export async function writeBackup(
  session: Session,
  snapshot: Snapshot,
  sink: Writable,
  { onRead, signal }: { onRead: OnRead; signal: AbortSignal },
): Promise<WrittenBackup> {
  const counts: RowCounts = {};
  const hash = createHash('sha256');
  let bytes = 0;
  const seal = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      hash.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
    const end = sealWith(hash.digest('hex'));
    bytes += end.length;
    yield end;
  };
  const text = Readable.from(readOut(session, snapshot, counts, onRead), { objectMode: false });
  await pipeline(text, createGzip({ level: COMPRESSION_LEVEL }), seal, sink, { signal });
  const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return { tables: snapshot.header.tables.length, rows, bytes };
}

async function* readOut(session: Session, { header, bytes }: Snapshot, counts: RowCounts, onRead: OnRead) {
  yield Buffer.from(`${HEADER_MARK}${JSON.stringify(header)}\n`);
  const onDisk = bytes.reduce((sum, table) => sum + table, 0);
  let diskBefore = 0;
  let read = 0;
  const copies: { name: string; copy: CopiedRows }[] = [];
  for (const [index, table] of header.tables.entries()) {
    yield Buffer.from(announceTable(table));
    const copy = session.copyOut(`copy ${copiedPart(table)} to stdout`);
    copies.push({ name: table.name, copy });
    let ofTable = 0;
    for await (const chunk of copy) {
      ofTable += chunk.length;
      // Text takes about as much room as rows on disk.
      onRead(read + ofTable, (diskBefore + Math.min(ofTable, bytes[index] ?? 0)) / onDisk);
      yield chunk;
    }
    yield Buffer.from(END_MARK);
    read += ofTable;
    diskBefore += bytes[index] ?? 0;
  }
  // Each count comes behind its rows, and all of them before the answer to this.
  await session.run('commit');
  for (const { name, copy } of copies) counts[name] = copy.rowCount;
  yield Buffer.from(`${COUNTS_MARK}${JSON.stringify(counts)}\n`);
}

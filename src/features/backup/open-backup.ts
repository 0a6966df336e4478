// Reads a backup from a stream, table by table, and knows at its end whether it is whole.
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, gunzipSync } from 'node:zlib';
import { DAMAGED, NOT_A_BACKUP, readText } from './backup-text.ts';
import {
  announceTable,
  type BackupHeader,
  type BackupTable,
  COUNTS_MARK,
  FORMAT,
  HEADER_MARK,
  type RowCounts,
  SEAL_BYTES,
  UnusableBackup,
} from './format.ts';

export interface OpenBackup {
  header: BackupHeader;
  /** The rows of the next table, in the order of the header, as COPY takes them. */
  rowsOf(table: BackupTable): AsyncGenerator<Buffer>;
  /** After the last table. The checksum has been compared when it answers. */
  finish(): Promise<RowCounts>;
}

/** How every gzip begins. */
const GZIP = Buffer.from([0x1f, 0x8b]);

/** Called with the bytes of the file that were read so far. */
export type OnBytes = (bytes: number) => void;

export async function openBackup(source: AsyncIterable<Buffer>, onBytes: OnBytes): Promise<OpenBackup> {
  const gunzip = createGunzip({ chunkSize: 256 * 1024 });
  // Whatever goes wrong is met by whoever reads.
  pipeline(Readable.from(checkSeal(source, onBytes), { objectMode: false }), gunzip).catch(() => {});
  const text = readText(gunzip);
  const header = readJson<BackupHeader>(await text.line(HEADER_MARK));
  if (header.format > FORMAT) {
    throw new UnusableBackup(`was written by a newer version of Tocsin (${header.tocsin}): use that one`);
  }
  return {
    header,
    async *rowsOf(table) {
      await text.line(announceTable(table).trimEnd());
      yield* text.rows();
    },
    async finish() {
      const counts = readJson<RowCounts>(await text.line(COUNTS_MARK));
      await text.end();
      return counts;
    },
  };
}

/** Reads all of it, for its checksum alone. */
export async function checkWhole(source: AsyncIterable<Buffer>, onBytes: OnBytes): Promise<void> {
  for await (const _ of checkSeal(source, onBytes));
}

/** Passes on what the seal at the end is about, and throws at the end if it does not fit. */
async function* checkSeal(source: AsyncIterable<Buffer>, onBytes: OnBytes): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  let bytes = 0;
  let held: Buffer = Buffer.alloc(0);
  for await (const chunk of source) {
    if (bytes === 0 && !chunk.subarray(0, 2).equals(GZIP)) throw new UnusableBackup(NOT_A_BACKUP);
    bytes += chunk.length;
    onBytes(bytes);
    held = Buffer.concat([held, chunk]);
    const certain = held.subarray(0, Math.max(0, held.length - SEAL_BYTES));
    held = held.subarray(certain.length);
    hash.update(certain);
    if (certain.length > 0) yield certain;
  }
  if (bytes === 0) throw new UnusableBackup('is empty');
  const [, sha256] = /^-- sha256 ([0-9a-f]{64})\n$/.exec(readSeal(held)) ?? [];
  if (!sha256) throw new UnusableBackup('was cut short, or is no backup of Tocsin');
  if (hash.digest('hex') !== sha256) throw new UnusableBackup(DAMAGED);
}

function readJson<Value>(text: string): Value {
  try {
    return JSON.parse(text) as Value;
  } catch {
    throw new UnusableBackup(DAMAGED);
  }
}

function readSeal(bytes: Buffer): string {
  try {
    return gunzipSync(bytes).toString('utf8');
  } catch {
    return '';
  }
}

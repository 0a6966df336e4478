// The readings of a file travel the same road as live telemetry, in batches and in the order of the file. While one
// batch is being stored the next is read; no more than that is held in memory.

import type { OrganizationId } from '../../domain/ids.ts';
import { english } from '../../domain/language/english.ts';
import { sayRefused } from '../../domain/readings/refused.ts';
import type { MostDays } from '../../domain/readings/retention.ts';
import { readTelemetry } from '../../domain/readings/telemetry.ts';
import type { Catalogue } from '../../engine/alarm-state/catalogue.ts';
import { ingestPosts } from '../../engine/ingest/ingest.ts';
import { packInbox } from '../../engine/packing/pack-inbox.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import type { CsvLayout } from './csv-layout.ts';
import type { ImportPosition } from './import-state.ts';
import type { CsvReader, CsvRecord } from './read-csv.ts';
import { readLine, type SentEntry } from './read-readings-csv.ts';

const READINGS_PER_BATCH = 2_000;
const LINES_PER_BATCH = 5_000;

export interface ImportDeps {
  db: Database;
  catalogue: Catalogue;
  retentionDays: MostDays;
  clock: Clock;
}

export interface ReadableFile {
  /** They end early when the import is stopped. */
  chunks: AsyncIterable<Buffer>;
  reader: CsvReader;
  layout: CsvLayout;
}

type Refused = Map<number, string[]>;

interface Batch {
  entries: SentEntry[];
  /** The line of each entry. */
  lines: number[];
  readings: number;
  refused: Refused;
  lineCount: number;
  offset: number;
  nextLine: number;
}

export interface ImportedBatch {
  position: ImportPosition;
  refused: ReadonlyMap<number, readonly string[]>;
}

/** Yields after each commit. */
export async function* importReadings(
  deps: ImportDeps,
  file: ReadableFile & { organizationId: OrganizationId },
  start: ImportPosition,
  signal: AbortSignal,
): AsyncGenerator<ImportedBatch> {
  let position = start;
  let storing: Promise<ImportedBatch> | null = null;
  let readError: unknown = null;
  const batches = readBatches(file, signal);
  const nextBatch = async (): Promise<Batch | null> => {
    const next = await batches.next().catch((error: unknown) => {
      readError = error;
      return null;
    });
    return next?.value ?? null;
  };
  try {
    for (let batch = await nextBatch(); batch; batch = await nextBatch()) {
      if (storing) {
        const stored: ImportedBatch = await storing;
        position = stored.position;
        yield stored;
      }
      storing = storeBatch(deps, file.organizationId, batch, position);
      // Awaited a batch later; until then a failure is nobody's surprise.
      storing.catch(() => {});
    }
    if (storing) yield await storing;
    if (readError) throw readError;
  } finally {
    await storing?.catch(() => {});
  }
}

async function* readBatches(
  { chunks, reader, layout }: ReadableFile,
  signal: AbortSignal,
): AsyncGenerator<Batch, void> {
  const hasDecimalComma = reader.separator() !== ',';
  let batch = emptyBatch();
  function* take(records: CsvRecord[]) {
    for (const record of records) {
      if (signal.aborted) return;
      addRecord(batch, layout, record, hasDecimalComma);
      if (batch.readings < READINGS_PER_BATCH && batch.lineCount < LINES_PER_BATCH) continue;
      yield batch;
      batch = emptyBatch();
    }
  }
  for await (const chunk of chunks) yield* take(reader.push(chunk));
  // What is left after an interruption may be half a line.
  if (signal.aborted) return;
  yield* take(reader.end());
  if (batch.lineCount > 0) yield batch;
}

const emptyBatch = (): Batch => ({
  entries: [],
  lines: [],
  readings: 0,
  refused: new Map(),
  lineCount: 0,
  offset: 0,
  nextLine: 0,
});

function addRecord(batch: Batch, layout: CsvLayout, record: CsvRecord, hasDecimalComma: boolean): void {
  batch.lineCount += 1;
  batch.offset = record.endOffset;
  batch.nextLine = record.nextLine;
  const { entry, faults } =
    'fields' in record
      ? readLine(layout, record.fields, hasDecimalComma)
      : { entry: null, faults: [record.fault] };
  if (faults.length > 0) batch.refused.set(record.line, faults);
  if (!entry) return;
  batch.entries.push(entry);
  batch.lines.push(record.line);
  batch.readings += Object.keys(entry.values).length;
}

async function storeBatch(
  deps: ImportDeps,
  organizationId: OrganizationId,
  { entries, lines, refused, offset, nextLine }: Batch,
  before: ImportPosition,
): Promise<ImportedBatch> {
  const now = deps.clock();
  const post = readTelemetry(entries, now.getTime());
  if (typeof post === 'string') throw new Error(`A batch of ${entries.length} entries is no post: ${post}`);
  const [outcome] = await ingestPosts(deps, [{ sourceId: null, organizationId, ...post }], now);
  if (!outcome || outcome === 'unknown_source') throw new Error('The command line was taken for a source');
  // Nobody else may be running, and old readings are looked for among those that wait.
  await packInbox(deps.db, now);
  for (const { index, why } of outcome.rejected) {
    const line = lines[index] ?? 0;
    refused.set(line, [...(refused.get(line) ?? []), sayRefused(why, english)]);
  }
  const position = {
    offset,
    line: nextLine,
    accepted: before.accepted + outcome.accepted,
    duplicates: before.duplicates + outcome.duplicates,
    refused: before.refused + refused.size,
  };
  return { position, refused };
}

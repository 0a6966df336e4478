// A readings file, opened where its import begins or goes on, with its first line understood.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { Target } from '../../domain/readings/telemetry.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import type { Output } from '../../platform/terminal.ts';
import { readLayout } from './csv-layout.ts';
import type { ReadableFile } from './import-readings.ts';
import { type ImportMemory, type ImportPosition, rememberImport } from './import-state.ts';
import { type CsvRecord, createCsvReader, FROM_THE_BEGINNING, type Separator } from './read-csv.ts';

const CHUNK_BYTES = 256 * 1024;
const BEGINNING: ImportPosition = { offset: 0, line: 1, accepted: 0, duplicates: 0, refused: 0 };

export interface OpenedFile {
  read(offset: number): AsyncGenerator<Buffer>;
  /** Standard input can be read once, from its beginning. */
  isSeekable: boolean;
  size: number | null;
  memory: ImportMemory | null;
  start: ImportPosition;
}

export async function openReadingsFile(
  { out, stdin, signal }: { out: Output; stdin: Readable; signal: AbortSignal },
  {
    file,
    organization,
    target,
    isRestart,
  }: { file: string; organization: string; target: string | null; isRestart: boolean },
): Promise<Result<OpenedFile, string>> {
  if (file === '-') {
    const read = () => readUntilAborted(stdin, signal);
    return ok({ read, isSeekable: false, size: null, memory: null, start: BEGINNING });
  }
  const found = await findFile(file);
  if (!found.ok) return found;
  const { size, mtimeMs } = found.value;
  const memory = rememberImport(file, { size, mtimeMs, organization, target });
  const recalled = isRestart ? 'none' : await memory.recall();
  if (recalled === 'other')
    out.stderr('The file or the options have changed since the import that was interrupted: it begins anew.');
  const start = typeof recalled === 'string' ? BEGINNING : recalled;
  if (start.offset > 0) out.stderr(`Continuing at line ${start.line}.`);
  const read = (offset: number) =>
    readUntilAborted(createReadStream(file, { start: offset, highWaterMark: CHUNK_BYTES }), signal);
  return ok({ read, isSeekable: true, size, memory, start });
}

const OPEN_FAILURES: Record<string, string> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist',
  EACCES: 'cannot be read: permission denied',
};

async function findFile(file: string): Promise<Result<{ size: number; mtimeMs: number }, string>> {
  try {
    const stats = await stat(file);
    return stats.isFile() ? ok({ size: stats.size, mtimeMs: stats.mtimeMs }) : refuse('is not a file');
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    return refuse(OPEN_FAILURES[code] ?? `cannot be read: ${message}`);
  }
}

/** Standard input may keep us waiting for ever. */
async function* readUntilAborted(stream: Readable, signal: AbortSignal): AsyncGenerator<Buffer> {
  const aborted = new Promise<null>((resolve) => {
    signal.addEventListener('abort', () => resolve(null), { once: true });
  });
  const chunks: AsyncIterator<Buffer> = stream[Symbol.asyncIterator]();
  try {
    while (!signal.aborted) {
      const reading = chunks.next();
      reading.catch(() => {});
      const next = await Promise.race([reading, aborted]);
      if (!next || next.done) return;
      yield next.value;
    }
  } finally {
    stream.destroy();
  }
}

/** Reads the first line, and leaves the file where the import begins or goes on. */
export async function readHeader(
  { read, isSeekable, start }: OpenedFile,
  target: Target | null,
): Promise<Result<ReadableFile, string>> {
  const kept: Buffer[] = [];
  const reader = createCsvReader(FROM_THE_BEGINNING);
  const chunks = read(0);
  let header: CsvRecord | undefined;
  try {
    for (let next = await chunks.next(); !next.done && !header; ) {
      kept.push(next.value);
      header = reader.push(next.value)[0];
      if (!header) next = await chunks.next();
    }
  } catch (error) {
    return refuse(`cannot be read: ${(error as Error).message}`);
  }
  header ??= reader.end()[0];
  if (isSeekable) await chunks.return(undefined);
  if (!header) return refuse('is empty');
  if ('fault' in header) return refuse(`${describeFault(header.fault)} (line ${header.line})`);
  const layout = readLayout(header.fields, target);
  if (!layout.ok) return layout;

  const separator = reader.separator() as Separator;
  const from = start.offset > 0 ? start : { offset: header.endOffset, line: header.nextLine };
  return ok({
    layout: layout.value,
    reader: createCsvReader({ separator, offset: from.offset, line: from.line }),
    chunks: isSeekable ? read(from.offset) : rejoin(Buffer.concat(kept).subarray(from.offset), chunks),
  });
}

const describeFault = (fault: string) =>
  fault === 'is not UTF-8 text' ? `${fault}: save it as UTF-8` : `cannot be read: ${fault}`;

async function* rejoin(first: Buffer, others: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* others;
}

// Where a backup is read from.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { StartError } from '../../platform/start-error.ts';
import { UnusableBackup } from './format.ts';
import type { OnBytes } from './open-backup.ts';
import { openProgress } from './progress.ts';
import type { CommandDeps } from './run-to-end.ts';

export interface Source {
  name: string;
  /** null: nobody knows, for it is no file, and can be read only once. */
  size: number | null;
  open(): Readable;
}

export async function findSource(file: string, stdin: Readable): Promise<Source> {
  if (file === '-') return { name: 'Standard input', size: null, open: () => stdin };
  const found = await stat(file);
  const size = found.isFile() ? found.size : null;
  return { name: file, size, open: () => createReadStream(file, { highWaterMark: 256 * 1024 }) };
}

/** Reads with a bar that shows how far it is, and lets go of the source whatever happens. */
export async function readSource<Value>(
  { bar, clock, signal }: CommandDeps,
  source: Source,
  label: string,
  read: (stream: Readable, onBytes: OnBytes) => Promise<Value>,
): Promise<Value> {
  const progress = openProgress(bar, clock, label);
  const stream = source.open();
  const stop = () => stream.destroy(new Error('Stopped'));
  signal.addEventListener('abort', stop);
  try {
    return await read(stream, (bytes) => progress.update(bytes, source.size && bytes / source.size));
  } catch (error) {
    throw error instanceof UnusableBackup ? new StartError(`${source.name} ${error.message}`) : error;
  } finally {
    signal.removeEventListener('abort', stop);
    stream.destroy();
    progress.end();
  }
}

// A file appears under its name when it is complete, or not at all.
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Writable } from 'node:stream';
import { flushToDisk } from './flush-to-disk.ts';
import { StartError } from './start-error.ts';

/** Readable by its owner only. */
export async function writeWholeFile<Value>(
  path: string,
  write: (sink: Writable) => Promise<Value>,
): Promise<Value> {
  const partial = `${path}.partial`;
  try {
    // What an earlier run left behind may be open to others.
    await rm(partial, { force: true });
    const sink = (await open(partial, 'wx', 0o600)).createWriteStream({ flush: true });
    const value = await write(sink).finally(() => sink.destroy());
    await rename(partial, path);
    await flushToDisk(dirname(path));
    return value;
  } catch (error) {
    await rm(partial, { force: true });
    throw isOfFileSystem(error) ? new StartError(`${path} cannot be written: ${error.message}`) : error;
  }
}

const isOfFileSystem = (error: unknown): error is Error => error instanceof Error && 'syscall' in error;

// A file appears under its name when it is complete, or not at all.
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Writable } from 'node:stream';
import { flushToDisk } from '../../platform/db/embedded/flush-to-disk.ts';

/** Readable by its owner only. */
export async function writeWholeFile<Value>(
  path: string,
  write: (sink: Writable) => Promise<Value>,
): Promise<Value> {
  const partial = `${path}.partial`;
  // What an earlier run left behind may be open to others.
  await rm(partial, { force: true });
  const sink = (await open(partial, 'wx', 0o600)).createWriteStream({ flush: true });
  try {
    const value = await write(sink);
    await rename(partial, path);
    await flushToDisk(dirname(path));
    return value;
  } catch (error) {
    sink.destroy();
    await rm(partial, { force: true });
    throw error;
  }
}

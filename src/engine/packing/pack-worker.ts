// The entry of the thread that packs: at full speed it is a seventh of all work, and readings that arrive need not wait for it.
import { parentPort } from 'node:worker_threads';
import { type EntryToPack, packEntries } from './pack-entries.ts';

parentPort?.on('message', async (entries: EntryToPack[]) =>
  parentPort?.postMessage(await packEntries(entries)),
);

// Packs in a thread of its own, which begins with the first full round. Whatever becomes of it, packing goes on: what it does
// not do is done here.
import type { Worker } from 'node:worker_threads';
import type { Log } from '../../platform/log.ts';
import { startThread, threadFile } from '../../platform/start-thread.ts';
import { type EntryToPack, type PackEntries, type PackedEntries, packEntries } from './pack-entries.ts';

/** A full round takes less than a second. */
const LONGEST_MS = 30_000;
const MOST_MEMORY_MB = 256;
/** Where threads cannot begin, trying at every round would only cost. */
const MOST_LOSSES = 3;

const PACK_WORKER = threadFile('pack-worker');

export interface PackThread {
  pack: PackEntries;
  /** When it was lost last; `now` where none is begun any more. null: never. */
  lostAt(now: Date): Date | null;
  close(): Promise<void>;
}

/** Tests bring threads of their own. */
export interface PackThreadSettings {
  file?: string;
  longestMs?: number;
  memoryMb?: number;
}

export function openPackThread(
  log: Log,
  { file = PACK_WORKER, longestMs = LONGEST_MS, memoryMb = MOST_MEMORY_MB }: PackThreadSettings = {},
): PackThread {
  let worker: Worker | null = null;
  let losses = 0;
  let lastLostAt: Date | null = null;

  function start(): Worker {
    const started = startThread(file, {
      resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 16 },
    });
    started.unref();
    // Between two rounds nobody listens; the next one begins another.
    const forget = () => {
      if (worker === started) worker = null;
    };
    started.on('error', forget).on('exit', forget);
    return started;
  }

  const ask = (entries: readonly EntryToPack[]): Promise<PackedEntries> =>
    new Promise((resolve, reject) => {
      const asked = worker ?? start();
      worker = asked;
      const timer = setTimeout(() => finish(() => reject(new Error('It took too long'))), longestMs);
      const onAnswer = (answer: PackedEntries) => finish(() => resolve(answer));
      const onError = (error: Error) => finish(() => reject(error));
      const onExit = () => finish(() => reject(new Error('It ended')));
      const finish = (settle: () => void) => {
        clearTimeout(timer);
        asked.off('message', onAnswer).off('error', onError).off('exit', onExit);
        settle();
      };
      asked.on('message', onAnswer).on('error', onError).on('exit', onExit);
      // A copy of each alone: what they were cut from is much larger.
      const copies = entries.map(({ id, data }) => ({ id, data: data && new Uint8Array(data) }));
      asked.postMessage(
        copies,
        copies.flatMap(({ data }) => data?.buffer ?? []),
      );
    });

  const end = async () => void (await worker?.terminate());

  return {
    async pack(entries) {
      if (losses >= MOST_LOSSES) return packEntries(entries);
      try {
        return await ask(entries);
      } catch (error) {
        losses += 1;
        lastLostAt = new Date();
        await end();
        log.warn({ err: error }, 'the thread that packs readings was lost: this round is packed without it');
        return packEntries(entries);
      }
    },
    lostAt: (now) => (losses >= MOST_LOSSES ? now : lastLostAt),
    close: end,
  };
}

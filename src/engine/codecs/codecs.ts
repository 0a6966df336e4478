// Codecs that administrators paste, run in a thread of their own. One that loops, allocates or throws fails by itself; one that
// takes the thread along is found by the clock, the thread is started anew, and the others go on there.
import type { Worker } from 'node:worker_threads';
import { type Decoded, readDecoded } from '../../domain/ways-in/codec.ts';
import type { Uplink } from '../../domain/ways-in/undecoded.ts';
import { startThread, threadFile } from '../../platform/start-thread.ts';
import { type CodecAnswer, type CodecTask, READY } from './codec-task.ts';

/** Far longer than a codec may take: the thread does not answer any more. */
const HUNG_MS = 2_000;
/** Until it can begin, on a machine that has much else to do. */
const LONGEST_START_MS = 30_000;
/** In the thread at a time; the others wait, each source behind its own. */
const MOST_UNDER_WAY = 8;
const MOST_WAITING = 200;
const MOST_MEMORY_MB = 64;

const CODEC_WORKER = threadFile('codec-worker');

export type CodecOutcome = Decoded | { failure: string };

/** Nobody knows what the codec would have made of it. */
export class CodecLost extends Error {
  constructor(
    message: string,
    /** The thread was lost to it. */
    readonly isItsFault = false,
  ) {
    super(message);
  }
}

export interface Codecs {
  /** `sourceId` null: tried out, and forgotten. */
  decode(codec: { sourceId: number | null; code: string }, uplink: Uplink): Promise<CodecOutcome>;
  close(): Promise<void>;
}

interface Waiting {
  sourceId: number | null;
  code: string;
  input: string;
  resolve(outcome: CodecOutcome): void;
  reject(error: Error): void;
}

export function openCodecs({
  file = CODEC_WORKER,
  hungMs = HUNG_MS,
}: {
  file?: string;
  hungMs?: number;
} = {}): Codecs {
  /** By source, so that whoever sends much waits for himself. */
  const waiting = new Map<number | null, Waiting[]>();
  /** In the order in which the thread answers. */
  let underWay: (Waiting & { id: number })[] = [];
  let worker: Worker | null = null;
  let isReady = false;
  let watchdog: NodeJS.Timeout | null = null;
  let ids = 0;
  let isClosed = false;

  function start(): Worker {
    const started = startThread(file, {
      resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MB },
    });
    started.unref();
    isReady = false;
    started.on('message', (answer: CodecAnswer | typeof READY) => {
      if (started !== worker) return;
      if (answer !== READY) return onAnswer(answer);
      isReady = true;
      watch();
    });
    started.on('error', () => onLoss(started));
    started.on('exit', () => onLoss(started));
    return started;
  }

  function watch(): void {
    if (watchdog) clearTimeout(watchdog);
    const watched = worker;
    const longestMs = isReady ? hungMs : LONGEST_START_MS;
    watchdog = underWay.length > 0 && watched ? setTimeout(() => onLoss(watched), longestMs) : null;
    watchdog?.unref();
  }

  /**
   * The first one is to blame, and the others are given to the next thread as if they had not begun. Where the thread never
   * began, nobody is, and nobody is answered.
   */
  function onLoss(lost: Worker): void {
    if (lost !== worker) return;
    worker = null;
    void lost.terminate();
    const [first, ...others] = underWay;
    underWay = [];
    if (isReady) for (const other of others.reverse()) queueOf(other.sourceId).unshift(other);
    else for (const other of others) other.reject(new CodecLost('The thread of the codecs did not begin'));
    first?.reject(new CodecLost('The thread of the codecs was lost', isReady));
    watch();
    sendMore();
  }

  function onAnswer({ id, output, failure }: CodecAnswer): void {
    const [first] = underWay;
    if (first?.id !== id) return;
    underWay.shift();
    watch();
    first.resolve(output === null ? { failure } : readDecoded(output));
    sendMore();
  }

  function queueOf(sourceId: number | null): Waiting[] {
    const queue = waiting.get(sourceId) ?? [];
    waiting.set(sourceId, queue);
    return queue;
  }

  function sendMore(): void {
    while (!isClosed && underWay.length < MOST_UNDER_WAY) {
      const [turn] = waiting;
      if (!turn) return;
      const [sourceId, queue] = turn;
      const next = queue.shift();
      // Whose turn it was comes last the next time.
      waiting.delete(sourceId);
      if (queue.length > 0) waiting.set(sourceId, queue);
      if (next) send(next);
    }
  }

  function send(task: Waiting): void {
    worker ??= start();
    ids += 1;
    const { sourceId, code, input } = task;
    underWay.push({ ...task, id: ids });
    worker.postMessage({ id: ids, sourceId, code, input } satisfies CodecTask);
    if (underWay.length === 1) watch();
  }

  return {
    decode: ({ sourceId, code }, uplink) =>
      new Promise((resolve, reject) => {
        const queue = queueOf(sourceId);
        if (isClosed || queue.length >= MOST_WAITING)
          return reject(new CodecLost('Too much waits for this codec'));
        queue.push({ sourceId, code, input: JSON.stringify(uplink), resolve, reject });
        sendMore();
      }),
    async close() {
      isClosed = true;
      const [running, left] = [worker, [...underWay, ...[...waiting.values()].flat()]];
      worker = null;
      underWay = [];
      waiting.clear();
      watch();
      for (const { reject } of left) reject(new CodecLost('The program stops'));
      await running?.terminate();
    },
  };
}

// Codecs that administrators paste, run in a thread of their own. One that loops, allocates or throws fails by itself. Should one
// take the thread along, it is found by the clock, the thread is started anew, and the others go on there.
import type { Worker } from 'node:worker_threads';
import { type Decoded, readDecoded } from '../../domain/ways-in/codec.ts';
import type { Uplink } from '../../domain/ways-in/undecoded.ts';
import { startThread, threadFile } from '../../platform/start-thread.ts';
import { openLines } from '../../platform/turns.ts';
import { type CodecAnswer, type CodecTask, READY } from './codec-task.ts';

/** Far longer than a codec may take: the thread does not answer any more. */
const HUNG_MS = 2_000;
/** Until it can begin, on a machine that has much else to do. */
const LONGEST_START_MS = 30_000;
/** In the thread at a time; the others wait, and organizations take turns. */
const MOST_UNDER_WAY = 8;
const MOST_WAITING = 200;
/** Whoever had the thread for so long has one in it at a time for a while, so that others wait for that one alone. */
const SLOW_MS = 20;
const SLOW_FOR_MS = 10_000;
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
  decode(codec: Codec, uplink: Uplink): Promise<CodecOutcome>;
  close(): Promise<void>;
}

type Codec = Pick<CodecTask, 'sourceId' | 'organizationId' | 'code'>;

interface Waiting extends Codec {
  input: string;
  /** A thread was lost while this was under way. */
  isSuspect: boolean;
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
  /** By organization. */
  const slowUntil = new Map<string | number, number>();
  const lines = openLines<Waiting>({
    atOnce: MOST_UNDER_WAY,
    leavesRoom: true,
    mostOf: (organizationId) =>
      performance.now() < (slowUntil.get(organizationId) ?? 0) ? 1 : MOST_UNDER_WAY,
  });
  /** In the order in which the thread answers. */
  let underWay: (Waiting & { id: number })[] = [];
  /** The thread waits for it while it is watched over. */
  const bell = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  let worker: Worker | null = null;
  let isReady = false;
  let watchdog: NodeJS.Timeout | null = null;
  /** The first of those under way has the thread since then. */
  let begunAt = 0;
  let ids = 0;
  let isClosed = false;

  function start(): Worker {
    const started = startThread(file, {
      resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MB },
      workerData: bell,
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
    begunAt = performance.now();
    if (watchdog) clearTimeout(watchdog);
    const watched = worker;
    const longestMs = isReady ? hungMs : LONGEST_START_MS;
    watchdog = underWay.length > 0 && watched ? setTimeout(() => onLoss(watched), longestMs) : null;
    watchdog?.unref();
  }

  function noteTime({ organizationId }: Waiting): void {
    const now = performance.now();
    if (now - begunAt > SLOW_MS) slowUntil.set(organizationId, now + SLOW_FOR_MS);
    else if (now > (slowUntil.get(organizationId) ?? now)) slowUntil.delete(organizationId);
  }

  /**
   * All are given to the next thread as if they had not begun. The machine may have stood still: the first one is to blame
   * only where it happens again. Where the thread never began, nobody is, and nobody is answered.
   */
  function onLoss(lost: Worker): void {
    if (lost !== worker) return;
    worker = null;
    void lost.terminate();
    const [first] = underWay;
    if (first && isReady) noteTime(first);
    const again: Waiting[] = [];
    for (const task of underWay) {
      lines.end(task.organizationId);
      if (!isReady) task.reject(new CodecLost('The thread of the codecs did not begin'));
      else if (task === first && task.isSuspect)
        task.reject(new CodecLost('The thread of the codecs was lost', true));
      else again.push({ ...task, isSuspect: task === first });
    }
    underWay = [];
    for (const task of again.reverse()) lines.putBack(task.organizationId, task);
    watch();
    sendMore();
  }

  function onAnswer({ id, output, failure }: CodecAnswer): void {
    const [first] = underWay;
    if (first?.id !== id) return;
    underWay.shift();
    noteTime(first);
    lines.end(first.organizationId);
    watch();
    first.resolve(output === null ? { failure } : readDecoded(output));
    sendMore();
  }

  function sendMore(): void {
    if (isClosed) return;
    for (let next = lines.next(); next; next = lines.next()) send(next.item);
  }

  function send(task: Waiting): void {
    worker ??= start();
    ids += 1;
    const { sourceId, organizationId, code, input } = task;
    underWay.push({ ...task, id: ids });
    worker.postMessage({ id: ids, sourceId, organizationId, code, input } satisfies CodecTask);
    Atomics.add(bell, 0, 1);
    Atomics.notify(bell, 0);
    if (underWay.length === 1) watch();
  }

  return {
    decode: (codec, uplink) =>
      new Promise((resolve, reject) => {
        if (isClosed || lines.countWaiting(codec.organizationId) >= MOST_WAITING)
          return reject(new CodecLost('Too much waits for the codecs of this organization'));
        lines.put(codec.organizationId, {
          ...codec,
          input: JSON.stringify(uplink),
          isSuspect: false,
          resolve,
          reject,
        });
        sendMore();
      }),
    async close() {
      isClosed = true;
      const [running, left] = [worker, [...underWay, ...lines.clear()]];
      worker = null;
      underWay = [];
      watch();
      for (const { reject } of left) reject(new CodecLost('The program stops'));
      await running?.terminate();
    },
  };
}

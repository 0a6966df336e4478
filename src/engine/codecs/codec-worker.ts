// The entry of the thread in which codecs run. One that does not end is broken off, and the others go on in a new memory.
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { runWithin } from './break-off.ts';
import { type CodecAnswer, type CodecTask, READY } from './codec-task.ts';
import { openRunner, SURELY_DONE_MS, TAKES_TOO_LONG, warmUp } from './run-codecs.ts';

/** To watch over one payload costs more than to decode it: all that come within so long are watched over together. */
const TOGETHER_MS = 10;

/** Counts what was put into the port. */
const bell = workerData as Int32Array;
let runner = await openRunner();
warmUp(runner);
const waiting: CodecTask[] = [];
let isAtWork = false;

parentPort?.on('message', (task: CodecTask) => {
  waiting.push(task);
  if (!isAtWork) void workOn();
});
parentPort?.postMessage(READY);

async function workOn(): Promise<void> {
  isAtWork = true;
  /** It was under way when the memory was lost. */
  let suspect: CodecTask | null = null;
  while (waiting.length > 0) {
    const { underWay, failure } = workTogether();
    if (underWay === null) continue;
    runner = await openRunner();
    // The machine may have stood still, or others have taken the memory: only what happens again, and alone, is its fault.
    if (underWay === suspect) answer({ id: underWay.id, output: null, failure });
    else waiting.unshift(underWay);
    suspect = underWay;
  }
  isAtWork = false;
}

/** Until nothing comes, or what was under way did not end, or broke what it ran in. */
function workTogether(): { underWay: CodecTask | null; failure: string } {
  let underWay: CodecTask | null = null;
  let failure = TAKES_TOO_LONG;
  runWithin(TOGETHER_MS + SURELY_DONE_MS, () => {
    const until = performance.now() + TOGETHER_MS;
    for (let task = takeNext(until); task; task = takeNext(until)) {
      underWay = task;
      const { breaks, ...made } = runner.work(task);
      failure = made.failure;
      if (breaks) return;
      failure = TAKES_TOO_LONG;
      underWay = null;
      answer(made);
    }
  });
  return { underWay, failure };
}

/** null: none has come by then. */
function takeNext(until: number): CodecTask | null {
  const known = waiting.shift();
  if (known || !parentPort) return known ?? null;
  for (let leftMs = until - performance.now(); leftMs > 0; leftMs = until - performance.now()) {
    const heard = Atomics.load(bell, 0);
    const come = receiveMessageOnPort(parentPort) as { message: CodecTask } | undefined;
    if (come) return come.message;
    Atomics.wait(bell, 0, heard, leftMs);
  }
  return null;
}

function answer(made: CodecAnswer): void {
  parentPort?.postMessage(made);
}

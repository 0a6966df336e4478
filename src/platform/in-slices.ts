import { setImmediate as nextTurn } from 'node:timers/promises';

/** So long one piece of work may keep all others waiting. */
const SLICE_MS = 5;

/** Where nobody else waits: in a command, or for what is short. */
export function atOnce<Value>(work: Generator<void, Value>): Value {
  for (let step = work.next(); ; step = work.next()) if (step.done) return step.value;
}

/** Goes on with what stops now and then, and lets others have their turn in between. */
export async function inSlices<Value>(work: Generator<void, Value>): Promise<Value> {
  let startedAt = performance.now();
  let step = work.next();
  while (!step.done) {
    if (performance.now() - startedAt >= SLICE_MS) {
      await nextTurn();
      startedAt = performance.now();
    }
    step = work.next();
  }
  return step.value;
}

import { setImmediate as nextTurn } from 'node:timers/promises';

/** So long one piece of work may keep all others waiting. */
const SLICE_MS = 5;

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

/** Stops after each. */
export function* eachInTurn<Item, Value>(
  items: Iterable<Item>,
  make: (item: Item) => Value,
): Generator<void, Value[]> {
  const made: Value[] = [];
  for (const item of items) {
    made.push(make(item));
    yield;
  }
  return made;
}

// What the program is at, said where its parent can read it when the program is gone: some ten microseconds for each, and no
// row. An item that ended the program twice is set aside and does not come again by itself. One for the whole process, as the
// file is: every loop would have to carry it otherwise.
import { writeSync } from 'node:fs';
import { freeSlot, SLOTS, writeSlot } from './last-words.ts';

/** What is at hand ended the program twice. */
export class SetAside extends Error {
  constructor(item: string) {
    super(`${item} is set aside: it ended the program twice`);
  }
}

let write: ((bytes: Buffer, at: number) => void) | null = null;
let aside: ReadonlySet<string> = new Set();
const free = Array.from({ length: SLOTS }, (_, slot) => slot);

/** Without it nothing is said: nobody would read it. */
export function openHand(fd: number): void {
  write = (bytes, at) => void writeSync(fd, bytes, 0, bytes.length, at);
}

export function setAside(items: readonly string[]): void {
  aside = new Set(items);
}

/** Of what takes its time: others may be in hand beside it, and share the blame. */
export async function hold<Value>(item: string, work: () => Promise<Value>): Promise<Value> {
  const letGo = take(item);
  try {
    return await work();
  } finally {
    letGo();
  }
}

/** Of what `work` does before it waits for anything: nothing else is in hand meanwhile. */
export function holdBriefly<Value>(item: string, work: () => Value): Value {
  const letGo = take(item);
  try {
    return work();
  } finally {
    letGo();
  }
}

/** Of what stops now and then: in hand while it goes on, and not while others have their turn. */
export function* holdInTurns<Value>(item: string, work: Generator<void, Value>): Generator<void, Value> {
  for (;;) {
    const step = holdBriefly(item, () => goOn(work));
    if (step.done) return step.value;
    yield;
  }
}

/** Beside which it costs little to say so. */
const GO_ON_MS = 1;

function goOn<Value>(work: Generator<void, Value>): IteratorResult<void, Value> {
  const until = performance.now() + GO_ON_MS;
  let step = work.next();
  while (!step.done && performance.now() < until) step = work.next();
  return step;
}

/** Called to let go of it. Where it cannot be said the work goes on all the same. */
function take(item: string): () => void {
  if (aside.has(item)) throw new SetAside(item);
  const writeAt = write;
  const slot = writeAt && free.pop();
  if (!writeAt || slot === undefined || slot === null) return () => {};
  say(() => writeSlot(writeAt, slot, item));
  return () => {
    say(() => freeSlot(writeAt, slot));
    free.push(slot);
  };
}

function say(tell: () => void): void {
  try {
    tell();
  } catch {
    // A full disk: then nobody will know what the program was at.
  }
}

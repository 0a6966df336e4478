// A thread that watches the main one: after a while without a beat it says where that is, and ends the program.
import { write, writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { writeStandstill } from './last-words.ts';
import { seeMainThread } from './see-main-thread.ts';
import type { WatcherData } from './standstill.ts';

const { beats, stillTicks, tickMs, seeingMs, isLogged, wordsFd } = workerData as WatcherData;
const counter = new Int32Array(beats);
/** Of pino. */
const FATAL = 60;
/** A log that nobody reads does not keep the program. */
const LAST_LINE_MS = 1_000;

let seen = Atomics.load(counter, 0);
let ticks = 0;
const looking = setInterval(() => {
  const now = Atomics.load(counter, 0);
  ticks = now === seen ? ticks + 1 : 0;
  seen = now;
  if (ticks < stillTicks) return;
  clearInterval(looking);
  void endProgram();
}, tickMs);

async function endProgram(): Promise<void> {
  // Nothing that happens from here on keeps it.
  const end = () => void process.kill(process.pid, 'SIGKILL');
  setTimeout(end, seeingMs + 2 * LAST_LINE_MS);
  const where = await seeMainThread(seeingMs).catch(() => null);
  if (wordsFd !== null) leaveWords(wordsFd, where);
  if (!isLogged) return end();
  setTimeout(end, LAST_LINE_MS);
  write(2, describe(where), end);
}

function leaveWords(fd: number, where: string[] | null): void {
  try {
    writeStandstill((bytes, at) => writeSync(fd, bytes, 0, bytes.length, at), where);
  } catch {
    // Then its parent knows less.
  }
}

const describe = (where: string[] | null): string =>
  `${JSON.stringify({
    level: FATAL,
    time: Date.now(),
    seconds: (stillTicks * tickMs) / 1000,
    where: where ?? 'could not be seen',
    msg: 'the main thread stood still: the program ends itself',
  })}\n`;

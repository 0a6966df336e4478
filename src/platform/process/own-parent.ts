// The parent of a serving program, as the program sees it.
import { within } from '../within.ts';
import type { ToParent, ToProgram } from './messages.ts';
import type { ProgramEnd } from './program-end.ts';

export interface Parent {
  /** Outlives the program. */
  wordsFd: number;
  /** From now on an end is no refusal to start. */
  sayUp(): void;
  /** How programs before this one ended, until it is said that they are recorded. */
  askEnds(): Promise<ProgramEnd[]>;
  sayRecorded(): void;
  onStop(stop: () => void): void;
  onGone(stop: () => void): void;
}

const WORDS_FD = 3;
const BEAT_MS = 2_000;
const PATIENCE_MS = 5_000;

export function findParent(): Parent {
  const tell = (message: ToParent) => {
    // It may go at any moment.
    if (process.connected) process.send?.(message, undefined, undefined, () => {});
  };
  const hear = (listen: (message: ToProgram) => void) => {
    process.on('message', (message) => listen(message as ToProgram));
    // Listening for it keeps no program from ending.
    process.channel?.unref();
  };
  setInterval(() => tell({ kind: 'beat' }), BEAT_MS).unref();
  return {
    wordsFd: WORDS_FD,
    sayUp: () => tell({ kind: 'up' }),
    askEnds: () => {
      const told = new Promise<ProgramEnd[]>((resolve) => {
        hear((message) => message.kind === 'ends' && resolve(message.ends));
      });
      tell({ kind: 'ask-ends' });
      return within(PATIENCE_MS, told).catch(() => []);
    },
    sayRecorded: () => tell({ kind: 'recorded' }),
    onStop: (stop) => hear((message) => message.kind === 'stop' && stop()),
    onGone: (stop) => void process.on('disconnect', stop),
  };
}

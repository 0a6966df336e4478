// Pictures are made anew in a thread each: a few at a time, one of each organization, so that nobody's pictures keep those of others
// waiting for long, and none that was made to hurt has more than its thread.
import { type Result, refuse } from '../../domain/result.ts';
import type { CleanPicture } from '../../platform/picture/clean-picture.ts';
import type { PictureFaultWord } from '../../platform/picture/picture-fault.ts';
import { startThread, threadFile } from '../../platform/start-thread.ts';
import type { CleanAnswer } from './clean-task.ts';

const LONGEST_MS = 30_000;
const MOST_AT_ONCE = 2;
/** That are sent or wait for their turn: each is held in memory. */
const MOST_ADMITTED = 8;
const MEMORY_MB = 128;

const PICTURE_WORKER = threadFile('picture-worker');

type CleanRefusal = PictureFaultWord | 'too_long';
export type CleanResult = Result<CleanPicture, CleanRefusal>;

export interface Cleaning {
  /** Before the picture is taken in. null: there are too many, or one of the same organization. */
  enter(organizationId: number): Admitted | null;
  close(): Promise<void>;
}

export interface Admitted {
  clean(bytes: Buffer): Promise<CleanResult>;
  /** Nobody waits for it any more. As long as it is worked on it counts all the same: who hangs up makes no room for the next. */
  leave(): void;
}

/** Tests bring threads of their own. */
export interface CleaningSettings {
  file?: string;
  longestMs?: number;
}

export function openCleaning({
  file = PICTURE_WORKER,
  longestMs = LONGEST_MS,
}: CleaningSettings = {}): Cleaning {
  const inside = new Set<number>();
  const waiting: (() => void)[] = [];
  const running = new Set<() => Promise<unknown>>();
  let taken = 0;

  const takeTurn = async (): Promise<void> => {
    if (taken >= MOST_AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
    else taken += 1;
  };
  const endTurn = (): void => {
    const next = waiting.shift();
    if (next) next();
    else taken -= 1;
  };

  const run = (bytes: Buffer): Promise<CleanResult> =>
    new Promise((resolve) => {
      const thread = startThread(file, {
        workerData: new Uint8Array(bytes),
        resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB, maxYoungGenerationSizeMb: 16 },
      });
      const end = () => thread.terminate();
      const settle = (result: CleanResult) => {
        clearTimeout(timer);
        running.delete(end);
        resolve(result);
        void end();
      };
      const timer = setTimeout(() => settle(refuse('too_long')), longestMs);
      running.add(end);
      thread.on('message', (answer: CleanAnswer) =>
        settle(
          answer.ok ? { ok: true, value: { ...answer.value, png: Buffer.from(answer.value.png) } } : answer,
        ),
      );
      // Out of memory, or something that nobody thought of: it is the picture all the same.
      thread.on('error', () => settle(refuse('damaged')));
      thread.on('exit', () => settle(refuse('damaged')));
    });

  return {
    enter(organizationId) {
      if (inside.has(organizationId) || inside.size >= MOST_ADMITTED) return null;
      inside.add(organizationId);
      let holds = 1;
      const letGo = () => {
        holds -= 1;
        if (holds === 0) inside.delete(organizationId);
      };
      return {
        leave: letGo,
        async clean(bytes) {
          holds += 1;
          await takeTurn();
          try {
            return await run(bytes);
          } finally {
            endTurn();
            letGo();
          }
        },
      };
    },
    async close() {
      await Promise.all([...running].map((end) => end()));
    },
  };
}

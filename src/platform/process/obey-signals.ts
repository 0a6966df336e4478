import { terminal } from '../terminal.ts';
import type { Parent } from './own-parent.ts';

/** A terminal says it to the program, its parent and npm, and each of them passes it on: within a second it is one word. */
const ONE_WORD_MS = 1_000;

function obey({ first, second }: { first: () => void; second: () => void }): () => void {
  let firstAt: number | null = null;
  return () => {
    const isAgain = firstAt !== null && performance.now() - firstAt > ONE_WORD_MS;
    if (isAgain) return second();
    if (firstAt !== null) return;
    firstAt = performance.now();
    first();
  };
}

/** For commands that finish what is under way; a second signal does not wait for it. */
export function abortOnSignals(): AbortSignal {
  const controller = new AbortController();
  const onSignal = obey({ first: () => controller.abort(), second: () => process.exit(130) });
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return controller.signal;
}

export function stopOnSignals(stop: () => Promise<void>, parent: Parent | null): void {
  let isStopping = false;
  const begin = async () => {
    if (isStopping) return;
    isStopping = true;
    terminal.stdout('Stopping…');
    await stop();
    terminal.stdout('Stopped.');
    process.exit(0);
  };
  // A second word does not wait for anybody.
  const onSignal = obey({ first: () => void begin(), second: () => process.exit(1) });
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  parent?.onStop(onSignal);
  // Nobody would begin it again, or could stop it.
  parent?.onGone(() => void begin());
}

// Ends what does not end by itself, wherever it is: also inside a part of the language that asks nobody whether it may go on.
import { Script } from 'node:vm';

/** What the script calls. */
const CALLED = Symbol.for('tocsin.called');
const SCRIPT = new Script(`globalThis[Symbol.for('tocsin.called')]()`);

/** false: it was broken off. What it was working with may be in any state, and is not to be used any more. */
export function runWithin(mostMs: number, work: () => void): boolean {
  (globalThis as { [CALLED]?: () => void })[CALLED] = work;
  try {
    SCRIPT.runInThisContext({ timeout: mostMs });
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return false;
    throw error;
  }
}

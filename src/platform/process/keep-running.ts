// Begins a program, and another when it ends without having been told to.
import { type ChildProcess, spawn } from 'node:child_process';
import type { Log } from '../log.ts';
import { openLastWords } from './last-words-file.ts';
import type { ToParent, ToProgram } from './messages.ts';
import { isGivenUp, MOST_ENDS, type ProgramEnd, WITHIN_MINUTES } from './program-end.ts';

interface Program {
  command: string;
  args: string[];
  env: NodeJS.ProcessEnv;
}

interface KeepDeps {
  log: Log;
  exit: (code: number) => void;
}

export interface Kept {
  stop(): void;
  /** Whether it has beaten since the last time this was asked. */
  hasBeaten(): boolean;
}

/** Of an exit that says: it dies again and again. */
const GIVEN_UP_CODE = 70;
/** What refuses to start although it ran a moment ago, for want of a database for one, is tried again. */
const REFUSED_PAUSE_MS = 10_000;

export function keepRunning(program: Program, { log, exit }: KeepDeps): Kept {
  const words = openLastWords();
  /** That no program has recorded yet. */
  let untold: ProgramEnd[] = [];
  let endedAtMs: number[] = [];
  let child: ChildProcess | null = null;
  let hasRun = false;
  let isUp = false;
  let isStopping = false;
  let hasBeaten = false;

  const tell = (message: ToProgram) => void (child?.connected && child.send(message, () => {}));

  function hear({ kind }: ToParent): void {
    hasBeaten = true;
    if (kind === 'up') hasRun = isUp = true;
    if (kind === 'ask-ends') tell({ kind: 'ends', ends: untold });
    if (kind === 'recorded') untold = [];
  }

  function begin(): void {
    isUp = false;
    words.clear();
    child = spawn(program.command, program.args, {
      env: program.env,
      stdio: ['inherit', 'inherit', 'inherit', words.fd ?? 'ignore', 'ipc'],
    });
    child.on('message', hear);
    child.once('error', (error) => {
      log.fatal({ err: error }, 'the program could not be begun');
      exit(1);
    });
    child.once('exit', onEnd);
  }

  function onEnd(code: number | null, signal: NodeJS.Signals | null): void {
    child = null;
    const isRefusal = code !== null && !isUp;
    if (isStopping || (code === 0 && isUp) || (isRefusal && !hasRun)) exit(code ?? 1);
    else if (isRefusal) tryLater();
    else beginAgain(signal ?? `exit code ${code}`);
  }

  function tryLater(): void {
    log.warn({ seconds: REFUSED_PAUSE_MS / 1000 }, 'the program refused to start again: it is tried again');
    setTimeout(() => isStopping || begin(), REFUSED_PAUSE_MS);
  }

  function beginAgain(how: string): void {
    const { stoodStillAt, inHand } = words.read();
    const cause = stoodStillAt ? 'standstill' : 'died';
    const end: ProgramEnd = { at: new Date().toISOString(), cause, how, places: stoodStillAt ?? [], inHand };
    untold.push(end);
    endedAtMs = [...endedAtMs.slice(-MOST_ENDS), performance.now()];
    if (isGivenUp(endedAtMs, performance.now())) {
      log.fatal(
        end,
        `the program ended ${endedAtMs.length} times within ${WITHIN_MINUTES} minutes: it is not begun again. Read above why it ended, mend that or go back to the version before, and start it by hand`,
      );
      exit(GIVEN_UP_CODE);
      return;
    }
    log.error(end, `the program ${cause === 'died' ? 'died' : 'stood still'}: it is begun again`);
    begin();
  }

  begin();
  return {
    stop() {
      isStopping = true;
      if (child) tell({ kind: 'stop' });
      else exit(0);
    },
    hasBeaten() {
      const had = hasBeaten;
      hasBeaten = false;
      return had;
    },
  };
}

// Where log lines go. Nothing waits for whoever reads them: what does not fit is dropped and counted.
import { fstatSync, writeFileSync } from 'node:fs';

export interface LogOutput {
  write(line: string): void;
  /** How many lines nobody will read. */
  dropped(): number;
  /** Called with the lines that were dropped once everything else is written. */
  onCaughtUp(tell: (lines: number) => void): void;
  /** Before the program ends: gives whoever reads a last moment. */
  flush(): Promise<void>;
}

/** Calls back when the line is written, or cannot be. */
export type WriteLine = (line: string, done: (error?: Error | null) => void) => void;

export const MOST_WAITING_CHARACTERS = 1024 * 1024;
const LAST_MOMENT_MS = 1_000;

export function openLogOutput(writeLine: WriteLine): LogOutput {
  let waiting = 0;
  let dropped = 0;
  let untold = 0;
  let tell = (_lines: number) => {};
  let onEmpty = () => {};

  const drop = () => {
    dropped += 1;
    untold += 1;
  };
  const catchUp = () => {
    const lines = untold;
    untold = 0;
    if (lines > 0) tell(lines);
    onEmpty();
  };

  return {
    write(line) {
      if (waiting + line.length > MOST_WAITING_CHARACTERS) return drop();
      waiting += line.length;
      writeLine(line, (error) => {
        waiting -= line.length;
        if (error) drop();
        else if (waiting === 0) catchUp();
      });
    },
    dropped: () => dropped,
    onCaughtUp(listener) {
      tell = listener;
    },
    flush: () =>
      new Promise((resolve) => {
        onEmpty = resolve;
        if (waiting === 0) resolve();
        else setTimeout(resolve, LAST_MOMENT_MS);
      }),
  };
}

export function openStandardError(): LogOutput {
  // A stream that met a full disk once would never write again.
  if (fstatSync(2).isFile()) return openLogOutput(appendToFile);
  // Whoever read the log is gone: the callbacks say so.
  if (process.stderr.listenerCount('error') === 0) process.stderr.on('error', () => {});
  return openLogOutput((line, done) => process.stderr.write(line, done));
}

const appendToFile: WriteLine = (line, done) => {
  try {
    writeFileSync(2, line);
  } catch (error) {
    return done(error as Error);
  }
  done();
};

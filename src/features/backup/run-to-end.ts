import type { Clock } from '../../platform/clock.ts';
import type { Bar } from '../../platform/progress-bar.ts';
import type { Output } from '../../platform/terminal.ts';

export interface CommandDeps {
  clock: Clock;
  out: Output;
  bar: Bar | null;
  signal: AbortSignal;
}

export type ExitCode = 0 | 1 | 130;

/** What goes wrong on the way leaves everything as it was, and is one line. `seconds`: since the beginning. */
export async function runToEnd(
  { clock, out, signal }: CommandDeps,
  work: (seconds: () => number) => Promise<void>,
): Promise<ExitCode> {
  const startedAt = clock().getTime();
  try {
    await work(() => Math.round((clock().getTime() - startedAt) / 100) / 10);
    return 0;
  } catch (error) {
    out.stderr(signal.aborted ? 'Stopped; nothing was changed.' : (error as Error).message);
    return signal.aborted ? 130 : 1;
  }
}

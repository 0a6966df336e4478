import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Bar } from '../../platform/progress-bar.ts';
import type { Output } from '../../platform/terminal.ts';
import type { ProgramConfig } from '../delivery-settings/read-environment.ts';

/** One command: what `--help` shows of it, in this order, and what it does. */
export interface Command {
  name: string;
  help?: string;
  /** What `tocsin` alone does. */
  isDefault?: true;
  /** `<file>` to what help says of it. */
  args?: Record<string, string>;
  /** `--days <number>` to what help says of it. */
  options?: Record<string, string | { help: string; byDefault: string } | { help: string; isRequired: true }>;
  /** Gets what was typed; answers with the exit code, or undefined where the program goes on. */
  run(line: CommandLine, options: object, ...args: string[]): Promise<number | undefined>;
}

/** Commands behind one word, such as `tocsin account create`. */
export interface CommandGroup {
  name: string;
  help: string;
  commands: Command[];
}

/** What a command works with. */
export interface CommandLine {
  clock: Clock;
  out: Output;
  /** null: nobody watches. */
  bar: Bar | null;
  readConfig(): ProgramConfig;
  /** Beside a running server or without one. An empty database is set up by whoever comes first. */
  withDatabase(work: (db: Database, config: ProgramConfig) => Promise<number>): Promise<number>;
  /** Whatever is in it. */
  withAnyDatabase(work: (db: Database, config: ProgramConfig) => Promise<number>): Promise<number>;
}

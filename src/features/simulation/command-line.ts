import type { Result } from '../../domain/result.ts';
import type { Command } from '../../engine/command-line/command.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { abortOnSignals } from '../../platform/process/obey-signals.ts';
import { StartError } from '../../platform/start-error.ts';
import { printLab, readSimulateOptions, runSimulate, type SimulateOptions } from './simulate-command.ts';

/** Applies the text of a lab file; answers with the ids of its organizations, or what is wrong with it. */
type ApplyLab = (db: Database, text: string, clock: Clock) => Promise<Result<Record<string, number>, string>>;

export const simulateCommand = (applyLab: ApplyLab): Command => ({
  name: 'simulate',
  help: 'a believable lab to try things out with, one unit failing and one sensor dead',
  options: {
    '--days <number>': { help: 'history to fill in', byDefault: '30' },
    '--live': 'go on with live readings until stopped',
    '--interval <seconds>': { help: 'between live readings', byDefault: '60' },
    '--services <number>': { help: 'how many units', byDefault: '12' },
    '--organization <name>': { help: 'made if there is none of that name', byDefault: 'Simulated lab' },
    '--seed <number>': { help: 'another number, another lab', byDefault: '1' },
    '--url <url>': 'send over HTTP to a running server, as a gateway does',
    '--secret <secret>': 'of the source at that server',
    '--print-lab': 'only print the lab file of the simulated lab',
    '--json': 'print the counts as JSON',
  },
  async run({ withDatabase, clock, out }, options: SimulateOptions) {
    const command = readSimulateOptions(options);
    if (!command.ok) throw new StartError(command.refusal);
    if (options.printLab) {
      out.stdout(printLab(command.value, options.secret ?? null, clock()));
      return 0;
    }
    const deps = { clock, out, signal: abortOnSignals() };
    if (command.value.server) return runSimulate(deps, command.value, null);
    return withDatabase((db, { retentionDays }) =>
      runSimulate(deps, command.value, { db, retentionDays, applyLab: (text) => applyLab(db, text, clock) }),
    );
  },
});

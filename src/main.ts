// The one program: finds the command in what was typed, and turns what it throws into a line and an exit code.

import { COMMAND_LINE } from './domain/accounts/requester.ts';
import { ok, refuse } from './domain/result.ts';
import type { Command, CommandGroup } from './engine/command-line/command.ts';
import { openCommandLine } from './engine/command-line/open-command-line.ts';
import { runCommands } from './engine/command-line/run-commands.ts';
import { PROGRAM_ROLES, type ProgramRole } from './engine/self-watch/programs.ts';
import { accountCommands } from './features/accounts/command-line.ts';
import { backUpBeforeMigrating } from './features/backup/before-migrating.ts';
import { backupCommand, restoreCommand } from './features/backup/command-line.ts';
import { distributeCommand } from './features/distribution/command-line.ts';
import { doctorCommand, releaseCommand } from './features/health/command-line.ts';
import { applyLabFile } from './features/lab-file/apply-lab-file.ts';
import { applyCommand } from './features/lab-file/command-line.ts';
import { migrateCommand } from './features/migrations/command-line.ts';
import { recommendationsCommands } from './features/recommendations/command-line.ts';
import { exportCommand } from './features/services/export/command-line.ts';
import { whyCommand } from './features/services/why/command-line.ts';
import { simulateCommand } from './features/simulation/command-line.ts';
import { importCommand } from './features/telemetry/command-line.ts';
import { explainFailure } from './platform/db/explain-failure.ts';
import { openLog } from './platform/log.ts';
import { openStandardError } from './platform/log-output.ts';
import { openHand } from './platform/process/in-hand.ts';
import { stopOnSignals } from './platform/process/obey-signals.ts';
import { findParent } from './platform/process/own-parent.ts';
import { watchStandstill } from './platform/process/watch-standstill.ts';
import { version } from './platform/project-root.ts';
import { StartError } from './platform/start-error.ts';
import { serve } from './serve.ts';

const serveCommand: Command = {
  name: 'serve',
  isDefault: true,
  help: 'run the service',
  options: {
    '--roles <list>': { help: 'the part of the work this program does', byDefault: PROGRAM_ROLES.join(',') },
    '--demo': 'fill an empty database with a believable lab and keep it alive; sends no real mail',
  },
  async run({ readConfig, clock, out }, options: { roles: string; demo?: true }) {
    const roles = readRoles(options.roles);
    const isDemo = options.demo ?? false;
    const config = { ...readConfig(), ...(isDemo && { smtp: null }) };
    const logOutput = openStandardError();
    const log = openLog(config.logLevel, logOutput);
    const parent = config.restart === 'parent' && process.connected ? findParent() : null;
    if (parent) openHand(parent.wordsFd);
    watchStandstill({ isLogged: config.logLevel !== 'silent', wordsFd: parent?.wordsFd ?? null });
    const starting = serve({ config, clock, log, logOutput, roles, isDemo, say: out.stdout, parent });
    // A signal that comes during the start is obeyed as soon as there is something to stop.
    stopOnSignals(async () => {
      await (await starting).stop();
      await logOutput.flush();
    }, parent);
    await starting;
    parent?.sayUp();
    return undefined;
  },
};

function readRoles(list: string): ProgramRole[] {
  return list.split(',').map((name) => {
    const role = PROGRAM_ROLES.find((known) => known === name.trim());
    if (!role) throw new StartError(`Unknown role "${name}" in --roles: ${PROGRAM_ROLES.join(', ')}`);
    return role;
  });
}

const COMMANDS: (Command | CommandGroup)[] = [
  serveCommand,
  migrateCommand(backUpBeforeMigrating),
  distributeCommand,
  applyCommand,
  whyCommand,
  importCommand,
  exportCommand,
  simulateCommand(async (db, text, clock) => {
    const input = { text, fileName: 'simulated lab', isDryRun: false };
    const applied = await applyLabFile(db, COMMAND_LINE, input, clock());
    if (applied.ok) return ok(applied.value.ids.organizations);
    return refuse(applied.refusal.map(({ path, message }) => `${path}: ${message}`).join('\n'));
  }),
  accountCommands,
  recommendationsCommands,
  doctorCommand,
  releaseCommand,
  backupCommand,
  restoreCommand,
];

const PROGRAM = { name: 'tocsin', help: 'Alarm monitoring for laboratory equipment', version };

runCommands(PROGRAM, COMMANDS, openCommandLine(process.env), process.argv.slice(2)).catch((error: Error) => {
  process.stderr.write(`${explainFailure(error)}\n`);
  process.exitCode = 1;
});

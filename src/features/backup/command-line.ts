import type { Command } from '../../engine/command-line/command.ts';
import { PREPARING } from '../../engine/program/prepare-migrations.ts';
import { openHouseKey } from '../../platform/auth/house-key.ts';
import { migrate } from '../../platform/db/migrate.ts';
import { abortOnSignals } from '../../platform/process/obey-signals.ts';
import { StartError } from '../../platform/start-error.ts';
import { askLine } from '../../platform/terminal.ts';
import { runBackup, runVerify } from './backup-command.ts';
import { runRestore } from './restore-command.ts';

export const backupCommand: Command = {
  name: 'backup',
  help: 'write everything into one file, beside a running service; the file holds secrets',
  args: { '<file>': 'where to, or - for standard output' },
  options: {
    '--verify': 'write nothing: look whether the file is whole',
    '--json': 'print the summary as JSON',
  },
  async run({ withAnyDatabase, clock, out, bar }, options: { verify?: true; json?: true }, file: string) {
    const command = { file, isJson: options.json ?? false };
    const deps = { clock, out, bar, signal: abortOnSignals() };
    if (options.verify) return runVerify({ ...deps, stdin: process.stdin }, command);
    if (file === '-' && process.stdout.isTTY)
      throw new StartError('Standard output is a terminal: name a file');
    return withAnyDatabase((db) => runBackup({ ...deps, db, stdout: process.stdout }, command));
  },
};

export const restoreCommand: Command = {
  name: 'restore',
  help: 'put a backup in the place of what the database holds; the service must not run',
  args: { '<file>': 'the backup, or - for standard input' },
  options: {
    '--replace': 'what the database holds may be lost',
    '--yes': 'do not ask',
    '--json': 'print the summary as JSON',
  },
  run: (
    { withAnyDatabase, clock, out, bar },
    options: { replace?: true; yes?: true; json?: true },
    file: string,
  ) =>
    withAnyDatabase((db, config) =>
      runRestore(
        {
          db,
          clock,
          out,
          bar,
          signal: abortOnSignals(),
          key: openHouseKey(config),
          stdin: process.stdin,
          ask: process.stdin.isTTY && file !== '-' ? askLine : null,
          migrate: () => migrate(db, clock(), { say: out.stderr, preparing: PREPARING }),
        },
        {
          file,
          isReplacing: options.replace ?? false,
          isSure: options.yes ?? false,
          isJson: options.json ?? false,
        },
      ),
    ),
};

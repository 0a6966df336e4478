import { COMMAND_LINE } from '../../domain/accounts/requester.ts';
import type { Command } from '../../engine/command-line/command.ts';
import { runApply } from './apply-command.ts';

export const applyCommand: Command = {
  name: 'apply',
  help: 'bring the database to what a lab file says; never deletes anything',
  args: { '<file>': 'the lab file, or - for standard input' },
  options: {
    '--dry-run': 'only show what would change',
    '--json': 'print the ids of everything in the file as JSON',
  },
  run: ({ withDatabase, out, clock }, options: { dryRun?: true; json?: true }, file: string) =>
    withDatabase((db) =>
      runApply(
        { db, requester: COMMAND_LINE, now: clock() },
        { file, isDryRun: options.dryRun ?? false, isJson: options.json ?? false },
        out,
      ),
    ),
};

import type { Command } from '../../engine/command-line/command.ts';
import type { Config } from '../../platform/config.ts';
import type { Database } from '../../platform/db/database.ts';
import { type MigrateCommand, runMigrate } from './migrate-command.ts';

type BackUpBefore = (
  ...given: [db: Database, config: Config, now: Date, say: (line: string) => void]
) => MigrateCommand['before'];

export const migrateCommand = (backUpBefore: BackUpBefore): Command => ({
  name: 'migrate',
  help: 'bring the schema of the database up to date, as the service does when it starts',
  options: {
    '--dry-run': 'only show what would be applied',
    '--json': 'print what was applied and what is pending as JSON',
    '--no-backup': 'of the embedded database: without a backup before',
  },
  run: ({ withAnyDatabase, out, clock }, options: { dryRun?: true; json?: true; backup: boolean }) =>
    withAnyDatabase((db, config) =>
      runMigrate(
        db,
        {
          isDryRun: options.dryRun ?? false,
          isJson: options.json ?? false,
          before: options.backup ? backUpBefore(db, config, clock(), out.stderr) : null,
        },
        out,
        clock(),
      ),
    ),
});

import { systemClock } from '../../platform/clock.ts';
import type { Environment } from '../../platform/config.ts';
import { migrate } from '../../platform/db/migrate.ts';
import { openDatabase } from '../../platform/db/open-database.ts';
import { openLog } from '../../platform/log.ts';
import { terminal } from '../../platform/terminal.ts';
import { readEnvironment } from '../delivery-settings/read-environment.ts';
import type { CommandLine } from './command.ts';

export function openCommandLine(env: Environment): CommandLine {
  const withAnyDatabase: CommandLine['withAnyDatabase'] = async (work) => {
    const config = readEnvironment(env);
    const db = await openDatabase(config, openLog(config.logLevel));
    try {
      return await work(db, config);
    } finally {
      await db.close();
    }
  };
  return {
    clock: systemClock,
    out: terminal,
    bar: process.stderr.isTTY ? process.stderr : null,
    readConfig: () => readEnvironment(env),
    withAnyDatabase,
    withDatabase: (work) =>
      withAnyDatabase(async (db, config) => {
        await migrate(db, systemClock(), { onlyIfEmpty: true, say: terminal.stderr });
        return work(db, config);
      }),
  };
}

import { systemClock } from '../clock.ts';
import { type Environment, readConfig } from '../config.ts';
import { migrate } from '../db/migrate.ts';
import { openDatabase } from '../db/open-database.ts';
import { openLog } from '../log.ts';
import { terminal } from '../terminal.ts';
import type { CommandLine } from './command.ts';

export function openCommandLine(env: Environment): CommandLine {
  const withAnyDatabase: CommandLine['withAnyDatabase'] = async (work) => {
    const config = readConfig(env);
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
    readConfig: () => readConfig(env),
    withAnyDatabase,
    withDatabase: (work) =>
      withAnyDatabase(async (db, config) => {
        await migrate(db, systemClock(), { onlyIfEmpty: true, say: terminal.stderr });
        return work(db, config);
      }),
  };
}

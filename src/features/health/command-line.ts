import type { Command } from '../../engine/command-line/command.ts';
import { tell } from '../../engine/command-line/tell.ts';
import { openDatabase } from '../../platform/db/open-database.ts';
import { openLog } from '../../platform/log.ts';
import { examine } from './doctor.ts';
import { releaseByHand } from './release-command.ts';

export const doctorCommand: Command = {
  name: 'doctor',
  help: 'check the installation',
  options: { '--json': 'print the report as JSON' },
  async run({ readConfig, clock, out }, options: { json?: true }) {
    const config = readConfig();
    const log = openLog('silent');
    const db = await openDatabase(config, log);
    try {
      const what = { isJson: options.json ?? false, config, nodeVersion: process.version };
      const deps = { db, config, log, clock, clusterDir: db.clusterDir };
      return await examine(deps, what, out, clock());
    } finally {
      await db.close();
    }
  },
};

export const releaseCommand: Command = {
  name: 'release',
  help: 'let work come again that was set aside because it ended the program twice',
  args: { '<item>': 'as health names it, such as "series 17"' },
  run: ({ withDatabase, out }, _options, item: string) =>
    withDatabase((db) => tell(out, releaseByHand(db, item))),
};

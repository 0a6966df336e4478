import type { Command } from '../../../engine/command-line/command.ts';
import { tellWhy } from './why-command.ts';

export const whyCommand: Command = {
  name: 'why',
  help: 'explain why a service is in alarm, or why not',
  args: { '<service_id>': '' },
  options: { '--json': 'print the explanation as JSON' },
  run: ({ withDatabase, out, clock }, options: { json?: true }, service: string) =>
    withDatabase((db) => tellWhy({ db, now: clock() }, { service, isJson: options.json ?? false }, out)),
};

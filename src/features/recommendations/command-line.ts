import type { Command, CommandGroup } from '../../engine/command-line/command.ts';
import { tell } from '../../engine/command-line/tell.ts';
import { completeByHand, failByHand, listPending } from './commands.ts';

const pending: Command = {
  name: 'pending',
  help: 'the requests that wait for an advisor, oldest first',
  options: { '--json': 'print them as JSON' },
  run: ({ withDatabase, out }, options: { json?: true }) =>
    withDatabase((db) => tell(out, listPending(db, { isJson: options.json ?? false }))),
};

const complete: Command = {
  name: 'complete',
  help: 'deliver the result of the pending request of a service',
  options: {
    '--service <id>': { help: 'whose request it is', isRequired: true },
    '--file <file>': { help: 'the result, a JSON object; - for standard input', isRequired: true },
    '--json': 'print the result_id as JSON',
  },
  run: ({ withDatabase, clock, out }, options: { service: string; file: string; json?: true }) =>
    withDatabase((db) => {
      const { service, file, json = false } = options;
      return tell(out, completeByHand(db, { service, file, isJson: json }, clock()));
    }),
};

const fail: Command = {
  name: 'fail',
  help: 'give the pending request of a service up',
  options: {
    '--service <id>': { help: 'whose request it is', isRequired: true },
    '--reason <text>': { help: 'why; people read it', isRequired: true },
  },
  run: ({ withDatabase, clock, out }, options: { service: string; reason: string }) =>
    withDatabase((db) => tell(out, failByHand(db, options, clock()))),
};

export const recommendationsCommands: CommandGroup = {
  name: 'recommendations',
  help: 'the desk of an advisor that is another program',
  commands: [pending, complete, fail],
};

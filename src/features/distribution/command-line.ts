import type { Command } from '../../engine/command-line/command.ts';
import { runDistribute } from './distribute-command.ts';

export const distributeCommand: Command = {
  name: 'distribute',
  help: 'spread the readings over the workers of a Citus, beside a running service',
  options: {
    '--shards <number>': 'into how many parts; without it as many as the server is set to',
    '--json': 'print the workers and their shards as JSON',
  },
  run: ({ withDatabase, out }, options: { shards?: string; json?: true }) =>
    withDatabase((db) =>
      runDistribute(db, { shards: options.shards ?? null, isJson: options.json ?? false }, out),
    ),
};

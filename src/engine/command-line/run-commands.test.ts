import { afterEach, expect, test } from 'vitest';
import type { Command, CommandLine } from './command.ts';
import { runCommands } from './run-commands.ts';

const PROGRAM = { name: 'lab', help: 'A lab', version: '1' };

/** What reached the command from what was typed. */
async function type(command: Omit<Command, 'run'>, ...typed: string[]) {
  const reached: unknown[] = [];
  const record: Command = {
    ...command,
    run: async (_line, options, ...args) => {
      reached.push({ ...options }, ...args);
      return 3;
    },
  };
  const group = { name: 'rack', help: 'racks', commands: [record] };
  await runCommands(PROGRAM, [record, group], {} as CommandLine, typed);
  return reached;
}

afterEach(() => {
  process.exitCode = undefined;
});

test('arguments come in their order, options by their name', async () => {
  const move = {
    name: 'move',
    args: { '<what>': '', '<where>': 'the place' },
    options: { '--dry-run': 'only show', '--days <number>': { help: 'how long', byDefault: '30' } },
  };
  expect(await type(move, 'move', 'freezer', 'cellar', '--dry-run')).toEqual([
    { dryRun: true, days: '30' },
    'freezer',
    'cellar',
  ]);
  expect(await type(move, 'rack', 'move', '--days', '2', 'freezer', 'cellar')).toEqual([
    { days: '2' },
    'freezer',
    'cellar',
  ]);
});

test('what a command answers with is the exit code', async () => {
  await type({ name: 'look' }, 'look');
  expect(process.exitCode).toBe(3);
});

test('a default command runs when nothing is typed', async () => {
  expect(await type({ name: 'serve', isDefault: true, options: { '--no-mail': 'send none' } })).toEqual([
    { mail: true },
  ]);
});

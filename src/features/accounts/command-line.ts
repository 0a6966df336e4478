import type { Command, CommandGroup } from '../../engine/command-line/command.ts';
import { tell } from '../../engine/command-line/tell.ts';
import { StartError } from '../../platform/start-error.ts';
import { askSecret, readAllInput } from '../../platform/terminal.ts';
import {
  acceptByHand,
  activateByHand,
  createAccountByHand,
  deactivateByHand,
  deleteByHand,
  setKeeperByHand,
  setPasswordByHand,
} from './commands.ts';

interface CreateOptions {
  email: string;
  name: string;
  timezone: string;
  language?: string;
  organization?: string;
  role?: string;
  passwordStdin?: true;
  password?: boolean;
}

const PASSWORD_FROM_INPUT = { '--password-stdin': 'read the password from standard input' };

const create: Command = {
  name: 'create',
  options: {
    '--email <email>': { help: 'what the person signs in with', isRequired: true },
    '--name <name>': { help: 'how the person is shown', isRequired: true },
    '--timezone <zone>': { help: 'such as Europe/Berlin', byDefault: 'UTC' },
    '--language <tag>': 'such as de; without it, that of the organization or as the browser asks',
    '--organization <name>': 'made if there is none of that name',
    '--role <role>': 'viewer, operator or administrator in that organization',
    ...PASSWORD_FROM_INPUT,
    '--no-password': 'activate the account later',
  },
  async run({ withDatabase, clock, out }, options: CreateOptions) {
    const password = options.password === false ? null : await readPassword(options.passwordStdin);
    return withDatabase((db) => tell(out, createAccountByHand(db, { ...options, password }, clock())));
  },
};

const setPassword: Command = {
  name: 'set-password',
  help: 'revokes all tokens of the account',
  args: { '<email>': '' },
  options: PASSWORD_FROM_INPUT,
  async run({ withDatabase, clock, out }, options: { passwordStdin?: true }, email: string) {
    const password = await readPassword(options.passwordStdin);
    return withDatabase((db) => tell(out, setPasswordByHand(db, email, password, clock())));
  },
};

const deactivate: Command = {
  name: 'deactivate',
  help: 'no sign-in and no token of the account counts any more',
  args: { '<email>': '' },
  run: ({ withDatabase, clock, out }, _options, email: string) =>
    withDatabase((db) => tell(out, deactivateByHand(db, email, clock()))),
};

const activate: Command = {
  name: 'activate',
  help: 'lets it sign in again, with the password it had',
  args: { '<email>': '' },
  run: ({ withDatabase, clock, out }, _options, email: string) =>
    withDatabase((db) => tell(out, activateByHand(db, email, clock()))),
};

const accept: Command = {
  name: 'accept',
  help: 'accept an invitation for somebody you know to be its owner',
  args: { '<email>': '' },
  options: { '--organization <name>': { help: 'whose invitation it is', isRequired: true } },
  run: ({ withDatabase, clock, out }, { organization }: { organization: string }, email: string) =>
    withDatabase((db) => tell(out, acceptByHand(db, email, organization, clock()))),
};

const keeper: Command = {
  name: 'keeper',
  help: 'make an account keeper of the house: it sets on pages how messages leave',
  args: { '<email>': '' },
  options: { '--remove': 'it is no keeper any more' },
  run: ({ withDatabase, clock, out }, { remove }: { remove?: true }, email: string) =>
    withDatabase((db) => tell(out, setKeeperByHand(db, { email, isKeeper: !remove }, clock()))),
};

const remove: Command = {
  name: 'delete',
  help: 'for good; what the account did stays on record',
  args: { '<email>': '' },
  run: ({ withDatabase, clock, out }, _options, email: string) =>
    withDatabase((db) => tell(out, deleteByHand(db, email, clock()))),
};

export const accountCommands: CommandGroup = {
  name: 'account',
  help: 'create and change accounts',
  commands: [create, setPassword, deactivate, activate, accept, keeper, remove],
};

async function readPassword(isFromInput: true | undefined): Promise<string> {
  if (isFromInput) return (await readAllInput()).replace(/\r?\n$/, '');
  if (!process.stdin.isTTY) throw new StartError('Give the password on standard input with --password-stdin');
  return askSecret('Password: ');
}

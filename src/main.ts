// The one program: reads the configuration, finds the command, and turns its outcome into lines and an exit code.
import { Command } from 'commander';
import type { Result } from './domain/result.ts';
import { COMMAND_LINE } from './engine/audit.ts';
import {
  createAccountByHand,
  deactivateByHand,
  deleteByHand,
  setPasswordByHand,
} from './features/accounts/commands.ts';
import { examine } from './features/health/doctor.ts';
import { runApply } from './features/lab-file/command.ts';
import { tellWhy } from './features/services/why-command.ts';
import { systemClock } from './platform/clock.ts';
import { readConfig } from './platform/config.ts';
import type { Database } from './platform/db/database.ts';
import { migrate } from './platform/db/migrate.ts';
import { openDatabase } from './platform/db/open-database.ts';
import { openLog } from './platform/log.ts';
import { version } from './platform/project-root.ts';
import { StartError } from './platform/start-error.ts';
import { askSecret, readAllInput, terminal } from './platform/terminal.ts';
import { serve } from './serve.ts';

const program = new Command('tocsin')
  .description('Alarm monitoring for laboratory equipment')
  .version(version)
  .showHelpAfterError('(tocsin --help shows every command)');

program
  .command('serve', { isDefault: true })
  .description('run the service')
  .action(async () => {
    const config = readConfig(process.env);
    const log = openLog(config.logLevel);
    const starting = serve({ config, clock: systemClock, log, say: terminal.stdout });
    // A signal that comes during the start is obeyed as soon as there is something to stop.
    stopOnSignals(async () => (await starting).stop());
    await starting;
  });

program
  .command('apply')
  .description('bring the database to what a lab file says; never deletes anything')
  .argument('<file>', 'the lab file, or - for standard input')
  .option('--dry-run', 'only show what would change')
  .option('--json', 'print the ids of everything in the file as JSON')
  .action((file: string, options: { dryRun?: true; json?: true }) =>
    withDatabase((db) =>
      runApply(
        { db, actor: COMMAND_LINE, now: systemClock() },
        { file, isDryRun: options.dryRun ?? false, isJson: options.json ?? false },
        terminal,
      ),
    ),
  );

program
  .command('why')
  .description('explain why a service is in alarm, or why not')
  .argument('<service_id>')
  .option('--json', 'print the explanation as JSON')
  .action((service: string, options: { json?: true }) =>
    withDatabase((db) =>
      tellWhy({ db, now: systemClock() }, { service, isJson: options.json ?? false }, terminal),
    ),
  );

const account = program.command('account').description('create and change accounts');

account
  .command('create')
  .requiredOption('--email <email>', 'what the person signs in with')
  .requiredOption('--name <name>', 'how the person is shown')
  .option('--timezone <zone>', 'such as Europe/Berlin', 'UTC')
  .option('--organization <name>', 'made if there is none of that name')
  .option('--role <role>', 'viewer, operator or administrator in that organization')
  .option('--password-stdin', 'read the password from standard input')
  .option('--no-password', 'activate the account later')
  .action(async (options: AccountOptions) => {
    const password = options.password === false ? null : await readPassword(options.passwordStdin);
    return withDatabase((db) => tell(createAccountByHand(db, { ...options, password }, systemClock())));
  });

account
  .command('set-password')
  .description('revokes all tokens of the account')
  .argument('<email>')
  .option('--password-stdin', 'read the password from standard input')
  .action(async (email: string, options: { passwordStdin?: true }) => {
    const password = await readPassword(options.passwordStdin);
    return withDatabase((db) => tell(setPasswordByHand(db, email, password, systemClock())));
  });

account
  .command('deactivate')
  .description('no sign-in and no token of the account counts any more')
  .argument('<email>')
  .action((email: string) => withDatabase((db) => tell(deactivateByHand(db, email, systemClock()))));

account
  .command('delete')
  .description('for good; what the account did stays on record')
  .argument('<email>')
  .action((email: string) => withDatabase((db) => tell(deleteByHand(db, email, systemClock()))));

program
  .command('doctor')
  .description('check the installation')
  .option('--json', 'print the report as JSON')
  .action(async (options: { json?: true }) => {
    const config = readConfig(process.env);
    const log = openLog('silent');
    const db = await openDatabase(config, log);
    try {
      const what = { isJson: options.json ?? false, config, nodeVersion: process.version };
      process.exitCode = await examine({ db, config, log }, what, terminal, systemClock());
    } finally {
      await db.close();
    }
  });

interface AccountOptions {
  email: string;
  name: string;
  timezone: string;
  organization?: string;
  role?: string;
  passwordStdin?: true;
  password?: boolean;
}

/** For every command but serve: beside a running server or without one, on a schema brought up to date. */
async function withDatabase(work: (db: Database) => Promise<0 | 1>): Promise<void> {
  const config = readConfig(process.env);
  const db = await openDatabase(config, openLog(config.logLevel));
  try {
    await migrate(db, systemClock());
    process.exitCode = await work(db);
  } finally {
    await db.close();
  }
}

async function tell(outcome: Promise<Result<string, string>>): Promise<0 | 1> {
  const result = await outcome;
  if (result.ok) terminal.stdout(result.value);
  else terminal.stderr(result.refusal);
  return result.ok ? 0 : 1;
}

async function readPassword(isFromInput: true | undefined): Promise<string> {
  if (isFromInput) return (await readAllInput()).replace(/\r?\n$/, '');
  if (!process.stdin.isTTY) throw new StartError('Give the password on standard input with --password-stdin');
  return askSecret('Password: ');
}

function stopOnSignals(stop: () => Promise<void>): void {
  let isStopping = false;
  const onSignal = async () => {
    // A second signal does not wait for anybody.
    if (isStopping) process.exit(1);
    isStopping = true;
    terminal.stdout('Stopping…');
    await stop();
    terminal.stdout('Stopped.');
    process.exit(0);
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
}

program.parseAsync().catch((error: Error) => {
  terminal.stderr(error instanceof StartError ? error.message : (error.stack ?? error.message));
  process.exitCode = 1;
});

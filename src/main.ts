// The one program: reads the configuration, finds the command, and turns its outcome into lines and an exit code.

import { Command } from 'commander';
import { COMMAND_LINE } from './domain/accounts/requester.ts';
import { ok, type Result, refuse } from './domain/result.ts';
import { type ProgramConfig, readEnvironment } from './engine/delivery-settings/read-environment.ts';
import { PREPARING } from './engine/program/prepare-migrations.ts';
import { PROGRAM_ROLES, type ProgramRole } from './engine/self-watch/programs.ts';
import {
  acceptByHand,
  activateByHand,
  createAccountByHand,
  deactivateByHand,
  deleteByHand,
  setKeeperByHand,
  setPasswordByHand,
} from './features/accounts/commands.ts';
import { runBackup, runVerify } from './features/backup/backup-command.ts';
import { backUpBeforeMigrating } from './features/backup/before-migrating.ts';
import { runRestore } from './features/backup/restore-command.ts';
import { runDistribute } from './features/distribution/distribute-command.ts';
import { examine } from './features/health/doctor.ts';
import { releaseByHand } from './features/health/release-command.ts';
import { applyLabFile } from './features/lab-file/apply-lab-file.ts';
import { runApply } from './features/lab-file/command.ts';
import { runMigrate } from './features/migrations/migrate-command.ts';
import { completeByHand, failByHand, listPending } from './features/recommendations/commands.ts';
import { runExport } from './features/services/export/export-command.ts';
import { tellWhy } from './features/services/why/why-command.ts';
import {
  printLab,
  readSimulateOptions,
  runSimulate,
  type SimulateOptions,
} from './features/simulation/simulate-command.ts';
import { runImport } from './features/telemetry/import-command.ts';
import { openHouseKey } from './platform/auth/house-key.ts';
import { systemClock } from './platform/clock.ts';
import type { Database } from './platform/db/database.ts';
import { explainFailure } from './platform/db/explain-failure.ts';
import { migrate } from './platform/db/migrate.ts';
import { openDatabase } from './platform/db/open-database.ts';
import { openLog } from './platform/log.ts';
import { openStandardError } from './platform/log-output.ts';
import { openHand } from './platform/process/in-hand.ts';
import { findParent, type Parent } from './platform/process/own-parent.ts';
import { watchStandstill } from './platform/process/watch-standstill.ts';
import { version } from './platform/project-root.ts';
import { StartError } from './platform/start-error.ts';
import { askLine, askSecret, readAllInput, terminal } from './platform/terminal.ts';
import { serve } from './serve.ts';

const program = new Command('tocsin')
  .description('Alarm monitoring for laboratory equipment')
  .version(version)
  .showHelpAfterError('(tocsin --help shows every command)');

program
  .command('serve', { isDefault: true })
  .description('run the service')
  .option('--roles <list>', 'the part of the work this program does', PROGRAM_ROLES.join(','))
  .option('--demo', 'fill an empty database with a believable lab and keep it alive; sends no real mail')
  .action(async (options: { roles: string; demo?: true }) => {
    const roles = readRoles(options.roles);
    const isDemo = options.demo ?? false;
    const config = { ...readEnvironment(process.env), ...(isDemo && { smtp: null }) };
    const logOutput = openStandardError();
    const log = openLog(config.logLevel, logOutput);
    const say = terminal.stdout;
    const parent = config.restart === 'parent' && process.connected ? findParent() : null;
    if (parent) openHand(parent.wordsFd);
    watchStandstill({ isLogged: config.logLevel !== 'silent', wordsFd: parent?.wordsFd ?? null });
    const starting = serve({ config, clock: systemClock, log, logOutput, roles, isDemo, say, parent });
    // A signal that comes during the start is obeyed as soon as there is something to stop.
    stopOnSignals(async () => {
      await (await starting).stop();
      await logOutput.flush();
    }, parent);
    await starting;
    parent?.sayUp();
  });

program
  .command('migrate')
  .description('bring the schema of the database up to date, as the service does when it starts')
  .option('--dry-run', 'only show what would be applied')
  .option('--json', 'print what was applied and what is pending as JSON')
  .option('--no-backup', 'of the embedded database: without a backup before')
  .action((options: { dryRun?: true; json?: true; backup: boolean }) =>
    withAnyDatabase((db, config) =>
      runMigrate(
        db,
        {
          isDryRun: options.dryRun ?? false,
          isJson: options.json ?? false,
          before: options.backup ? backUpBeforeMigrating(db, config, systemClock(), terminal.stderr) : null,
        },
        terminal,
        systemClock(),
      ),
    ),
  );

program
  .command('distribute')
  .description('spread the readings over the workers of a Citus, beside a running service')
  .option('--shards <number>', 'into how many parts; without it as many as the server is set to')
  .option('--json', 'print the workers and their shards as JSON')
  .action((options: { shards?: string; json?: true }) =>
    withDatabase((db) =>
      runDistribute(db, { shards: options.shards ?? null, isJson: options.json ?? false }, terminal),
    ),
  );

program
  .command('apply')
  .description('bring the database to what a lab file says; never deletes anything')
  .argument('<file>', 'the lab file, or - for standard input')
  .option('--dry-run', 'only show what would change')
  .option('--json', 'print the ids of everything in the file as JSON')
  .action((file: string, options: { dryRun?: true; json?: true }) =>
    withDatabase((db) =>
      runApply(
        { db, requester: COMMAND_LINE, now: systemClock() },
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

program
  .command('import')
  .description('take in the readings of a CSV file; goes on where it was interrupted')
  .argument('<file>', 'time,device,channel,value or time,device,<channel>…; - for standard input')
  .option('--organization <name>', 'whose readings they are; needed if there are several')
  .option('--device <key>', 'for files without a device column')
  .option('--service <id>', 'the same, by the id of the service')
  .option('--refused <file>', 'write all refused lines and their reasons there')
  .option('--restart', 'begin anew instead of continuing')
  .option('--json', 'print the summary as JSON')
  .action((file: string, options: ImportOptions) =>
    withDatabase((db, { retentionDays }) =>
      runImport(
        {
          db,
          clock: systemClock,
          retentionDays,
          out: terminal,
          bar: process.stderr.isTTY ? process.stderr : null,
          stdin: process.stdin,
          signal: abortOnSignals(),
        },
        {
          file,
          organization: options.organization ?? null,
          device: options.device ?? null,
          service: options.service ?? null,
          refusedFile: options.refused ?? null,
          isRestart: options.restart ?? false,
          isJson: options.json ?? false,
        },
      ),
    ),
  );

program
  .command('export')
  .description('write stored readings into a file, beside a running service')
  .argument('<file>', 'where to, or - for standard output')
  .option('--organization <name>', 'whose readings; needed if there are several and no --service is given')
  .option('--service <id>', 'only of this service')
  .option('--channel <name>', 'only of channels of this name')
  .option('--from <time>', 'such as 2026-11-15 or 2026-11-15T02:00, UTC unless it says otherwise')
  .option('--to <time>', 'up to then, without it')
  .option('--format <format>', 'csv or parquet; without it as the name of the file ends, else csv')
  .option('--json', 'print the summary as JSON')
  .action((file: string, options: ExportOptions) =>
    withDatabase((db) =>
      runExport(
        { ...commandDeps(), db, stdout: process.stdout },
        {
          file,
          format: options.format ?? null,
          organization: options.organization ?? null,
          service: options.service ?? null,
          channel: options.channel ?? null,
          from: options.from ?? null,
          to: options.to ?? null,
          isJson: options.json ?? false,
        },
      ),
    ),
  );

program
  .command('simulate')
  .description('a believable lab to try things out with, one unit failing and one sensor dead')
  .option('--days <number>', 'history to fill in', '30')
  .option('--live', 'go on with live readings until stopped')
  .option('--interval <seconds>', 'between live readings', '60')
  .option('--services <number>', 'how many units', '12')
  .option('--organization <name>', 'made if there is none of that name', 'Simulated lab')
  .option('--seed <number>', 'another number, another lab', '1')
  .option('--url <url>', 'send over HTTP to a running server, as a gateway does')
  .option('--secret <secret>', 'of the source at that server')
  .option('--print-lab', 'only print the lab file of the simulated lab')
  .option('--json', 'print the counts as JSON')
  .action(async (options: SimulateOptions) => {
    const command = readSimulateOptions(options);
    if (!command.ok) throw new StartError(command.refusal);
    if (options.printLab) {
      terminal.stdout(printLab(command.value, options.secret ?? null, systemClock()));
      return;
    }
    const deps = { clock: systemClock, out: terminal, signal: abortOnSignals() };
    if (command.value.server) process.exitCode = await runSimulate(deps, command.value, null);
    else
      await withDatabase((db, { retentionDays }) =>
        runSimulate(deps, command.value, { db, retentionDays, applyLab: (text) => applyLab(db, text) }),
      );
  });

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
  .command('activate')
  .description('lets it sign in again, with the password it had')
  .argument('<email>')
  .action((email: string) => withDatabase((db) => tell(activateByHand(db, email, systemClock()))));

account
  .command('accept')
  .description('accept an invitation for somebody you know to be its owner')
  .argument('<email>')
  .requiredOption('--organization <name>', 'whose invitation it is')
  .action((email: string, { organization }: { organization: string }) =>
    withDatabase((db) => tell(acceptByHand(db, email, organization, systemClock()))),
  );

account
  .command('keeper')
  .description('make an account keeper of the house: it sets on pages how messages leave')
  .argument('<email>')
  .option('--remove', 'it is no keeper any more')
  .action((email: string, { remove }: { remove?: true }) =>
    withDatabase((db) => tell(setKeeperByHand(db, { email, isKeeper: !remove }, systemClock()))),
  );

account
  .command('delete')
  .description('for good; what the account did stays on record')
  .argument('<email>')
  .action((email: string) => withDatabase((db) => tell(deleteByHand(db, email, systemClock()))));

const recommendations = program
  .command('recommendations')
  .description('the desk of an advisor that is another program');

recommendations
  .command('pending')
  .description('the requests that wait for an advisor, oldest first')
  .option('--json', 'print them as JSON')
  .action((options: { json?: true }) =>
    withDatabase((db) => tell(listPending(db, { isJson: options.json ?? false }))),
  );

recommendations
  .command('complete')
  .description('deliver the result of the pending request of a service')
  .requiredOption('--service <id>', 'whose request it is')
  .requiredOption('--file <file>', 'the result, a JSON object; - for standard input')
  .option('--json', 'print the result_id as JSON')
  .action(({ service, file, json }: { service: string; file: string; json?: true }) =>
    withDatabase((db) => tell(completeByHand(db, { service, file, isJson: json ?? false }, systemClock()))),
  );

recommendations
  .command('fail')
  .description('give the pending request of a service up')
  .requiredOption('--service <id>', 'whose request it is')
  .requiredOption('--reason <text>', 'why; people read it')
  .action((options: { service: string; reason: string }) =>
    withDatabase((db) => tell(failByHand(db, options, systemClock()))),
  );

program
  .command('doctor')
  .description('check the installation')
  .option('--json', 'print the report as JSON')
  .action(async (options: { json?: true }) => {
    const config = readEnvironment(process.env);
    const log = openLog('silent');
    const db = await openDatabase(config, log);
    try {
      const what = { isJson: options.json ?? false, config, nodeVersion: process.version };
      const deps = { db, config, log, clock: systemClock, clusterDir: db.clusterDir };
      process.exitCode = await examine(deps, what, terminal, systemClock());
    } finally {
      await db.close();
    }
  });

program
  .command('release')
  .description('let work come again that was set aside because it ended the program twice')
  .argument('<item>', 'as health names it, such as "series 17"')
  .action((item: string) => withDatabase((db) => tell(releaseByHand(db, item))));

program
  .command('backup')
  .description('write everything into one file, beside a running service; the file holds secrets')
  .argument('<file>', 'where to, or - for standard output')
  .option('--verify', 'write nothing: look whether the file is whole')
  .option('--json', 'print the summary as JSON')
  .action(async (file: string, options: { verify?: true; json?: true }) => {
    const command = { file, isJson: options.json ?? false };
    const deps = commandDeps();
    if (options.verify) {
      process.exitCode = await runVerify({ ...deps, stdin: process.stdin }, command);
      return;
    }
    if (file === '-' && process.stdout.isTTY)
      throw new StartError('Standard output is a terminal: name a file');
    await withAnyDatabase((db) => runBackup({ ...deps, db, stdout: process.stdout }, command));
  });

program
  .command('restore')
  .description('put a backup in the place of what the database holds; the service must not run')
  .argument('<file>', 'the backup, or - for standard input')
  .option('--replace', 'what the database holds may be lost')
  .option('--yes', 'do not ask')
  .option('--json', 'print the summary as JSON')
  .action((file: string, options: { replace?: true; yes?: true; json?: true }) =>
    withAnyDatabase((db, config) =>
      runRestore(
        {
          ...commandDeps(),
          db,
          key: openHouseKey(config),
          stdin: process.stdin,
          ask: process.stdin.isTTY && file !== '-' ? askLine : null,
          migrate: () => migrate(db, systemClock(), { say: terminal.stderr, preparing: PREPARING }),
        },
        {
          file,
          isReplacing: options.replace ?? false,
          isSure: options.yes ?? false,
          isJson: options.json ?? false,
        },
      ),
    ),
  );

interface ImportOptions {
  organization?: string;
  device?: string;
  service?: string;
  refused?: string;
  restart?: true;
  json?: true;
}

interface ExportOptions {
  organization?: string;
  service?: string;
  channel?: string;
  from?: string;
  to?: string;
  format?: string;
  json?: true;
}

interface AccountOptions {
  email: string;
  name: string;
  timezone: string;
  organization?: string;
  role?: string;
  passwordStdin?: true;
  password?: boolean;
}

/** For every command but serve: beside a running server or without one. An empty database is set up by whoever comes first. */
const withDatabase = (work: (db: Database, config: ProgramConfig) => Promise<number>): Promise<void> =>
  withAnyDatabase(async (db, config) => {
    await migrate(db, systemClock(), { onlyIfEmpty: true, say: terminal.stderr });
    return work(db, config);
  });

/** Whatever is in it. */
async function withAnyDatabase(
  work: (db: Database, config: ProgramConfig) => Promise<number>,
): Promise<void> {
  const config = readEnvironment(process.env);
  const db = await openDatabase(config, openLog(config.logLevel));
  try {
    process.exitCode = await work(db, config);
  } finally {
    await db.close();
  }
}

const commandDeps = () => ({
  clock: systemClock,
  out: terminal,
  bar: process.stderr.isTTY ? process.stderr : null,
  signal: abortOnSignals(),
});

async function applyLab(db: Database, text: string): Promise<Result<Record<string, number>, string>> {
  const input = { text, fileName: 'simulated lab', isDryRun: false };
  const applied = await applyLabFile(db, COMMAND_LINE, input, systemClock());
  if (applied.ok) return ok(applied.value.ids.organizations);
  return refuse(applied.refusal.map(({ path, message }) => `${path}: ${message}`).join('\n'));
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

function readRoles(list: string): ProgramRole[] {
  return list.split(',').map((name) => {
    const role = PROGRAM_ROLES.find((known) => known === name.trim());
    if (!role) throw new StartError(`Unknown role "${name}" in --roles: ${PROGRAM_ROLES.join(', ')}`);
    return role;
  });
}

/** A terminal says it to the program, its parent and npm, and each of them passes it on: within a second it is one word. */
const ONE_WORD_MS = 1_000;

function obey({ first, second }: { first: () => void; second: () => void }): () => void {
  let firstAt: number | null = null;
  return () => {
    const isAgain = firstAt !== null && performance.now() - firstAt > ONE_WORD_MS;
    if (isAgain) return second();
    if (firstAt !== null) return;
    firstAt = performance.now();
    first();
  };
}

/** For commands that finish what is under way; a second signal does not wait for it. */
function abortOnSignals(): AbortSignal {
  const controller = new AbortController();
  const onSignal = obey({ first: () => controller.abort(), second: () => process.exit(130) });
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return controller.signal;
}

function stopOnSignals(stop: () => Promise<void>, parent: Parent | null): void {
  let isStopping = false;
  const begin = async () => {
    if (isStopping) return;
    isStopping = true;
    terminal.stdout('Stopping…');
    await stop();
    terminal.stdout('Stopped.');
    process.exit(0);
  };
  // A second word does not wait for anybody.
  const onSignal = obey({ first: () => void begin(), second: () => process.exit(1) });
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  parent?.onStop(onSignal);
  // Nobody would begin it again, or could stop it.
  parent?.onGone(() => void begin());
}

program.parseAsync().catch((error: Error) => {
  terminal.stderr(explainFailure(error));
  process.exitCode = 1;
});

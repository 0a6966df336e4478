// What `tocsin serve` is at first: a small program that begins the real one, and begins it again when it dies or stands
// still. It opens no database and no port, so that there is little that could end it.
import { readConfig } from '../config.ts';
import { openLog } from '../log.ts';
import { openStandardError } from '../log-output.ts';
import { StartError } from '../start-error.ts';
import { keepRunning } from './keep-running.ts';
import { tellWatchdog } from './tell-watchdog.ts';

function run(): void {
  const { logLevel, watchdogMs } = readConfig(process.env);
  const output = openStandardError();
  const log = openLog(logLevel, output);
  const kept = keepRunning(
    {
      command: process.execPath,
      args: [...process.execArgv, ...process.argv.slice(1)],
      env: { ...process.env, TOCSIN_RESTART: 'parent' },
    },
    { log, exit: (code) => void output.flush().then(() => process.exit(code)) },
  );
  process.on('SIGINT', kept.stop);
  process.on('SIGTERM', kept.stop);
  if (watchdogMs !== null) tellWatchdog(watchdogMs, kept.hasBeaten, log);
}

try {
  run();
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

import { type Logger, pino } from 'pino';
import { type LogOutput, openStandardError } from './log-output.ts';

export type Log = Logger;

/** One JSON line per event, to standard error: standard output belongs to the answers of commands. */
export function openLog(level: string, output: LogOutput = openStandardError()): Log {
  const log = pino({ level, base: null }, output);
  output.onCaughtUp((lines) =>
    log.warn({ lines }, 'log lines were dropped: they could not be written in time'),
  );
  return log;
}

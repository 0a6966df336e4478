import { destination, type Logger, pino } from 'pino';

export type Log = Logger;

/** One JSON line per event, to standard error: standard output belongs to the answers of commands. */
export const openLog = (level: string): Log =>
  pino({ level, base: null }, destination({ fd: 2, sync: true }));

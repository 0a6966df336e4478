// systemd's watchdog hears of the program from its parent: for as long as it beats. Node has no sockets of the kind that
// systemd listens on, so its own little program tells it.
import { execFile } from 'node:child_process';
import type { Log } from '../log.ts';

/** Three times in the time that is given: one that comes late costs nothing. */
const TIMES = 3;

export function tellWatchdog(watchdogMs: number, hasBeaten: () => boolean, log: Log): void {
  let isLost = false;
  setInterval(() => {
    if (!hasBeaten()) return;
    execFile('systemd-notify', ['WATCHDOG=1'], (error) => {
      if (error && !isLost) log.warn({ err: error }, 'the watchdog of systemd could not be told');
      isLost = error !== null;
    });
  }, watchdogMs / TIMES);
}

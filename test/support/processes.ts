// Processes that are started, stood still and killed by their ids, with everything they started themselves.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readdirSync, readFileSync } from 'node:fs';

export interface Started {
  pid: number;
  /** Once it ended. */
  ended: Promise<unknown>;
  isRunning(): boolean;
}

interface How {
  env: Record<string, string>;
  cwd: string;
  /** A file that gets everything it says. */
  log: string;
  uid?: number;
  gid?: number;
}

export function startProcess(command: string, args: string[], { log, env, ...how }: How): Started {
  const output = openSync(log, 'a');
  const child: ChildProcess = spawn(command, args, {
    ...how,
    env: { PATH: process.env.PATH ?? '', LC_ALL: 'C.UTF-8', ...env },
    stdio: ['ignore', output, output],
  });
  const ended = once(child, 'exit').catch(() => {});
  return {
    pid: child.pid ?? 0,
    ended,
    isRunning: () => child.exitCode === null && child.signalCode === null,
  };
}

/** The process and all that came of it. */
export function familyOf(pid: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry)))
    try {
      // The name of a program may contain anything, a parenthesis too.
      const [, parent] = readFileSync(`/proc/${name}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ');
      parents.set(Number(name), Number(parent));
    } catch {
      // Gone since.
    }
  const family = parents.has(pid) ? [pid] : [];
  for (const member of family)
    for (const [child, parent] of parents) if (parent === member) family.push(child);
  return family;
}

export function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids)
    try {
      process.kill(pid, name);
    } catch {
      // Gone since.
    }
}

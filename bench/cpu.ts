import { readdirSync, readFileSync } from 'node:fs';

/** The unit in which Linux tells times of processes. */
const TICKS_PER_SECOND = 100;

interface Times {
  parent: number;
  own: number;
  /** Of children that have ended. */
  inherited: number;
}

function readTimes(pid: number | string): Times | null {
  try {
    // The name of the program, in brackets, may hold anything.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
      .map(Number);
    const [, parent = 0, ...rest] = fields;
    const [own = 0, system = 0, children = 0, childrenSystem = 0] = rest.slice(9);
    return {
      parent,
      own: (own + system) / TICKS_PER_SECOND,
      inherited: (children + childrenSystem) / TICKS_PER_SECOND,
    };
  } catch {
    // It has just ended.
    return null;
  }
}

/** Seconds of processor time that a program has used. */
export const cpuOfProgram = (pid: number): number => readTimes(pid)?.own ?? Number.NaN;

/** The same of all that it has started and that has ended. */
export const cpuOfEnded = (pid: number): number => readTimes(pid)?.inherited ?? Number.NaN;

/** The same of a database: its first process and all that it has started. */
export function cpuOfDatabase(pid: number): number {
  const first = readTimes(pid);
  if (!first) return Number.NaN;
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(readTimes)
    .filter((times) => times?.parent === pid);
  return children.reduce((sum, times) => sum + (times?.own ?? 0), first.own + first.inherited);
}

// Whatever takes several steps is built under a name of its own and renamed when complete.
import { randomBytes } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from './embedded-database-error.ts';

const UNFINISHED = /\.new-(\d+)-[0-9a-f]{12}/;

export function unfinishedName(path: string): string {
  return `${path}.new-${process.pid}-${randomBytes(6).toString('hex')}`;
}

export function isUnfinished(name: string): boolean {
  return UNFINISHED.test(name);
}

/** Removes what programs that died half way have left in `folder`. */
export async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const pid = Number(UNFINISHED.exec(name)?.[1] ?? 0);
    if (pid === 0) continue;
    const path = join(folder, name);
    const isInUse = pid === process.pid ? await isOfThisRun(path) : isAlive(pid);
    // The child of a program that was killed may still be writing there.
    if (!isInUse) await rm(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

/** In a container every run of the program may have the same pid. */
async function isOfThisRun(path: string): Promise<boolean> {
  const startedAt = Date.now() - process.uptime() * 1000;
  const entry = await stat(path).catch(() => undefined);
  return entry !== undefined && entry.mtimeMs >= startedAt;
}

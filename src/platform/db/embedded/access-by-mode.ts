// Whether another user may use a path. Only the mode bits can tell: the process itself is root and may go everywhere.
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ServerAccount } from './server-account.ts';

const ENTER = 1;
export const READ = 4;
export const READ_AND_ENTER = 5;

/** The first folder on the way to `path`, itself included, that the account cannot enter. */
export async function findClosedFolder(path: string, account: ServerAccount): Promise<string | undefined> {
  const parent = dirname(path);
  if (parent !== path) {
    const closed = await findClosedFolder(parent, account);
    if (closed) return closed;
  }
  return (await isAllowed(path, account, ENTER)) ? undefined : path;
}

export async function isAllowed(path: string, account: ServerAccount, wanted: number): Promise<boolean> {
  const { uid, gid, mode } = await stat(path);
  const shift = uid === account.uid ? 6 : gid === account.gid ? 3 : 0;
  return ((mode >> shift) & wanted) === wanted;
}

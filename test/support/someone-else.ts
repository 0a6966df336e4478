// Run by root, a test lets somebody else do what root would be allowed to do anyway.
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findClosedFolder } from '../../src/platform/db/embedded/access-by-mode.ts';

export const isRoot = process.getuid?.() === 0;
export const NOBODY = { name: 'nobody', uid: 65534, gid: 65534 };
export const someoneElse: { uid?: number; gid?: number } = isRoot ? { uid: NOBODY.uid, gid: NOBODY.gid } : {};

export async function isOpenToNobody(path: string): Promise<boolean> {
  return !isRoot || (await findClosedFolder(path, NOBODY)) === undefined;
}

/** Node, where everybody can reach it: here, or a copy in the folder. */
export async function nodeForEverybody(folder: string): Promise<string> {
  if (await isOpenToNobody(process.execPath)) return process.execPath;
  const copy = join(folder, 'node');
  await copyFile(process.execPath, copy);
  return copy;
}

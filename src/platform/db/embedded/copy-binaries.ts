import { constants } from 'node:fs';
import { chmod, copyFile, mkdir, readdir, readlink, rename, rm, stat, symlink } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { flushToDisk } from '../../flush-to-disk.ts';
import { unfinishedName } from './leftovers.ts';

/** Copies the package's binaries to `target`, which appears only when it is whole. */
export async function copyBinaries(
  packageDir: string,
  target: string,
  complete: (packageDir: string) => Promise<void>,
): Promise<void> {
  const unfinished = unfinishedName(target);
  try {
    await makeOpenFolder(unfinished);
    await copyFolder(join(packageDir, 'native'), join(unfinished, 'native'));
    await complete(unfinished);
    await rename(unfinished, target).catch(async (error) => {
      // Another program was first with the same copy.
      await stat(target).catch(() => {
        throw error;
      });
    });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

async function copyFolder(from: string, to: string): Promise<void> {
  await makeOpenFolder(to);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    const target = join(to, entry.name);
    if (entry.isDirectory()) await copyFolder(source, target);
    else if (entry.isSymbolicLink()) await symlink(await readlink(source), target);
    else if (extname(entry.name) !== '.a') {
      await copyFile(source, target, constants.COPYFILE_FICLONE);
      await chmod(target, 0o755);
      await flushToDisk(target);
    }
  }
}

/** Open to the server's user, whatever umask the program runs under. */
async function makeOpenFolder(path: string): Promise<void> {
  await mkdir(path);
  await chmod(path, 0o755);
}

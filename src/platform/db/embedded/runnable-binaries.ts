// Where npm ran no install scripts, what they would have made is made in a copy: nothing is ever written to node_modules.
import { constants } from 'node:fs';
import { access, readdir, readFile, rm, stat, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { findClosedFolder, isAllowed, READ, READ_AND_ENTER } from './access-by-mode.ts';
import { copyBinaries } from './copy-binaries.ts';
import { isUnfinished } from './leftovers.ts';
import type { PlatformPackage } from './platform-package.ts';
import type { ServerAccount } from './server-account.ts';
import type { ClusterPlace } from './settle-place.ts';

/** Returns the folder with `initdb` and `postgres`, ready to be run by the server's user. */
export async function makeBinariesRunnable(source: PlatformPackage, place: ClusterPlace): Promise<string> {
  if (await isUsable(source.dir, place.account)) return binFolder(source.dir);
  const copy = join(place.home, `binaries-${source.version}`);
  if (!(await exists(copy))) {
    await copyBinaries(source.dir, copy, makeLinks);
    await removeOlderCopies(place.home, copy);
  }
  return binFolder(copy);
}

/** Binaries are prepared only while no server runs, so that nobody uses those of an earlier version. */
async function removeOlderCopies(home: string, current: string): Promise<void> {
  for (const name of await readdir(home)) {
    const path = join(home, name);
    if (name.startsWith('binaries-') && !isUnfinished(name) && path !== current) {
      await rm(path, { recursive: true, force: true });
    }
  }
}

async function isUsable(packageDir: string, account: ServerAccount | undefined): Promise<boolean> {
  if (!(await isComplete(packageDir))) return false;
  return account ? canRun(packageDir, account) : true;
}

async function isComplete(packageDir: string): Promise<boolean> {
  for (const { target } of await readSymlinks(packageDir)) {
    if (!(await exists(join(packageDir, target)))) return false;
  }
  for (const name of await readdir(binFolder(packageDir))) {
    const program = join(binFolder(packageDir), name);
    const isRunnable = await access(program, constants.R_OK | constants.X_OK).then(
      () => true,
      () => false,
    );
    if (!isRunnable) return false;
  }
  return true;
}

/** Copies come with their execute bits. */
async function makeLinks(packageDir: string): Promise<void> {
  for (const { source, target } of await readSymlinks(packageDir)) {
    const path = join(packageDir, target);
    if (!(await exists(path))) await symlink(basename(source), path);
  }
}

/** Source and target of a link stand in the same folder, as the package's own script assumes too. */
async function readSymlinks(packageDir: string): Promise<{ source: string; target: string }[]> {
  const text = await readFile(join(packageDir, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links = JSON.parse(text) as { source: string; target: string }[];
  return links.filter(({ source, target }) => dirname(source) === dirname(target));
}

async function canRun(packageDir: string, account: ServerAccount): Promise<boolean> {
  const native = join(packageDir, 'native');
  for (const folder of ['bin', 'lib', join('lib', 'postgresql'), join('share', 'postgresql')]) {
    const path = join(native, folder);
    if (await findClosedFolder(path, account)) return false;
    for (const name of await readdir(path)) {
      const wanted = folder === 'bin' ? READ_AND_ENTER : READ;
      if (!(await isAllowed(join(path, name), account, wanted))) return false;
    }
  }
  return true;
}

function binFolder(packageDir: string): string {
  return join(packageDir, 'native', 'bin');
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

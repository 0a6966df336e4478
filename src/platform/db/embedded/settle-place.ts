// Decides where the cluster lives and which user runs it.
import { createHash } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, realpath, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findClosedFolder } from './access-by-mode.ts';
import { EmbeddedDatabaseError, errorCode } from './embedded-database-error.ts';
import { unfinishedName } from './leftovers.ts';
import { accountOfOwner, chooseServerAccount, isRoot, type ServerAccount } from './server-account.ts';

const SHARED_HOME = '/var/lib/tocsin';

export interface ClusterPlace {
  dataDir: string;
  /** Holds the cluster and, where needed, a copy of the binaries: the data folder, or one that the server's user can enter. */
  home: string;
  cluster: string;
  log: string;
  /** Undefined: the server runs under the same user as the program. */
  account: ServerAccount | undefined;
  /** The data folder already says that its cluster is here. */
  isSettled: boolean;
}

export async function settlePlace(wantedDir: string): Promise<ClusterPlace> {
  const dataDir = await openDataFolder(wantedDir);
  const named = await readLocation(dataDir);
  if (named) {
    if (await exists(join(named, 'postgres'))) return settledPlace(dataDir, named);
    throw new EmbeddedDatabaseError(
      `${locationFile(dataDir)} says that the database is in ${named}, but it is not there: ` +
        'bring it back, or delete that file to begin with an empty database.',
    );
  }
  if (await exists(join(dataDir, 'postgres'))) return settledPlace(dataDir, dataDir);
  if (!isRoot()) return placeAt(dataDir, dataDir, undefined, false);

  const account = await chooseServerAccount();
  if (await canReach(dataDir, account)) return placeAt(dataDir, dataDir, account, false);
  const home = join(SHARED_HOME, createHash('sha256').update(dataDir).digest('hex').slice(0, 16));
  for (const folder of [SHARED_HOME, home]) {
    await mkdir(folder, { recursive: true });
    await chmod(folder, 0o755);
  }
  const earlier = await stat(join(home, 'postgres')).catch(() => undefined);
  return placeAt(dataDir, home, earlier ? await accountOfOwner(earlier) : account, false);
}

/** An empty data folder is ours to open a little; what else a closed folder may hold is nobody's business. */
async function canReach(dataDir: string, account: ServerAccount): Promise<boolean> {
  const closed = await findClosedFolder(dataDir, account);
  if (closed === dataDir && (await readdir(dataDir)).length === 0) {
    await chmod(dataDir, (await stat(dataDir)).mode | 0o011);
  }
  // Asked again in any case: another program may have opened it, and put its first file there, since the first look.
  return (await findClosedFolder(dataDir, account)) === undefined;
}

/** Written once the cluster is complete: a place that is named is a place that holds data. */
export async function recordLocation(place: ClusterPlace): Promise<void> {
  if (place.home === place.dataDir || (await readLocation(place.dataDir))) return;
  const file = locationFile(place.dataDir);
  const unfinished = unfinishedName(file);
  await writeFile(unfinished, `${place.home}\n`, { mode: 0o644, flush: true });
  await rename(unfinished, file);
}

async function settledPlace(dataDir: string, home: string): Promise<ClusterPlace> {
  const cluster = join(home, 'postgres');
  const owner = await stat(cluster);
  const account = await accountOfOwner(owner);
  if (process.getuid === undefined || (!isRoot() && owner.uid === process.getuid())) {
    return placeAt(dataDir, home, undefined, true);
  }
  if (!isRoot()) {
    throw new EmbeddedDatabaseError(
      `The database in ${cluster} belongs to the user ${account.name}: ` +
        `run this as ${account.name} or root, or choose another folder with TOCSIN_DATA.`,
    );
  }
  if (owner.uid === 0) {
    const { name } = await chooseServerAccount();
    throw new EmbeddedDatabaseError(
      `The database in ${cluster} belongs to root, and PostgreSQL does not run as root: chown -R ${name} ${cluster}`,
    );
  }
  const closed = await findClosedFolder(cluster, account);
  if (closed) {
    throw new EmbeddedDatabaseError(
      `The database in ${cluster} runs as the user ${account.name}, who cannot enter ${closed}: chmod o+x ${closed}`,
    );
  }
  return placeAt(dataDir, home, account, true);
}

function placeAt(
  dataDir: string,
  home: string,
  account: ServerAccount | undefined,
  isSettled: boolean,
): ClusterPlace {
  return {
    dataDir,
    home,
    cluster: join(home, 'postgres'),
    log: join(dataDir, 'postgres.log'),
    account,
    isSettled,
  };
}

async function openDataFolder(wantedDir: string): Promise<string> {
  const isNew = (await mkdir(wantedDir, { recursive: true })) !== undefined;
  // Root's folder must let the server's user through to its cluster, and show it nothing else.
  if (isNew) await chmod(wantedDir, isRoot() ? 0o711 : 0o700);
  return realpath(wantedDir);
}

function locationFile(dataDir: string): string {
  return join(dataDir, 'postgres.location');
}

async function readLocation(dataDir: string): Promise<string | undefined> {
  try {
    return (await readFile(locationFile(dataDir), 'utf8')).trim() || undefined;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}

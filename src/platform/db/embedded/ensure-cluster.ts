import { readFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createCluster, FINGERPRINT_FILE } from './create-cluster.ts';
import { EmbeddedDatabaseError } from './embedded-database-error.ts';
import { removeLeftovers } from './leftovers.ts';
import { fingerprint } from './password-file.ts';
import { recordLocation } from './settle-place.ts';
import type { Station } from './station.ts';
import { stopServer } from './stop-server.ts';

/** Sees to it that the cluster of this data folder is in its place. */
export async function ensureCluster(station: Station): Promise<void> {
  const { place, password, say } = station;
  for (const folder of new Set([place.dataDir, place.home])) await removeLeftovers(folder);
  if ((await isPresent(place.cluster)) && !(await isOfThisFolder(station))) await setAside(station);
  if (!(await isPresent(place.cluster))) {
    say(`Creating the embedded database in ${place.cluster}`);
    await createCluster(place, await station.binaries(), password);
  }
  await recordLocation(place);
}

async function isPresent(cluster: string): Promise<boolean> {
  const found = await stat(cluster).catch(() => undefined);
  if (!found) return false;
  const version = await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(() => undefined);
  if (version === undefined) {
    throw new EmbeddedDatabaseError(`${cluster} is not a PostgreSQL cluster: move it away, or restore it.`);
  }
  return true;
}

async function isOfThisFolder({ place, password }: Station): Promise<boolean> {
  const found = await readFile(join(place.cluster, FINGERPRINT_FILE), 'utf8').catch(() => undefined);
  // A cluster without the file was restored by hand: signing in will tell.
  if (found === undefined || found.trim() === fingerprint(password)) return true;
  if (!place.isSettled) return false;
  throw new EmbeddedDatabaseError(
    `${join(place.dataDir, 'postgres.password')} does not fit the database in ${place.cluster}: ` +
      'bring back the file that belongs to it.',
  );
}

/** A deleted data folder leaves its cluster behind where that lives elsewhere; the new folder begins afresh. */
async function setAside(station: Station): Promise<void> {
  const { place, say } = station;
  const target = `${place.cluster}.abandoned-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
  await stopServer(station);
  await rename(place.cluster, target);
  say(`The data folder ${place.dataDir} is new: the database of an earlier one was set aside as ${target}`);
}

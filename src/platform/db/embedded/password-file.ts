import { createHash, randomBytes } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedDatabaseError, errorCode } from './embedded-database-error.ts';
import { unfinishedName } from './leftovers.ts';
import type { ClusterPlace } from './settle-place.ts';

/** Reads the password of this data folder, and makes one for a new folder. */
export async function keepPassword(place: ClusterPlace): Promise<string> {
  const file = join(place.dataDir, 'postgres.password');
  const kept = await readPassword(file);
  if (kept) return kept;
  if (place.isSettled) {
    throw new EmbeddedDatabaseError(
      `${file} is missing, and without it nobody can open the database: bring it back.`,
    );
  }
  const unfinished = unfinishedName(file);
  await writeFile(unfinished, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flush: true });
  try {
    await link(unfinished, file);
  } catch (error) {
    // Another program was first: its password counts.
    if (errorCode(error) !== 'EEXIST') throw error;
  } finally {
    await rm(unfinished, { force: true });
  }
  return keepPassword(place);
}

/** Kept inside the cluster, it tells whether a cluster belongs to this data folder. */
export function fingerprint(password: string): string {
  return createHash('sha256').update(`tocsin cluster ${password}`).digest('hex');
}

async function readPassword(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

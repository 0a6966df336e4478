// The loopback port of a cluster that cannot have a unix socket. It is kept, so that a server that comes back is found
// where it was, whoever starts it.
import { chown, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { errorCode } from './embedded-database-error.ts';
import type { ClusterPlace } from './settle-place.ts';

/** `isTaken`: another program has the port that was kept. */
export async function keepPort(place: ClusterPlace, isTaken: boolean): Promise<number> {
  const file = join(place.cluster, 'tocsin.port');
  const kept = isTaken ? 0 : await readPort(file);
  if (kept) return kept;
  const port = await findFreePort();
  try {
    await writeFile(file, `${port}\n`, { mode: 0o600, flag: isTaken ? 'w' : 'wx' });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    // Another program was first: its port counts.
    return (await readPort(file)) || port;
  }
  if (place.account) await chown(file, place.account.uid, place.account.gid);
  return port;
}

async function readPort(file: string): Promise<number> {
  return Number(await readFile(file, 'utf8').catch(() => '')) || 0;
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

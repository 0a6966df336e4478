// postmaster.pid, the file in which a PostgreSQL server says who it is, where it listens and how far it has come.
import { link, readFile, rename, rm, stat } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { errorCode } from './embedded-database-error.ts';
import { unfinishedName } from './leftovers.ts';
import { isServerProcess } from './server-process.ts';

/** Each socket has a folder of its own, so that the port is only part of its name. */
export const SOCKET_PORT = 5432;
const SOCKET_NAME = `.s.PGSQL.${SOCKET_PORT}`;

export interface ServerAddress {
  host: string;
  port: number;
}

export type ServerState =
  | { state: 'absent' }
  | { state: 'starting' | 'stopping'; pid: number }
  | { state: 'ready'; pid: number; address: ServerAddress };

export function fitsSocket(cluster: string): boolean {
  if (process.platform === 'win32') return false;
  return Buffer.byteLength(join(cluster, SOCKET_NAME)) <= (process.platform === 'linux' ? 107 : 103);
}

export async function readServer(cluster: string): Promise<ServerState> {
  const text = await readLockFile(serverFile(cluster));
  const lines = text.split('\n').map((line) => line.trim());
  const [pid, port] = [pidIn(text), Number(lines[3])];
  const isOnSocket = Boolean(lines[4]);
  if (!pid || !(await isRunning(cluster, pid, isOnSocket))) return { state: 'absent' };
  if (lines[7] === 'stopping') return { state: 'stopping', pid };
  if (lines[7] !== 'ready') return { state: 'starting', pid };
  return { state: 'ready', pid, address: isOnSocket ? { host: cluster, port } : { host: '127.0.0.1', port } };
}

/**
 * Removes lock files whose server is gone. PostgreSQL would stop at one that is empty, as a kill between its creation
 * and its first line leaves it, and at one whose pid has passed to another program of the same user. The others it
 * replaces itself, but two servers that do so at once may take each other's. Remains of the old server are no danger:
 * its memory is found by the number of the cluster's folder, lock file or not.
 */
export async function removeDeadLocks(cluster: string): Promise<void> {
  for (const file of [serverFile(cluster), join(cluster, `${SOCKET_NAME}.lock`)]) {
    const judged = await readLockFile(file);
    const isDead = judged === '' ? await isOld(file) : !(await isServerProcess(cluster, pidIn(judged)));
    if (!isDead || (await readLockFile(file)) !== judged) continue;
    const aside = unfinishedName(file);
    await rename(file, aside).catch(() => {});
    // A server that started between the look and the rename gets its file back.
    if ((await readLockFile(aside)) !== judged) await link(aside, file).catch(() => {});
    await rm(aside, { force: true });
  }
}

async function isOld(file: string): Promise<boolean> {
  const entry = await stat(file).catch(() => undefined);
  return entry !== undefined && Date.now() - entry.mtimeMs > 2_000;
}

/** A single-user session, someone's repair, writes its pid with a minus. */
function pidIn(lock: string): number {
  return Math.abs(Number(lock.split('\n')[0])) || 0;
}

function serverFile(cluster: string): string {
  return join(cluster, 'postmaster.pid');
}

/** A server in another container has a pid that means nothing here, yet its socket answers. */
async function isRunning(cluster: string, pid: number, isOnSocket: boolean): Promise<boolean> {
  if (await isServerProcess(cluster, pid)) return true;
  return isOnSocket && (await answers(join(cluster, SOCKET_NAME)));
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ path });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

async function readLockFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return '';
    throw error;
  }
}

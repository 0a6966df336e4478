import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { explainSpawnFailure, lastComplaint, spawnOptions } from './run-program.ts';
import { fitsSocket, removeDeadLocks, SOCKET_PORT } from './server-file.ts';
import { keepPort } from './server-port.ts';
import type { ClusterPlace } from './settle-place.ts';
import type { Station } from './station.ts';

const LARGEST_LOG_BYTES = 10 * 1024 * 1024;

const SETTINGS = {
  fsync: 'on',
  jit: 'off',
  // Enough for many programs with ten each.
  max_connections: '300',
  shared_buffers: '256MB',
  // Fewer checkpoints, so that a page is written whole less often while readings pour in.
  max_wal_size: '4GB',
  checkpoint_timeout: '15min',
  wal_buffers: '16MB',
  password_encryption: 'scram-sha-256',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_destination: 'stderr',
  logging_collector: 'off',
  log_line_prefix: '%m [%p] ',
  log_min_messages: 'warning',
  log_checkpoints: 'off',
};

export interface Launch {
  hasEnded: () => boolean;
  /** Why it failed, in PostgreSQL's words; nothing if it was stopped or killed. */
  complaint: () => Promise<string | undefined>;
  /** Also before it has said who it is, when nobody else could find it. */
  stop: () => Promise<void>;
}

/** Starts the server process and lets it go; whether it comes up, its server file tells. */
export async function launchServer(station: Station, isPortTaken: boolean): Promise<Launch> {
  const { place } = station;
  const postgres = join(await station.binaries(), 'postgres');
  const settings = { ...SETTINGS, ...station.settings, ...(await listenSettings(place, isPortTaken)) };
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  await removeDeadLocks(place.cluster);

  const log = await openLog(station);
  const logStart = (await log.stat()).size;
  const child = spawn(postgres, ['-D', place.cluster, ...args], {
    ...spawnOptions(place),
    // A session of its own: Ctrl-C in the terminal is meant for the program.
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  });
  try {
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', (error) => reject(explainSpawnFailure(error, postgres, place)));
    });
  } finally {
    await log.close();
  }
  child.unref();
  const ended = once(child, 'exit');
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  return {
    hasEnded,
    stop: async () => {
      if (hasEnded()) return;
      child.ref();
      child.kill('SIGINT');
      await ended;
    },
    complaint: async () => (child.exitCode ? readComplaint(place.log, logStart, child.pid) : undefined),
  };
}

/** On a socket only who may enter the cluster's folder can knock; on a port, everyone on this machine. */
async function listenSettings(place: ClusterPlace, isPortTaken: boolean): Promise<Record<string, string>> {
  if (fitsSocket(place.cluster)) {
    // The server works in its cluster's folder, so that the socket follows a folder that is renamed.
    return { listen_addresses: '', unix_socket_directories: '.', port: String(SOCKET_PORT) };
  }
  const port = await keepPort(place, isPortTaken);
  return { listen_addresses: '127.0.0.1', unix_socket_directories: '', port: String(port) };
}

async function openLog({ place }: Station): Promise<FileHandle> {
  const log = await open(place.log, 'a', 0o600);
  if ((await log.stat()).size > LARGEST_LOG_BYTES) await log.truncate();
  if (place.account) await chown(place.log, place.account.uid, place.account.gid);
  return log;
}

/** Other servers of this cluster write to the same log: the one that was first, or the one that is just ending. */
async function readComplaint(path: string, from: number, pid: number | undefined): Promise<string> {
  const log = await open(path, 'r');
  try {
    const buffer = Buffer.alloc(16 * 1024);
    const { bytesRead } = await log.read(buffer, 0, buffer.length, from);
    const lines = buffer.toString('utf8', 0, bytesRead).split('\n');
    const own = lines.filter((line) => (/ \[(\d+)\] /.exec(line)?.[1] ?? String(pid)) === String(pid));
    return lastComplaint(own.join('\n')) ?? 'it ended without a word';
  } finally {
    await log.close();
  }
}

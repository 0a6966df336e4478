// The PostgreSQL servers that are measured: the embedded one, and the distribution's with its default settings.
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbedded } from '../src/platform/db/embedded/open-embedded.ts';
import { startPostgres, urlOf } from '../test/support/postgres-server.ts';

export interface Cluster {
  connection: { host: string; port: number; password: string };
  /** Of its first process. */
  pid: number;
  /** What makes a program use it. */
  env: Record<string, string>;
  stop(): Promise<void>;
}

export async function openEmbeddedCluster(): Promise<Cluster> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tocsin-bench-'));
  // Run by root, the database works under another user, who must be able to enter.
  await chmod(dataDir, 0o755);
  const embedded = await openEmbedded({ dataDir });
  const { host, port, password } = embedded.connection;
  return {
    connection: { host, port, password },
    pid: Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]),
    env: { TOCSIN_DATA: dataDir },
    async stop() {
      await embedded.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export async function openSystemCluster(): Promise<Cluster> {
  const { connection, pid, stop } = await startPostgres('system');
  return { connection, pid, env: { DATABASE_URL: urlOf(connection, 'tocsin') }, stop };
}

// Looks at an embedded database from outside.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client, type Pool } from 'pg';
import type { EmbeddedDatabase } from '../../src/platform/db/embedded/open-embedded.ts';

export const run = promisify(execFile);

export async function query(database: EmbeddedDatabase, text: string): Promise<unknown[]> {
  const client = new Client(database.connection);
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

export function answers(pool: Pool): Promise<boolean> {
  return pool.query('select 1').then(
    () => true,
    () => false,
  );
}

/** The pid that the server of the cluster in `home` has written down. */
export async function serverPid(home: string): Promise<number> {
  return Number((await readFile(join(home, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0]);
}

export function isServed(home: string): Promise<boolean> {
  return serverPid(home).then(isRunning, () => false);
}

/** A process that has ended but was not yet collected by its parent does not run. */
export function isRunning(pid: number): Promise<boolean> {
  return run('ps', ['-o', 'stat=', '-p', String(pid)]).then(
    ({ stdout }) => !stdout.startsWith('Z'),
    () => false,
  );
}

export async function uidOf(pid: number): Promise<number> {
  return Number((await run('ps', ['-o', 'uid=', '-p', String(pid)])).stdout);
}

export async function argumentsOf(pid: number): Promise<string> {
  return (await run('ps', ['-ww', '-o', 'command=', '-p', String(pid)])).stdout;
}

/** The addresses of this machine that others can reach. */
export function outsideAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, family }) => !internal && family === 'IPv4')
    .map(({ address }) => address);
}

export function canConnect(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host, port }, () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}

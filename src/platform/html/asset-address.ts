// Where pages find what the build made for browsers. The address carries the content's hash, so that it may be kept for good.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../project-root.ts';

export const ASSETS_FOLDER = join(projectRoot, 'dist/assets');

const versions = new Map<string, string | null>();

/** null: there is no such file. Read once: a running program keeps what it began with. */
export function assetVersion(name: string): string | null {
  const known = versions.get(name);
  if (known !== undefined) return known;
  const path = join(ASSETS_FOLDER, name);
  const version = existsSync(path)
    ? createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 12)
    : null;
  versions.set(name, version);
  return version;
}

export function assetAddress(name: string): string {
  const version = assetVersion(name);
  return version === null ? `/assets/${name}` : `/assets/${name}?v=${version}`;
}

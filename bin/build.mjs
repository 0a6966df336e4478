// Bundles the program into dist/ when a source is newer than the bundle. Takes a fraction of a second.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { languagesOfBrowser, languagesOfBundle } from './languages.mjs';
import { keepOwnLines } from './own-lines.mjs';
import { makeSbom } from './sbom.mjs';

const root = resolve(fileURLToPath(import.meta.url), '../..');
// The program, its parent, and the worker threads that it starts for an analysis, for codecs, to pack readings, for pictures and to be watched.
const ENTRY_POINTS = {
  main: 'src/main.ts',
  parent: 'src/platform/process/parent.ts',
  analyst: 'src/engine/advice/analyst.ts',
  'codec-worker': 'src/engine/codecs/codec-worker.ts',
  'pack-worker': 'src/engine/packing/pack-worker.ts',
  'picture-worker': 'src/engine/floor-plans/picture-worker.ts',
  'standstill-worker': 'src/platform/process/standstill-worker.ts',
};
const PROGRAM = {
  inputs: ['src', 'languages'],
  outputs: Object.keys(ENTRY_POINTS).map((name) => `dist/${name}.js`),
  build: (outdir) => bundle(ENTRY_POINTS, outdir),
};
const ASSETS = {
  inputs: ['src/client', 'src/domain', 'assets', 'languages'],
  outputs: ['dist/assets/app.js'],
  build: (outdir) => buildAssets(join(outdir, 'assets')),
};
const PARTS_LIST = {
  inputs: ['package-lock.json', 'bin/sbom.mjs'],
  outputs: ['dist/sbom.cdx.json'],
  build: writePartsList,
};

// What is not JavaScript, or is loaded only where somebody uses it. The other libraries are many small files, which load
// several times faster from the bundle.
const OUTSIDE = [
  '@jitl/quickjs-wasmfile-release-sync',
  '@node-rs/argon2',
  '@simplewebauthn/server',
  'mqtt',
  'pg-cloudflare',
  'pg-native',
  'quickjs-emscripten-core',
];
// Libraries that are no modules call for parts of node by it.
const REQUIRE = `import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);`;

function isUpToDate({ inputs, outputs }) {
  // An installation may ship what is built alone.
  if (!existsSync(join(root, 'src'))) return true;
  if (!outputs.every((path) => existsSync(join(root, path)))) return false;
  const builtAt = Math.min(...outputs.map((path) => statSync(join(root, path)).mtimeMs));
  const files = inputs.flatMap((path) =>
    statSync(join(root, path)).isDirectory()
      ? readdirSync(join(root, path), { recursive: true, encoding: 'utf8' }).map((name) => join(path, name))
      : [path],
  );
  return ['package.json', 'bin/build.mjs', ...files].every(
    (path) => statSync(join(root, path)).mtimeMs <= builtAt,
  );
}

/** Bundles TypeScript entry points into a folder below the project's root. */
export async function bundle(entryPoints, outdir) {
  const { build } = await import('esbuild');
  const { devDependencies } = readJson('package.json');
  await build({
    absWorkingDir: root,
    entryPoints,
    outdir,
    external: [...OUTSIDE, ...Object.keys(devDependencies)],
    banner: { js: REQUIRE },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    sourcemap: true,
    // Node reads both as a whole before the first line runs.
    sourcesContent: false,
    minifyWhitespace: true,
    plugins: [languagesOfBundle],
    logLevel: 'warning',
  });
  const built = resolve(root, outdir);
  for (const name of readdirSync(built).filter((file) => file.endsWith('.map'))) {
    const path = join(built, name);
    writeFileSync(path, JSON.stringify(keepOwnLines(JSON.parse(readFileSync(path, 'utf8')))));
  }
}

/** What browsers get: looks, htmx and one script for each file directly in src/client, ready to travel compressed. */
async function buildAssets(outdir) {
  const { build } = await import('esbuild');
  const client = join(root, 'src/client');
  const scripts = readdirSync(client).filter((name) => /^[a-z-]+\.ts$/.test(name));
  const options = {
    absWorkingDir: root,
    entryPoints: scripts.map((name) => join(client, name)),
    outdir,
    bundle: true,
    minify: true,
    charset: 'utf8',
    platform: 'browser',
    format: 'iife',
    target: 'es2022',
    logLevel: 'warning',
  };
  const { outputFiles } = await build({ ...options, write: false, plugins: [languagesOfBrowser('')] });
  const said = outputFiles.map(({ text }) => text).join('\n');
  await build({ ...options, plugins: [languagesOfBrowser(said)] });
  for (const name of readdirSync(join(root, 'assets')))
    copyFileSync(join(root, 'assets', name), join(outdir, name));
  copyFileSync(join(root, 'node_modules/htmx.org/dist/htmx.min.js'), join(outdir, 'htmx.js'));
  for (const name of readdirSync(outdir)) {
    const content = readFileSync(join(outdir, name));
    writeFileSync(join(outdir, `${name}.br`), brotliCompressSync(content));
    writeFileSync(join(outdir, `${name}.gz`), gzipSync(content, { level: 9 }));
  }
}

function writePartsList(outdir) {
  const sbom = makeSbom(readJson('package.json'), readJson('package-lock.json'));
  writeFileSync(join(outdir, 'sbom.cdx.json'), `${JSON.stringify(sbom, null, 2)}\n`);
}

function readJson(path) {
  return JSON.parse(readFileSync(join(root, path), 'utf8'));
}

async function ensure(target) {
  if (isUpToDate(target)) return;
  mkdirSync(join(root, 'dist'), { recursive: true });
  // Built aside and moved in whole: another command may start at this very moment.
  const aside = mkdtempSync(join(root, 'dist/new-'));
  try {
    await target.build(aside);
    for (const name of readdirSync(aside, { recursive: true, encoding: 'utf8' })) {
      if (statSync(join(aside, name)).isDirectory()) continue;
      mkdirSync(dirname(join(root, 'dist', name)), { recursive: true });
      renameSync(join(aside, name), join(root, 'dist', name));
    }
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

export async function ensureBuilt() {
  await ensure(ASSETS);
  await ensure(PROGRAM);
  await ensure(PARTS_LIST);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await ensureBuilt();

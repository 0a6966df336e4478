// A main thread that does not turn any more is seen from outside of it, said where it is, and ended with the program.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { beforeAll, expect, onTestFinished, test } from 'vitest';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tocsin-still-'));
  await build({
    entryPoints: [
      fileURLToPath(new URL('../support/standing-script.ts', import.meta.url)),
      fileURLToPath(new URL('../../src/platform/process/standstill-worker.ts', import.meta.url)),
    ],
    outdir: folder,
    entryNames: '[name]',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'error',
    sourcemap: true,
    // It is looked for above the program.
    define: { 'import.meta.url': JSON.stringify(new URL('../../dist/here.js', import.meta.url).href) },
  });
  return () => rm(folder, { recursive: true, force: true });
});

function start(deed: string) {
  const child = spawn(process.execPath, [
    join(folder, 'standing-script.mjs'),
    deed,
    join(folder, 'standstill-worker.mjs'),
  ]);
  onTestFinished(() => void child.kill('SIGKILL'));
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    output.stderr += text;
  });
  return { child, output, ended: once(child, 'close') };
}

test.each([
  ['a loop', 'loop', /^loopForever \(.*test\/support\/standing-script\.ts:\d+\)$/],
  ['an expression', 'expression', /^matchForever \(.*test\/support\/standing-script\.ts:\d+\)$/],
])('%s that does not end is named in one line of the log, and ends the program', async (_, deed, where) => {
  const { output, ended } = start(deed);
  const [code, signal] = await ended;
  expect({ code, signal }).toEqual({ code: null, signal: 'SIGKILL' });
  const line = JSON.parse(output.stderr);
  expect(line).toMatchObject({ level: 60, msg: 'the main thread stood still: the program ends itself' });
  expect(line.where[0]).toMatch(where);
});

test('who works much, but lets others have their turn, is left alone', async () => {
  const { child, output } = start('work');
  await expect.poll(() => output.stdout.split('\n').length).toBeGreaterThan(6);
  expect(child.exitCode ?? child.signalCode).toBeNull();
  expect(output.stderr).toBe('');
});

test('a program that was stopped for longer goes on where it was', async () => {
  const { child, output } = start('work');
  await expect.poll(() => output.stdout).not.toBe('');
  child.kill('SIGSTOP');
  // Longer than it may stand still.
  await new Promise((resolve) => setTimeout(resolve, 5_000));
  const before = output.stdout.length;
  child.kill('SIGCONT');
  await expect.poll(() => output.stdout.length).toBeGreaterThan(before + 30);
  expect(child.exitCode ?? child.signalCode).toBeNull();
  expect(output.stderr).toBe('');
});

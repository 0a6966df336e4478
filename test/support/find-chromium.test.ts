import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findChromium, findLightest, type Machine } from './find-chromium.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tocsin-chromium-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const machine = (arch: string, env: Machine['env'] = {}): Machine => ({
  platform: 'linux',
  arch,
  env: { PATH: join(folder, 'bin'), ...env },
  folders: [join(folder, 'usual')],
});

function put(path: string, content: string | Buffer, mode = 0o755): string {
  const full = join(folder, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, content);
  chmodSync(full, mode);
  return full;
}

/** The beginning of a program for one kind of machine; whoever takes it for a script leaves a file behind. */
function elf(arch: 'x64' | 'arm64'): Buffer {
  const head = Buffer.alloc(64);
  head.write('\x7fELF\x02\x01\x01\x00\x00\n#', 'latin1');
  head.writeUInt16LE({ x64: 62, arm64: 183 }[arch], 18);
  return Buffer.concat([head, Buffer.from(`\ntouch ${folder}/stray\n`)]);
}

const SCRIPT = '#!/bin/sh\necho Chromium 140\n';
const EMPTY_PROMISE = '#!/bin/sh\necho Install the snap\nexit 1\n';

test.each(['x64', 'arm64'] as const)('the one that CHROMIUM_PATH names comes first (%s)', (arch) => {
  const named = put('own/my-browser', elf(arch));
  put('bin/chromium', elf(arch));
  expect(findChromium(machine(arch, { CHROMIUM_PATH: named }))).toEqual({ from: 'machine', path: named });
});

test.each(['x64', 'arm64'] as const)('then one that is installed, in the order of PATH (%s)', (arch) => {
  const usual = put('usual/google-chrome', elf(arch));
  expect(findChromium(machine(arch))).toEqual({ from: 'machine', path: usual });
  const found = put('bin/chromium-browser', SCRIPT);
  expect(findChromium(machine(arch))).toEqual({ from: 'machine', path: found });
});

test('then the one from npm, where its machine code fits', () => {
  expect(findChromium(machine('x64'))).toEqual({ from: 'npm' });
  expect(findChromium(machine('arm64'))).toBeNull();
  expect(findChromium({ ...machine('x64'), platform: 'darwin' })).toBeNull();
});

test('what is made for another machine, cannot be run or only says where to get one is passed over', () => {
  put('bin/chromium', elf('x64'));
  put('bin/chromium-browser', EMPTY_PROMISE);
  put('bin/google-chrome', elf('arm64'), 0o644);
  put('bin/chrome', 'no program at all');
  mkdirSync(join(folder, 'usual/chromium'), { recursive: true });
  expect(findChromium(machine('arm64'))).toBeNull();
  expect(existsSync(join(folder, 'stray'))).toBe(false);
});

test('a CHROMIUM_PATH that cannot work is said, not passed over', () => {
  const other = put('own/browser', elf('x64'));
  expect(() => findChromium(machine('arm64', { CHROMIUM_PATH: other }))).toThrow(
    `CHROMIUM_PATH names a program for another machine: ${other}`,
  );
  const missing = join(folder, 'nowhere');
  expect(() => findChromium(machine('x64', { CHROMIUM_PATH: missing }))).toThrow(
    `CHROMIUM_PATH names no program: ${missing}`,
  );
  expect(existsSync(join(folder, 'stray'))).toBe(false);
});

test('pages are drawn by the one from npm where it runs, unless another is named', () => {
  const installed = { from: 'machine', path: '/usr/bin/chromium' } as const;
  expect(findLightest(installed, machine('x64'))).toEqual({ from: 'npm' });
  expect(findLightest(installed, machine('arm64'))).toBe(installed);
  expect(findLightest(installed, machine('x64', { CHROMIUM_PATH: '/usr/bin/chromium' }))).toBe(installed);
  expect(findLightest(null, machine('arm64'))).toBeNull();
});

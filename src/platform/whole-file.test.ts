import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { beforeEach, expect, test } from 'vitest';
import { writeWholeFile } from './whole-file.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tocsin-whole-'));
  path = join(folder, 'backup.gz');
  return () => rm(folder, { recursive: true });
});

const write = (...parts: string[]) =>
  writeWholeFile(path, (sink) => pipeline(Readable.from(parts.map((part) => Buffer.from(part))), sink));
/** What it is like when the disk is full. */
const failHalfway = () =>
  writeWholeFile(path, async (sink) => {
    await new Promise((resolve) => sink.write('half', resolve));
    throw new Error('ENOSPC: no space left on device, write');
  });

test('appears when it is complete, for its owner only, in the place of an older one', async () => {
  await write('one');
  await write('two', ' parts');
  expect(await readFile(path, 'utf8')).toBe('two parts');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toEqual(['backup.gz']);
});

test('what fails leaves nothing behind, and the older one as it was', async () => {
  await expect(failHalfway()).rejects.toThrow('no space left');
  expect(await readdir(folder)).toEqual([]);
  await write('one');
  await expect(failHalfway()).rejects.toThrow('no space left');
  expect(await readdir(folder)).toEqual(['backup.gz']);
  expect(await readFile(path, 'utf8')).toBe('one');
});

test('what a killed run left behind, open to others, is not written into', async () => {
  await writeFile(`${path}.partial`, 'left behind', { mode: 0o644 });
  await write('one');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

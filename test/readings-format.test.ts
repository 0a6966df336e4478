// docs/readings-format.md tells the truth: its examples are what the program writes and reads.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { decodeBatch, encodeBatch } from '../src/domain/readings/batch.ts';
import { decodePack, encodePack } from '../src/domain/readings/pack.ts';
import { projectRoot } from '../src/platform/project-root.ts';

const document = readFileSync(join(projectRoot, 'docs/readings-format.md'), 'utf8');

/** The cells of the rows under a heading; lists of numbers stand in backticks. */
const rowsOf = (heading: string): [name: string, ...cells: string[]][] => {
  const [, section = ''] = document.split(`\n### ${heading}\n`);
  const rows = (section.split('\n#')[0] ?? '').split('\n').filter((line) => line.includes('`'));
  return rows.map((row) => {
    const [name = '', ...cells] = row.split('|').slice(1, -1);
    return [name.trim(), ...cells.map((cell) => cell.trim().replaceAll('`', ''))];
  });
};

const numbers = (cell = ''): number[] => (cell === '' ? [] : cell.split(', ').map(Number));
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

test.each(rowsOf('Packs'))('%s', (_, ats, values, bytes = '') => {
  const readings = { ats: Float64Array.from(numbers(ats)), values: Float64Array.from(numbers(values)) };
  expect(hex(encodePack(readings))).toBe(bytes);
  expect(decodePack(Buffer.from(bytes, 'hex'))).toEqual(readings);
});

test.each(rowsOf('Batches'))('%s', (_, serviceIds, channelIds, ats, values, bytes = '') => {
  const batch = {
    serviceIds: Int32Array.from(numbers(serviceIds)),
    channelIds: Int32Array.from(numbers(channelIds)),
    ats: Float64Array.from(numbers(ats)),
    values: Float64Array.from(numbers(values)),
  };
  expect(hex(encodeBatch(batch))).toBe(bytes);
  expect(decodeBatch(Buffer.from(bytes, 'hex'))).toEqual(batch);
});

test('there are examples of both', () =>
  expect([rowsOf('Packs').length, rowsOf('Batches').length]).toEqual([9, 3]));

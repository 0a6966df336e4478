// The real command: to a file, through a pipe, and killed in the middle.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { expect, test } from 'vitest';
import { makeDataDir, runCommand } from '../support/program.ts';

/** Ends the program for good as soon as there is something of the file. */
const KILLED = [
  'sh',
  '-c',
  'node bin/tocsin.js "$@" & while [ ! -s "$2.partial" ]; do sleep 0.02; done; kill -9 $!; wait $!',
  'sh',
];

test('an export that is killed leaves no file; the next one is whole, and a pipe gets the same', async () => {
  const env = { TOCSIN_DATA: await makeDataDir() };
  expect(await runCommand(['simulate', '--days', '20', '--services', '4'], env)).toMatchObject({ code: 0 });
  const folder = dirname(env.TOCSIN_DATA);
  const [csv, parquet] = [join(folder, 'lab.csv'), join(folder, 'lab.parquet')];

  expect(await runCommand(['export', csv], env, '', { command: KILLED })).toMatchObject({ code: 137 });
  expect(existsSync(csv)).toBe(false);

  for (const file of [csv, parquet]) {
    const { code, stdout } = await runCommand(['export', file], env);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/readings of 4 services in/) });
    expect(existsSync(`${file}.partial`)).toBe(false);
  }
  const text = await readFile(csv, 'utf8');
  expect((await runCommand(['export', '-'], env)).stdout).toBe(text);

  const rows = await parquetReadObjects({ file: await asyncBufferFromFile(parquet) });
  expect(rows.length).toBeGreaterThan(10_000);
  expect(
    rows.map((row) =>
      [
        row.time.toISOString(),
        row.service_id,
        row.service,
        row.device,
        row.channel,
        row.value,
        row.unit,
      ].join(),
    ),
  ).toEqual(text.split('\r\n').slice(1, -1));
}, 120_000);

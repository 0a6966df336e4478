// Every example of docs/ways-in.md is run as it stands there, against a server of our own.
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { openLab } from '../support/lab.ts';
import { startMqtt } from '../support/mqtt.ts';
import { listStored } from '../support/stored-readings.ts';
import { startServer } from '../support/test-server.ts';

const run = promisify(execFile);
const TEXT = readFileSync(new URL('../../docs/ways-in.md', import.meta.url), 'utf8');
/** Each with the heading it stands under. */
const EXAMPLES = TEXT.split(/^## /m).flatMap((chapter) =>
  [...chapter.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, code = '']): [string, string] => [
    chapter.slice(0, chapter.indexOf('\n')),
    code,
  ]),
);

test('every way of the table has one', () => {
  const table = TEXT.slice(0, TEXT.indexOf('\n## '));
  const ways = [...table.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor = '']) => anchor);
  expect(ways.length).toBeGreaterThan(5);
  const anchorOf = (heading: string) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(' ', '-');
  const run = EXAMPLES.map(([heading]) => anchorOf(heading));
  // A shell cannot write it: test/journeys/prometheus.test.ts runs its lines.
  expect(ways.filter((way) => !run.includes(way))).toEqual(['prometheus-remote-write']);
});

const hasMosquitto = spawnSync('mosquitto_pub', ['--help']).error === undefined;

test.for(EXAMPLES)('%s', async ([_, code], { skip }) => {
  if (code.includes('mosquitto_pub') && !hasMosquitto) skip('mosquitto-clients is not installed');
  const server = await startServer();
  server.clock.advance(Date.now() - server.clock.read().getTime());
  const lab = await openLab(server);
  const devices = [...new Set([...code.matchAll(/\bULT-\d+\b/g)].map(([device]) => device))];
  expect(devices).not.toEqual([]);
  const { port } = await startMqtt(server);
  const script = code.replaceAll('http://127.0.0.1:8080', server.url).replaceAll('-p 1883', `-p ${port}`);
  const services = await Promise.all(
    devices.map(async (key) => ({ key, id: await lab.apply({ name: key, device: { key } }) })),
  );
  await lab.source({ settings: { mapping: { each: '/sensors/*', device: '/id', rest: 'take' } } });
  await run('bash', ['-euo', 'pipefail', '-c', script], { env: { ...process.env, SECRET: lab.secret } });
  for (const { key, id } of services) expect([key, await listStored(server.db, id)]).not.toEqual([key, []]);
});

// Any JSON, read by the mapping of its source, as docs/ways-in.md tells it.
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { type Lab, openLab } from '../support/lab.ts';
import { listStored } from '../support/stored-readings.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import { signedIn } from '../support/visitor.ts';

let server: TestServer;
let lab: Lab;
beforeAll(async () => {
  server = await startServer();
});
beforeEach(async () => {
  lab = await openLab(server);
});

const post = (body: unknown) =>
  fetch(`${server.url}/api/v1/telemetry/json`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { authorization: `Bearer ${lab.secret}`, 'content-type': 'application/json' },
  });
const mapping = {
  each: '/sensors/*',
  device: '/id',
  values: { temperature: { path: '/temp', number: true } },
};

test('a body is read by the mapping, and answered with 200 whatever is in it', async () => {
  const freezer = await lab.freezer();
  const body = { sensors: [{ id: freezer.device, temp: '-79.8' }, { temp: '1' }] };
  expect(await (await post(body)).json()).toMatchObject({
    accepted: 0,
    rejected: [{ reason: 'the source has no mapping yet' }],
  });
  await lab.source({ kind: 'json', settings: { mapping } });
  expect(await (await post(body)).json()).toEqual({
    accepted: 1,
    duplicates: 0,
    rejected: [{ index: 1, reason: 'there is no device at /id' }],
  });
  expect(await listStored(server.db, freezer.id)).toMatchObject([{ name: 'temperature', value: -79.8 }]);
});

test('what waits to be adopted is said to wait', async () => {
  await lab.source({ kind: 'json', settings: { mapping } });
  expect(await (await post({ sensors: [{ id: 'stranger', temp: '1' }] })).json()).toMatchObject({
    waiting: 1,
    note: expect.stringMatching(/^Nothing is wrong/),
    accepted: 0,
    rejected: [{ index: 0, reason: 'Unknown device' }],
  });
});

test('the page shows the last body, and what the mapping makes of it while it is typed', async () => {
  await lab.source({ kind: 'json' });
  const ada = await signedIn(server, lab.ada);
  const list = await ada.read(`/settings/sources?organization=${lab.organization}`);
  const address = /\/settings\/sources\/\d+/.exec(list)?.[0] ?? '';
  const page = () => ada.read(`${address}?organization=${lab.organization}`);
  expect(await page()).toContain('Nothing has come yet');
  await post({ sensors: [{ id: 'Kühl-7', temp: '4.5' }] });
  await expect.poll(page, { timeout: 20_000 }).toContain('Kühl-7');
  const tries = async (settings: string) =>
    (await ada.send(`${address}/try?organization=${lab.organization}`, { kind: 'json', settings })).text();
  const tried = await tries(JSON.stringify({ mapping }));
  expect(tried).toContain('Kühl-7');
  expect(tried).toContain('<strong>4.5</strong>');
  expect(await tries('mapping: {')).toContain('cannot be read as YAML');
  expect(await tries('mapping: { each: /nothing/*, device: /id }')).toContain(
    'there is nothing at /nothing/*',
  );
});

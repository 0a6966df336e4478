import sql from 'sql-template-tag';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { expectPage } from '../support/page.ts';
import { openSettingsDesk, recordsOf, type SettingsDesk } from '../support/settings-desk.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
let desk: SettingsDesk;
beforeAll(async () => {
  server = await startServer();
});
beforeEach(async () => {
  desk = await openSettingsDesk(server);
});

const SOURCES = '/settings/sources';
const handIn = (secret: string) =>
  fetch(`${server.url}/api/v1/telemetry`, {
    method: 'POST',
    body: '[]',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
  });
const secretIn = (html: string) => /<code>([\w-]{43})<\/code>/.exec(html)?.[1] ?? '';
const create = async (name = 'gateway') =>
  secretIn(await expectPage(await desk.sends(`${SOURCES}/create`, { name }), 200));
const idOf = async (name = 'gateway') =>
  String(
    (
      await server.db.query<{ id: number }>(sql`
        select id from source where organization_id = ${desk.organization} and name = ${name}`)
    )[0]?.id ?? 0,
  );

test('a new source shows its secret once, and the secret works', async () => {
  const secret = await create();
  expect((await handIn(secret)).status).toBe(200);
  expect(await desk.ada.read(SOURCES)).not.toContain(secret);
  expect(await recordsOf(server, desk.organization)).toMatchObject([
    { action: 'source.create', detail: { name: 'gateway' } },
  ]);
  expect(JSON.stringify(await server.db.query(sql`select * from audit`))).not.toContain(secret);
  expect(JSON.stringify(await server.db.query(sql`select * from source`))).not.toContain(secret);
  expect(server.logLines.join()).not.toContain(secret);
});

test('with a new secret the old one is refused at once, though it was in use', async () => {
  const old = await create();
  expect((await handIn(old)).status).toBe(200);
  const next = secretIn(
    await expectPage(await desk.sends(`${SOURCES}/renew`, { source_id: await idOf() }), 200),
  );
  expect(next).not.toBe(old);
  expect((await handIn(old)).status).toBe(401);
  expect((await handIn(next)).status).toBe(200);
  expect((await recordsOf(server, desk.organization)).at(-1)?.action).toBe('source.renew');
});

test('a revoked source is refused at once', async () => {
  const secret = await create();
  expect((await handIn(secret)).status).toBe(200);
  const form = { source_id: await idOf() };
  expect((await desk.sends(`${SOURCES}/revoke`, form)).headers.get('location')).toContain('done=revoke');
  expect((await handIn(secret)).status).toBe(401);
  await desk.sends(`${SOURCES}/revoke`, form);
  expect((await recordsOf(server, desk.organization)).map(({ action }) => action)).toEqual([
    'source.create',
    'source.revoke',
  ]);
  expect(await expectPage(await desk.sends(`${SOURCES}/renew`, form), 422)).toContain('This source is gone');
});

test.each([
  ['', 'Give the source a name'],
  ['gateway', 'a source of that name already'],
  ['x'.repeat(201), 'at most 200'],
])('the name %j is refused', async (name, text) => {
  await create();
  const html = await expectPage(await desk.sends(`${SOURCES}/create`, { name }), 422);
  expect(html).toContain(text);
  expect(secretIn(html)).toBe('');
});

test('a source of another organization stays', async () => {
  const elsewhere = await openSettingsDesk(server);
  const answer = await elsewhere.sends(`${SOURCES}/create`, { name: 'gateway' });
  const secret = secretIn(await answer.text());
  const [row] = await server.db.query<{ id: number }>(sql`
    select id from source where organization_id = ${elsewhere.organization}`);
  const form = { source_id: String(row?.id) };
  await desk.sends(`${SOURCES}/revoke`, form);
  await expectPage(await desk.sends(`${SOURCES}/renew`, form), 422);
  expect((await handIn(secret)).status).toBe(200);
});

test('the page of a source shows how to connect it, when it was heard and what was refused', async () => {
  const secret = await create();
  const page = async () => desk.ada.read(`${SOURCES}/${await idOf()}?organization=${desk.organization}`);
  expect(await page()).toContain('Nothing has come from it yet');
  const body = JSON.stringify([{ device: 'd', values: { '<b>': null } }]);
  await fetch(`${server.url}/api/v1/telemetry`, {
    method: 'POST',
    body,
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
  });
  await expect.poll(page, { timeout: 20_000 }).toContain('values.&lt;b>: not a number');
  expect(await page()).toContain('Last heard');
  expect(await desk.ada.read(`${SOURCES}?organization=${desk.organization}`)).toContain(
    'Something was refused',
  );
  const forgotten = await desk.sends(`${SOURCES}/${await idOf()}/forget`);
  expect(forgotten.headers.get('location')).toContain('done=forget');
  expect(await page()).not.toContain('not a number');
});

test('a source gets another kind and settings, and its secret goes on to work', async () => {
  const secret = await create();
  expect((await handIn(secret)).status).toBe(200);
  const form = { kind: 'influx', clock: 'receipt', settings: 'units: { temperature: °F }' };
  const answer = await desk.sends(`${SOURCES}/${await idOf()}/change`, form);
  expect(answer.headers.get('location')).toContain(`${SOURCES}/${await idOf()}?`);
  const html = await desk.ada.read(`${SOURCES}/${await idOf()}?organization=${desk.organization}`);
  expect(html).toContain('/api/v1/telemetry/influx');
  expect(html).toContain('temperature: °F');
  expect((await handIn(secret)).status).toBe(200);
  expect((await recordsOf(server, desk.organization)).at(-1)).toMatchObject({
    action: 'source.change',
    detail: { kind: 'influx', settings: { clock: 'receipt', units: { temperature: '°F' } } },
  });
});

test.each([
  ['no YAML', '[', 'cannot be read as YAML'],
  ['an unknown word', 'colour: red', 'colour is no setting'],
  ['an unknown unit', 'units: { t: °R }', 'units.t must be one of'],
  ['an alias', 'units: &a { t: K }\nsplit: *a', 'Aliases'],
  ['a key given twice', 'ignore: [a]\nignore: [b]', 'ignore is given twice'],
  ['two documents', 'ignore: [a]\n---\nignore: [b]', 'several documents'],
  ['keys within keys', '? '.repeat(9_900), 'more than 50 levels deep'],
  ['lists within lists', '['.repeat(9_900), 'more than 50 levels deep'],
  ['very many entries', `[${','.repeat(9_900)}]`, 'more than 5000 words and signs'],
])('settings with %s are refused, and what was typed stays', async (_, settings, text) => {
  await create();
  const answer = await desk.sends(`${SOURCES}/${await idOf()}/change`, { kind: 'influx', settings });
  const html = await expectPage(answer, 422);
  expect(html).toContain(text);
  expect(html).toContain(settings.replaceAll('&', '&amp;'));
});

// Some of the alarms, as the address of the page asks for them.
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { createFreezer, type Freezer, organizationOf, setAlarm, setStale } from '../support/equipment.ts';
import { type Lab, openLab } from '../support/lab.ts';
import { textOf } from '../support/page.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import { signedIn, type VisitorBrowser } from '../support/visitor.ts';

let server: TestServer;
let people: Lab;
let hot: Freezer;
let oscar: VisitorBrowser;
beforeAll(async () => {
  server = await startServer();
});
beforeEach(async () => {
  people = await openLab(server);
  hot = await createFreezer(server, people, { name: 'Hot', location: 'Room 1' });
  await setAlarm(server, hot, { severity: 'critical' });
  const warm = await createFreezer(server, people, { name: 'Warm', location: 'Room 2' });
  await setAlarm(server, warm, { severity: 'warning' });
  await setStale(
    server,
    await createFreezer(server, people, { name: 'Silent', location: 'Room 3' }),
    server.clock.read(),
  );
  oscar = await signedIn(server, people.oscar);
});

const rowsOf = (html: string) =>
  [...html.matchAll(/<tr id="alarm-\d+".*?<th[^>]*><a href="[^"]+">([^<]+)</gs)].map(([, name]) => name);
const read = async (path: string, headers = {}) => (await oscar.open(path, headers)).text();
const locationOf = async (name: string) =>
  (
    await server.db.query<{ id: number }>(sql`
    select id from location where name = ${name} and organization_id = ${people.organization}`)
  )[0]?.id;

test('by severity and place, in the page and in what it asks for again', async () => {
  const room = await locationOf('Room 2');
  for (const headers of [{}, { 'hx-request': 'true' }]) {
    expect(rowsOf(await read('/', headers))).toEqual(['Hot', 'Warm', 'Silent']);
    expect(rowsOf(await read('/?severity=critical', headers))).toEqual(['Hot']);
    expect(rowsOf(await read('/?severity=stale', headers))).toEqual(['Silent']);
    expect(rowsOf(await read(`/?location=${room}`, headers))).toEqual(['Warm']);
    expect(rowsOf(await read(`/?organization=${people.organization}`, headers))).toHaveLength(3);
    expect(rowsOf(await read('/?severity=loud&location=x', headers))).toHaveLength(3);
  }
  const html = await read(`/?location=${room}&severity=warning`);
  expect(html).toContain(`data-live="/?location=${room}&amp;severity=warning"`);
  expect(textOf(html)).not.toContain('1 critical');
});

test('nothing is well because nothing was chosen', async () => {
  const html = await read('/?mine=yes');
  expect(rowsOf(html)).toEqual([]);
  expect(html).toContain('None of the active alarms is one of these.');
  expect(html).not.toContain('All is well');
});

test('mine is what I took on, and what a colleague hands to me', async () => {
  const group = await people.group({ name: 'Cold team', accounts: [people.oscar.email, people.ada.email] });
  await server.db.query(sql`
    update service_settings set notification_group_id = ${group}, send_critical = true where service_id = ${hot.id}`);
  await people.ada.post(`/api/v1/alarms/${hot.id}/acknowledge`);
  expect(rowsOf(await read('/?mine=yes'))).toEqual([]);
  const ada = await signedIn(server, people.ada);
  expect(rowsOf(await ada.read('/?mine=yes'))).toEqual(['Hot']);
  await ada.send(`/alarms/${hot.id}/hand-over`, { to: String(people.oscar.id) });
  expect(rowsOf(await read('/?mine=yes'))).toEqual(['Hot']);
});

test('after an act the same alarms are shown', async () => {
  const answer = await oscar.send(
    `/alarms/${hot.id}/acknowledge`,
    {},
    { referer: `${server.url}/?severity=critical&done=mute&next=//evil.example` },
  );
  expect(answer.headers.get('location')).toBe('/?severity=critical&done=acknowledge');
});

test('what another organization has is neither listed, counted nor named', async () => {
  const hers = await createFreezer(server, people, {
    name: 'Hers',
    location: 'Secret room',
    organization: await organizationOf(server, people.olga),
  });
  await setAlarm(server, hers, { severity: 'critical' });
  const [secret] = await server.db.query<{ id: number; organizationId: number }>(
    sql`select id, organization_id as "organizationId" from location where name = 'Secret room' order by id desc`,
  );
  for (const query of [`location=${secret?.id}`, `organization=${secret?.organizationId}`])
    for (const headers of [{}, { 'hx-request': 'true' }]) {
      const html = await read(`/?${query}`, headers);
      expect(html).not.toMatch(/Hers|Secret room|1 critical/);
      expect(rowsOf(html)).toEqual([]);
    }
});

test('units that fell silent behind one source fold together, wherever they stand', async () => {
  for (let nth = 1; nth <= 5; nth += 1) {
    const silent = await createFreezer(server, people, { name: `Silent ${nth}`, location: `Floor ${nth}` });
    await setStale(server, silent, server.clock.read());
    await server.db.query(sql`
      insert into device (organization_id, key, service_id, heard_from, created_at)
      values (${people.organization}, ${`device ${nth}`}, ${silent.id}, 'gateway', ${server.clock.read()})`);
  }
  const html = await read('/');
  const [before = '', fold = '', after = ''] = html.split(/<details class="fold"|<\/details>/).slice(-3);
  expect(textOf(fold)).toMatch(/Of the source gateway\s+5 stale/);
  expect(rowsOf(fold)).toEqual([5, 4, 3, 2, 1].map((nth) => `Silent ${nth}`));
  expect(rowsOf(before)).toEqual(['Hot', 'Warm']);
  expect(rowsOf(after)).toEqual(['Silent']);
});

// The overview: how every unit stands, by place, and whom each of it concerns.
import sql from 'sql-template-tag';
import { beforeAll, expect, test } from 'vitest';
import {
  archive,
  createFreezer,
  minutesAgo,
  organizationOf,
  setAlarm,
  setDowntime,
  setLimits,
  setStale,
  setTelemetry,
} from '../support/equipment.ts';
import { type Lab, openLab } from '../support/lab.ts';
import { hours, minutes } from '../support/movable-clock.ts';
import { watchedBy } from '../support/notification-desk.ts';
import { textOf } from '../support/page.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import { openVisitor, signedIn } from '../support/visitor.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});

/** A unit in each state, in rooms of its own and in none. */
async function fillLab(lab: Lab) {
  const make = async (name: string, location?: string) => {
    const freezer = await createFreezer(server, lab, { name, ...(location && { location }) });
    await setLimits(server, freezer);
    await setTelemetry(server, freezer, 'temperature', minutesAgo(server, 1));
    return freezer;
  };
  await setAlarm(server, await make('Hot one', 'Hot room'), { severity: 'critical' });
  await setAlarm(server, await make('Warm one', 'Warm room'), { severity: 'warning' });
  await setStale(server, await make('Silent one', 'Silent room'), minutesAgo(server, 9));
  const muted = await make('Hushed one', 'Hushed room');
  await lab.oscar.post(`/api/v1/services/${muted.id}/mute`, { reason: 'Known' });
  const serviced = await make('Serviced one', 'Workshop');
  await setAlarm(server, serviced, { severity: 'critical' });
  await setDowntime(server, serviced, -hours(1), hours(1));
  await createFreezer(server, lab, { name: 'New one' });
  await archive(server, await make('Gone one', 'Empty room'));
  await make('Good one', 'Good room');
}

const headings = (html: string) =>
  [...html.matchAll(/<h3 class="place-name"><a href="[^"]+">([^<]+)<\/a><\/h3>/g)].map(([, name]) => name);
const dots = (html: string) =>
  Object.fromEntries(
    [...html.matchAll(/class="dot dot-(\w+)" href="\/services\/\d+" title="([^":]+):/g)].map(
      ([, state, name]) => [name, state],
    ),
  );

test('every unit is a dot with its word, places with alarms first, and the wall counts the same', async () => {
  const lab = await openLab(server);
  await fillLab(lab);
  const html = await (await signedIn(server, lab.vera)).read('/overview');
  expect(headings(html)).toEqual([
    'Hot room',
    'Warm room',
    'Silent room',
    'Good room',
    'Hushed room',
    'Workshop',
    'Without a location',
  ]);
  expect(dots(html)).toEqual({
    'Hot one': 'critical',
    'Warm one': 'warning',
    'Silent one': 'stale',
    'Hushed one': 'muted',
    'Serviced one': 'downtime',
    'New one': 'unwatched',
    'Good one': 'normal',
  });
  expect(html).toContain('title="Silent one: Stale"');
  expect(html).not.toContain('Gone one');
  const ada = await signedIn(server, lab.ada);
  const link = /href="(\/wall\/[\w-]+)"/.exec(
    await (await ada.send('/settings/wall/create', { name: 'W' })).text(),
  );
  const wall = await ada.read(link?.[1] ?? '');
  const onWall = [...wall.matchAll(/wall-dot wall-dot-(\w+)" title="([^":]+):/g)];
  const asOnWall = Object.fromEntries(onWall.map(([, state, name]) => [name, state]));
  expect({ ...dots(html), 'Hushed one': 'normal' }).toEqual(asOnWall);
});

test('another organization sees nothing of it, whole or in part, and somebody of both sees both', async () => {
  const lab = await openLab(server);
  await fillLab(lab);
  await lab.organizationEntry({
    rotas: [
      { name: 'Secret nights', timezone: 'UTC', handover: '08:00', every: 'day', members: [lab.oscar.email] },
    ],
    groups: [{ name: 'Secret team', told: [{ rota: 'Secret nights' }] }],
  });
  const own = await createFreezer(server, lab, {
    name: 'Hers',
    location: 'Her room',
    organization: await organizationOf(server, lab.olga),
  });
  const olga = await signedIn(server, lab.olga);
  const foreign = /Hot|Warm|Silent|Hushed|Serviced|Good|Workshop|Secret|Oscar/;
  for (const headers of [{}, { 'hx-request': 'true' }] as Record<string, string>[])
    for (const path of ['/overview', '/overview?page=2', '/overview?page=0', '/overview?page=99999999']) {
      const html = await (await olga.open(path, headers)).text();
      const shown = html.slice(html.indexOf('<div id="overview"'));
      expect(shown).not.toMatch(foreign);
    }
  expect(dots(await olga.read('/overview'))).toEqual({ Hers: 'unwatched' });
  await server.db.query(sql`
    insert into membership (account_id, organization_id, role, created_at)
    values (${lab.olga.id}, ${lab.organization}, 'viewer', ${server.clock.read()})`);
  const both = await olga.read('/overview');
  expect(headings(both)).toHaveLength(8);
  expect(both).toContain(lab.organizationName);
  expect(dots(both)).toMatchObject({ 'Hot one': 'critical', Hers: 'unwatched' });
  expect(own.id).toBeGreaterThan(0);
});

test('beside them: who is on call now, what is not heard, and who would reach nobody tonight', async () => {
  const lab = await openLab(server);
  await lab.organizationEntry({
    rotas: [
      {
        name: 'Nights',
        timezone: 'Europe/Berlin',
        handover: '08:00',
        every: 'day',
        from: '2026-11-01',
        members: [lab.oscar.email, lab.ada.email],
      },
    ],
    groups: [{ name: 'Empty team' }, { name: 'Cold team', told: [{ rota: 'Nights' }] }],
  });
  await lab.freezer(watchedBy('Empty team'));
  await lab.freezer(watchedBy('Cold team'));
  const vera = await signedIn(server, lab.vera);
  const page = textOf(await vera.read('/on-call'));
  const name = /Oscar|Ada/.exec(page.slice(page.indexOf('Nights')))?.[0];
  // What takes longer than the page waits is there by the next look.
  await vera.read('/overview');
  await new Promise((resolve) => setTimeout(resolve, 300));
  const before = textOf(await vera.read('/overview'));
  expect(before).toMatch(new RegExp(`On call now\\s+${name}\\s+until`));
  expect(before).toContain('Empty team');
  expect(before).toContain('Nobody within 15 minutes');
  expect(before).not.toMatch(/Cold team\s+Nobody/);
  expect(before).toContain('Every source and gateway is heard.');

  server.clock.advance(hours(2) + minutes(1));
  const later = textOf(await (await signedIn(server, lab.vera)).read('/overview'));
  expect(later).toMatch(/Not heard\s+gateway\s+source, never heard/);
  const ada = await (await signedIn(server, lab.ada)).read('/overview');
  expect(ada).toMatch(/href="\/settings\/sources\/\d+\?organization=/);
  expect(later).not.toContain('/settings/');
});

test('whoever has more than ten units or one organization begins there, everybody else at the alarms', async () => {
  const lab = await openLab(server);
  const startOf = async () => (await openVisitor(server).signsIn(lab.vera)).headers.get('location');
  for (let count = 1; count <= 10; count += 1) await createFreezer(server, lab);
  expect(await startOf()).toBe('/');
  const eleventh = await createFreezer(server, lab);
  expect(await startOf()).toBe('/overview');
  expect((await openVisitor(server).signsIn(lab.vera, '/audit')).headers.get('location')).toBe('/audit');
  await archive(server, eleventh);
  expect(await startOf()).toBe('/');
  await server.db.query(sql`
    insert into membership (account_id, organization_id, role, created_at)
    values (${lab.vera.id}, ${await organizationOf(server, lab.olga)}, 'viewer', ${server.clock.read()})`);
  expect(await startOf()).toBe('/overview');
});

test('whoever asked for the alarms gets the alarms', async () => {
  const lab = await openLab(server);
  for (let count = 1; count <= 11; count += 1) await createFreezer(server, lab);
  const visitor = openVisitor(server);
  const form = await visitor.read('/login?next=/');
  expect(form).toContain('name="next" value="/"');
  expect((await visitor.signsIn(lab.vera, '/')).headers.get('location')).toBe('/');
});

// The tree that names of locations make: buildings and floors on the overview, in the lists and on walls.
import sql from 'sql-template-tag';
import { beforeAll, expect, test } from 'vitest';
import { rememberPlaces } from '../../src/features/overview/remember-places.ts';
import { KEPT_MS } from '../../src/features/overview/remember-units.ts';
import { cutTree, listDrawn, weighTree } from '../../src/features/overview/weigh-tree.ts';
import { createFreezer, minutesAgo, organizationOf, setAlarm, setStale } from '../support/equipment.ts';
import { type Lab, openLab } from '../support/lab.ts';
import { textOf } from '../support/page.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import { signedIn } from '../support/visitor.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});

const IN_BUILDING = [
  'Building 2 / Floor 1 / Room 104',
  'Building 2 / Floor 1 / Room 105',
  'building 2 / Cellar',
];

async function fillLab(lab: Lab) {
  const places = [...IN_BUILDING, 'Annex', 'Building 20 / Room 1'];
  const make = (index: number) =>
    createFreezer(server, lab, { name: `Unit ${index}`, location: places[index] ?? 'nowhere' });
  const [hot, , silent] = [await make(0), await make(1), await make(2), await make(3), await make(4)];
  await setAlarm(server, hot, { severity: 'critical' });
  await setStale(server, silent, minutesAgo(server, 9));
}

const branches = (html: string) =>
  [...html.matchAll(/<details class="branch-fold" data-part="fold-\d+-([^"]+)"[^>]*?( open)?>/g)].map(
    ([, path, open]) => [path, Boolean(open)],
  );

test('places stand under their building and floor, with what is wrong in them, unfolded where something is', async () => {
  const lab = await openLab(server);
  await fillLab(lab);
  await createFreezer(server, lab, { location: 'Shed / 1' });
  await createFreezer(server, lab, { location: 'Shed / 2' });
  const vera = await signedIn(server, lab.vera);
  const html = await vera.read('/overview');
  expect(branches(html)).toEqual([
    ['building 2', true],
    ['building 2/floor 1', true],
    ['shed', false],
  ]);
  const text = textOf(html);
  expect(text).toMatch(/Building 2\s+3 places · 3 units\s+1 critical\s+1 stale/);
  expect(text).toMatch(/Floor 1\s+2 places · 2 units\s+1 critical/);
  expect(text).toMatch(/Shed\s+2 places · 2 units · no alarm/);
  // What is folded away costs nothing: its places are counted, and their units are not looked at.
  expect(html.match(/class="dot dot-critical"/g)).toHaveLength(1);
  expect(html.match(/class="dot /g)).toHaveLength(5);
  expect(text).toMatch(/Building 20 \/ Room 1\s+1 unit/);
});

test('a branch has a page of its own, and leads to its alarms, equipment and history', async () => {
  const lab = await openLab(server);
  await fillLab(lab);
  const vera = await signedIn(server, lab.vera);
  const query = new URLSearchParams({ organization: String(lab.organization), location: '/building 2' });
  const html = await vera.read(`/overview?${query}`);
  expect(html).toContain('<h1>Building 2</h1>');
  expect(html).not.toContain('On call now');
  expect(textOf(html)).not.toMatch(/Annex|Building 20/);
  for (const page of ['/', '/services', '/history'])
    expect(html).toContain(`href="${page}?${String(query).replaceAll('&', '&amp;')}"`);

  const units = async (path: string) =>
    [...new Set((await vera.read(path)).match(/>Unit \d</g))].map((name) => name.slice(1, -1)).sort();
  expect(await units(`/services?${query}`)).toEqual(['Unit 0', 'Unit 1', 'Unit 2']);
  expect(await units('/services?location=/Building%202%20/%20floor%201')).toEqual(['Unit 0', 'Unit 1']);
  expect(await units('/services?location=/building')).toEqual([]);
  expect(await units(`/?${query}`)).toEqual(['Unit 0', 'Unit 2']);
  expect(await units('/?location=/building%202/floor%201')).toEqual(['Unit 0']);
  expect(await vera.read(`/?${query}`)).toMatch(/<option value="\/building 2" selected[^>]*>Building 2</);
  const history = await vera.read(`/history?${query}`);
  expect(history).toMatch(/<option value="\/building 2" selected[^>]*>Building 2</);
  expect((await vera.open(`/history.csv?${query}`)).status).toBe(200);

  const floor = await vera.read(`/overview?location=${encodeURIComponent('/building 2/floor 1')}`);
  expect(floor).toContain('<h1>Building 2 / Floor 1</h1>');
  expect(floor).toMatch(/<p class="up">.*Building 2</s);
  expect((await vera.open('/overview?location=/nowhere')).status).toBe(404);
});

test('a branch of another organization is nothing, on every page', async () => {
  const lab = await openLab(server);
  await fillLab(lab);
  const olga = await signedIn(server, lab.olga);
  expect((await olga.open('/overview?location=/building%202')).status).toBe(404);
  expect((await olga.open(`/overview?organization=${lab.organization}&location=/building%202`)).status).toBe(
    404,
  );
  await createFreezer(server, lab, {
    name: 'Hers',
    location: 'Building 2 / Own',
    organization: await organizationOf(server, lab.olga),
  });
  for (const page of ['/overview', '/services', '/', '/history']) {
    const html = await olga.read(`${page}?location=/building%202`);
    expect(html).not.toMatch(/Unit \d|Room 10|Cellar/);
  }
  expect(await olga.read('/services?location=/building%202')).toContain('Hers');
});

test('a wall of a branch shows what stands there at the time, and nothing beside it', async () => {
  const lab = await openLab(server);
  await fillLab(lab);
  const ada = await signedIn(server, lab.ada);
  expect(await ada.read('/settings/wall')).toContain(
    '<option value="/building 2/floor 1">Building 2 / Floor 1<',
  );
  const made = await (
    await ada.send('/settings/wall/create', { name: 'Second', location: '/building 2' })
  ).text();
  expect(textOf(made)).toMatch(/Second of Building 2/);
  const path = /href="(\/wall\/[\w-]+)"/.exec(made)?.[1] ?? '';
  const dots = async () =>
    [...(await ada.read(path)).matchAll(/wall-dot wall-dot-\w+" title="([^":]+):/g)].map(([, name]) => name);
  expect(await dots()).toEqual(['Unit 0', 'Unit 1', 'Unit 2']);
  expect(textOf(await ada.read(path))).toContain('Building 2 ·');
  await createFreezer(server, lab, { name: 'Unit 9', location: 'Building 2 / Attic' });
  expect(await dots()).toContain('Unit 9');
  await server.db.query(sql`
    update location set name = 'House ' || id where organization_id = ${lab.organization} and name ilike 'building 2 %'`);
  expect(await dots()).toEqual([]);
  expect((await ada.send('/settings/wall/create', { name: 'Third', location: '/building 2' })).status).toBe(
    422,
  );
});

test('the number of rows of a page, and of units looked at, has a most however large its branches are', async () => {
  const lab = await openLab(server);
  const organization = lab.organization;
  await server.db.query(sql`
    insert into location (organization_id, name)
    select ${organization}, 'Site ' || n % 20 || ' / House ' || n % 100 || ' / Room ' || n from generate_series(1, 2000) n`);
  await server.db.query(sql`
    insert into asset (organization_id, name, location_id)
    select organization_id, name, id from location where organization_id = ${organization}`);
  await server.db.query(sql`
    insert into service (organization_id, name, asset_id, created_at)
    select organization_id, name, id, ${server.clock.read()} from asset where organization_id = ${organization}`);
  const now = server.clock.read();
  const readPlaces = rememberPlaces(server.db);
  const places = await readPlaces([organization], now);
  expect(places).toHaveLength(2000);
  const shown = cutTree(weighTree(places, null).slice(0, 16));
  const rows = (all: typeof shown): number => all.reduce((sum, { inside }) => sum + 1 + rows(inside), 0);
  expect(rows(shown)).toBeLessThanOrEqual(136);
  expect(listDrawn(shown)).toEqual([]);
  expect(listDrawn(shown.map((one) => ({ ...one, isOpen: true }))).length).toBeLessThanOrEqual(16);
  // What is large is looked at once in a moment.
  await server.db.query(sql`update service set archived_at = ${now} where organization_id = ${organization}`);
  expect(await readPlaces([organization], now)).toHaveLength(2000);
  expect(await readPlaces([organization], new Date(now.getTime() + KEPT_MS))).toEqual([]);
});

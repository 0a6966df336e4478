// Floor plans: from a picture that somebody uploads to units on the overview, and who may see any of it.
import { once } from 'node:events';
import { request } from 'node:http';
import sql from 'sql-template-tag';
import { beforeAll, expect, test } from 'vitest';
import { sayMost } from '../../src/domain/mosts.ts';
import { openCleaning } from '../../src/engine/floor-plans/open-cleaning.ts';
import { archive, createFreezer, organizationOf, setAlarm } from '../support/equipment.ts';
import { type Lab, openLab } from '../support/lab.ts';
import { textOf } from '../support/page.ts';
import type { Person } from '../support/people.ts';
import { drawRoom, JPEGS, sendPicture } from '../support/pictures.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import { signedIn } from '../support/visitor.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});

const cookieOf = async (person: Person): Promise<string> =>
  `access_token=${await server.signer.issue({ accountId: person.id, generation: 1 }, server.clock.read())}`;

const upload = async (
  lab: Lab,
  picture: Uint8Array | null,
  { by = lab.ada, location = '/hall', organization = lab.organization as number } = {},
) =>
  sendPicture(server, await cookieOf(by), {
    path: `/settings/floor-plans/upload?organization=${organization}`,
    location,
    picture,
  });

const planIdIn = (answer: Response): string =>
  /floor-plans\/(\d+)\?/.exec(answer.headers.get('location') ?? '')?.[1] ?? '';

test('a picture becomes a plan, units are placed on it, and the overview shows how they are', async () => {
  const lab = await openLab(server);
  const hot = await createFreezer(server, lab, { name: 'Hot one', location: 'House / Hall' });
  const other = await createFreezer(server, lab, { name: 'Good one', location: 'House / Cellar' });
  await setAlarm(server, hot, { severity: 'critical' });
  const ada = await signedIn(server, lab.ada);
  expect(await ada.read('/settings/floor-plans')).toContain('<option value="/house">House<');
  const made = await upload(lab, drawRoom(), { location: '/house' });
  expect(made.status).toBe(303);
  const path = `/settings/floor-plans/${planIdIn(made)}`;
  const editor = await ada.read(path);
  expect(editor).toContain('alt="Floor plan of House"');
  const marks = {
    [`x_${hot.id}`]: '25,5',
    [`y_${hot.id}`]: '40',
    [`x_${other.id}`]: '',
    [`y_${other.id}`]: '',
  };
  expect((await ada.send(`${path}/place`, marks)).status).toBe(303);
  for (const [typed, words] of [
    [{ ...marks, [`x_${hot.id}`]: '101' }, 'from 0 to 100'],
    [{ ...marks, [`x_${hot.id}`]: '' }, 'or neither'],
  ] as const) {
    const refused = await ada.send(`${path}/place`, typed);
    expect([refused.status, textOf(await refused.text())]).toEqual([422, expect.stringContaining(words)]);
  }
  const vera = await signedIn(server, lab.vera);
  const board = await vera.read('/overview?location=/house');
  expect(board).toContain('x="25.5%" y="40%"');
  expect(board).toContain(`<a href="/services/${hot.id}" aria-label="Hot one: Critical">`);
  expect(board).not.toContain(`<a href="/services/${other.id}" aria-label`);
  const src = /src="(\/floor-plans\/\d+\/picture[^"]*)"/.exec(board)?.[1] ?? '';
  const picture = await vera.open(src);
  expect(picture.status).toBe(200);
  expect(Object.fromEntries(picture.headers)).toMatchObject({
    'content-type': 'image/png',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': 'private, max-age=3600',
  });
  await archive(server, hot);
  expect(await vera.read('/overview?location=/house')).not.toContain('aria-label="Hot one');

  const acts = await server.db.query<{ action: string }>(sql`
    select action from audit where organization_id = ${lab.organization} and action like 'floor_plan%' order by id`);
  expect(acts.map(({ action }) => action)).toEqual(['floor_plan.upload', 'floor_plan.mark']);
  const question = textOf(await ada.read(`${path}/delete`));
  expect(question).toMatch(/Delete the floor plan of House/);
  const gone = await ada.send(`${path}/delete`);
  expect(gone.headers.get('location')).toMatch(/^\/settings\/floor-plans\?.*done=delete/);
  expect((await vera.open(src)).status).toBe(404);
  expect(await vera.read('/overview?location=/house')).not.toContain('class="plan"');
});

test('a wall of the place shows it, and only units that are on the wall', async () => {
  const lab = await openLab(server);
  const hot = await createFreezer(server, lab, { name: 'Hot one', location: 'Hall' });
  const elsewhere = await createFreezer(server, lab, { name: 'Far one', location: 'Yard' });
  await setAlarm(server, hot, { severity: 'critical' });
  const id = planIdIn(await upload(lab, drawRoom()));
  await server.db.query(sql`
    insert into floor_plan_marker (plan_id, organization_id, service_id, x, y)
    select ${Number(id)}, ${lab.organization}, unnest(${[hot.id, elsewhere.id]}::int[]), 500, 500`);
  const ada = await signedIn(server, lab.ada);
  const open = async (name: string, location: string) => {
    const made = await (await ada.send('/settings/wall/create', { name, location })).text();
    return /href="(\/wall\/[\w-]+)"/.exec(made)?.[1] ?? '';
  };
  const path = await open('Hall', '/hall');
  const wall = await (await fetch(server.url + path)).text();
  expect(wall).toContain('<title>Hot one: Critical</title>');
  expect(wall).not.toMatch(/Far one|href="\/services/);
  const [, src = ''] = /<img src="([^"]+)"/.exec(wall) ?? [];
  const picture = await fetch(server.url + src);
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
  for (const other of [await open('All', ''), await open('Yard', '/yard')]) {
    expect(await (await fetch(server.url + other)).text()).not.toContain('<img');
    expect((await fetch(`${server.url}${other}/floor-plan`)).status).toBe(404);
  }
});

test('nobody of another organization sees, replaces, marks or deletes it, and a viewer changes nothing', async () => {
  const lab = await openLab(server);
  const freezer = await createFreezer(server, lab, { location: 'Hall' });
  const id = planIdIn(await upload(lab, drawRoom()));
  const marks = { [`x_${freezer.id}`]: '1', [`y_${freezer.id}`]: '1' };
  for (const person of [lab.olga, lab.vera, lab.oscar]) {
    const visitor = await signedIn(server, person);
    expect((await visitor.open(`/settings/floor-plans/${id}?organization=${lab.organization}`)).status).toBe(
      404,
    );
    expect((await visitor.open(`/settings/floor-plans/${id}`)).status).toBe(404);
    for (const verb of ['place', 'delete'])
      expect((await visitor.send(`/settings/floor-plans/${id}/${verb}`, marks)).status).toBe(404);
    expect((await upload(lab, drawRoom(), { by: person })).status).toBe(404);
  }
  const olga = await signedIn(server, lab.olga);
  expect((await olga.open(`/floor-plans/${id}/picture`)).status).toBe(404);
  expect((await fetch(`${server.url}/floor-plans/${id}/picture`, { redirect: 'manual' })).status).toBe(303);
  // Units of others are no part of it.
  const foreign = await createFreezer(server, lab, { organization: await organizationOf(server, lab.olga) });
  const ada = await signedIn(server, lab.ada);
  await ada.send(`/settings/floor-plans/${id}/place`, {
    ...marks,
    [`x_${foreign.id}`]: '5',
    [`y_${foreign.id}`]: '5',
  });
  const rows = await server.db.query<{ id: number }>(
    sql`select service_id as id from floor_plan_marker where plan_id = ${Number(id)}`,
  );
  expect(rows).toEqual([{ id: freezer.id }]);
});

test('what is no picture, or was made to hurt, is refused with what to do', async () => {
  const lab = await openLab(server);
  await createFreezer(server, lab, { location: 'Hall' });
  const huge = drawRoom();
  huge.writeUInt32BE(65_535, 16);
  huge.writeUInt32BE(65_535, 20);
  for (const [picture, words] of [
    [null, 'Choose a picture'],
    [Buffer.from('<svg onload="alert(1)"/>'), 'neither a PNG nor a JPEG'],
    [drawRoom().subarray(0, 60), 'save it anew'],
    [huge, 'Make it smaller'],
    [Buffer.from(JPEGS.print, 'base64'), 'Save it as PNG'],
  ] as const) {
    const refused = await upload(lab, picture);
    expect([refused.status, textOf(await refused.text())]).toEqual([422, expect.stringContaining(words)]);
  }
  expect((await upload(lab, drawRoom(), { location: '/elsewhere' })).status).toBe(422);
  expect((await upload(lab, Buffer.alloc(9 * 1024 * 1024))).status).toBe(413);
  expect((await upload(lab, Buffer.from(JPEGS.progressive, 'base64'))).status).toBe(303);
  expect(
    await server.db.query(
      sql`select width, height from floor_plan where organization_id = ${lab.organization}`,
    ),
  ).toEqual([{ width: 40, height: 24 }]);
});

test('an organization has 100 at most, with 200 units each', async () => {
  const lab = await openLab(server);
  const now = server.clock.read();
  const freezer = await createFreezer(server, lab, { location: 'Hall' });
  const id = planIdIn(await upload(lab, drawRoom()));
  await server.db.query(sql`
    insert into floor_plan (organization_id, branch, width, height, picture, changed_at)
    select ${lab.organization}, 'filled ' || n, 1, 1, '', ${now} from generate_series(1, 99) n`);
  await createFreezer(server, lab, { location: 'Yard' });
  expect(await (await upload(lab, drawRoom(), { location: '/yard' })).text()).toContain(
    sayMost('floorPlans'),
  );
  // Another picture is no further plan.
  expect((await upload(lab, drawRoom())).status).toBe(303);
  await server.db.query(sql`
    with unit as (
      insert into service (organization_id, name, asset_id, created_at)
      select organization_id, 'filled ' || n, asset_id, ${now} from service, generate_series(1, 200) n where id = ${freezer.id}
      returning id)
    insert into alarm_state (service_id, organization_id) select id, ${lab.organization} from unit`);
  const units = await server.db.query<{ id: number }>(sql`
    select id from service where asset_id = (select asset_id from service where id = ${freezer.id})`);
  const ada = await signedIn(server, lab.ada);
  const mark = (count: number) =>
    ada.send(
      `/settings/floor-plans/${id}/place`,
      Object.fromEntries(
        units.slice(0, count).flatMap((unit) => [
          [`x_${unit.id}`, '5'],
          [`y_${unit.id}`, '5'],
        ]),
      ),
    );
  expect(await (await mark(201)).text()).toContain(sayMost('floorPlanMarkers'));
  expect((await mark(200)).status).toBe(303);
});

test('one picture of an organization at a time, and those of others do not wait for it', async () => {
  const cleaning = openCleaning();
  const first = cleaning.enter(1);
  const second = cleaning.enter(2);
  expect(cleaning.enter(1)).toBeNull();
  expect(second).not.toBeNull();
  first?.leave();
  const again = cleaning.enter(1);
  expect(again).not.toBeNull();
  for (let id = 3; id <= 8; id += 1) expect(cleaning.enter(id)).not.toBeNull();
  expect(cleaning.enter(9)).toBeNull();
  const under = [again?.clean(drawRoom()), second?.clean(Buffer.from('nothing'))];
  // Whoever hangs up meanwhile makes no room for the next.
  again?.leave();
  expect(cleaning.enter(1)).toBeNull();
  const [one, other] = await Promise.all(under);
  expect([one?.ok, other?.ok]).toEqual([true, false]);
  expect(cleaning.enter(1)).not.toBeNull();
  expect(cleaning.enter(2)).toBeNull();
  await cleaning.close();
  const hasty = openCleaning({ longestMs: 1 });
  expect(await hasty.enter(1)?.clean(drawRoom(2000, 2000))).toEqual({ ok: false, refusal: 'too_long' });
  await hasty.close();
});

test('of what nobody may send nothing is read', async () => {
  const { port } = new URL(server.url);
  const asked = request({
    port,
    method: 'POST',
    path: '/settings/floor-plans/upload',
    headers: { 'content-type': 'multipart/form-data; boundary=x', 'content-length': 8_000_000 },
  });
  asked.on('error', () => {});
  asked.flushHeaders();
  const [answer] = await once(asked, 'response');
  expect([answer.statusCode, answer.headers.location]).toEqual([303, '/login']);
  asked.destroy();
});

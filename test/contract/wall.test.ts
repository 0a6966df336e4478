import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Lab, openLab } from '../support/lab.ts';
import { hours, minutes } from '../support/movable-clock.ts';
import { expectPage } from '../support/page.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import { openVisitor, signedIn, type VisitorBrowser } from '../support/visitor.ts';

const WALL = '/settings/wall';
const LIMITS = {
  limits: [
    { channel: 'temperature', bands: { CRITICAL_HIGH: { limit: -60 }, WARNING_HIGH: { limit: -70 } } },
  ],
};

let server: TestServer;
let lab: Lab;
let ada: VisitorBrowser;
let names = 0;
beforeAll(async () => {
  server = await startServer();
  lab = await openLab(server);
  ada = await signedIn(server, lab.ada);
});

async function makeLink(who = ada): Promise<{ path: string; name: string }> {
  names += 1;
  const name = `Corridor ${names}`;
  const page = await expectPage(await who.send(`${WALL}/create`, { name }), 200);
  return { path: /href="(\/wall\/[\w-]+)"/.exec(page)?.[1] ?? '', name };
}

const findLink = async (name: string) => {
  const [link] = await server.db.query<{ id: number; tokenHash: Buffer }>(
    sql`select id, token_hash as "tokenHash" from wall_link where name = ${name}`,
  );
  return link;
};

const openWall = (path: string) => openVisitor(server).open(path);

const recordsOf = (name: string) =>
  server.db.query(
    sql`select action, account_name as "by", organization_id as "organization" from audit where detail->>'name' = ${name} order by id`,
  );

describe('links', () => {
  test('a link opens the wall without a sign-in; only its hash is kept, and it is shown once', async () => {
    const { path, name } = await makeLink();
    const token = path.replace('/wall/', '');
    expect(token.length).toBeGreaterThanOrEqual(43);
    await expectPage(await openWall(path), 200);
    expect((await findLink(name))?.tokenHash.toString('latin1')).not.toContain(token);
    expect(await ada.read(WALL)).not.toContain(token);
    const [{ kept } = { kept: '' }] = await server.db.query<{ kept: string }>(
      sql`select string_agg(detail::text, ' ') as "kept" from audit`,
    );
    expect(kept).not.toContain(token);
    expect(server.logLines.join('\n')).not.toContain(token);
  });

  test('a revoked link leads nowhere, and both are on record', async () => {
    const { path, name } = await makeLink();
    const link_id = String((await findLink(name))?.id);
    const answer = await ada.send(`${WALL}/revoke`, { link_id });
    expect(answer.status).toBe(303);
    await expectPage(await openWall(path), 404);
    await ada.send(`${WALL}/revoke`, { link_id });
    expect(await recordsOf(name)).toEqual([
      { action: 'wall.create', by: 'Ada', organization: lab.organization },
      { action: 'wall.revoke', by: 'Ada', organization: lab.organization },
    ]);
  });

  test.each(['unknown', 'a'.repeat(43), '%00', '..%2f'])('there is no wall at %s', async (token) => {
    expect((await openWall(`/wall/${token}`)).status).toBe(404);
  });

  test.each([
    ['', 'Give the link a name'],
    ['x'.repeat(201), 'at most 200 characters'],
  ])('a name that cannot be used is refused in words', async (name, words) => {
    expect(await expectPage(await ada.send(`${WALL}/create`, { name }), 422)).toContain(words);
  });

  test('a name is given once in an organization', async () => {
    const { name } = await makeLink();
    const page = await expectPage(await ada.send(`${WALL}/create`, { name }), 422);
    expect(page).toContain('has a link of that name already');
  });

  test.each(['vera', 'oscar', 'nora'] as const)('%s sees no links and makes none', async (who) => {
    const browser = await signedIn(server, lab[who]);
    expect((await browser.open(WALL)).status).toBe(404);
    expect((await browser.send(`${WALL}/create`, { name: `By ${who}` })).status).toBe(404);
    expect(await findLink(`By ${who}`)).toBeUndefined();
  });

  test('an administrator of another organization neither sees nor revokes it', async () => {
    const { path, name } = await makeLink();
    const olga = await signedIn(server, lab.olga);
    expect(await olga.read(WALL)).not.toContain(name);
    await olga.send(`${WALL}/revoke`, { link_id: String((await findLink(name))?.id) });
    await expectPage(await openWall(path), 200);
    expect((await olga.open(`${WALL}?organization=${lab.organization}`)).status).toBe(404);
  });

  test('a form that another site sends changes nothing', async () => {
    const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    expect((await ada.send(`${WALL}/create`, { name: 'Evil' }, headers)).status).toBe(403);
    expect(await findLink('Evil')).toBeUndefined();
  });
});

describe('what a wall shows', () => {
  const tilesOf = (page: string) =>
    [...page.matchAll(/wall-tile wall-tile-(\w+)[\s\S]*?<h2>([^<]*)<\/h2>/g)].map(
      ([, state, name]) => `${name} ${state}`,
    );

  test('what is wrong, worst first; nothing of people, of other organizations or of what is archived', async () => {
    const own = await openLab(server);
    const { path } = await makeLink(await signedIn(server, own.ada));
    expect(await (await openWall(path)).text()).toContain('Nothing to watch yet');

    const [stale, warm, hot, well, paused, archived] = [
      await own.freezer({ name: 'Quiet', stale_after_minutes: 5 }),
      await own.freezer({ name: 'Warm', ...LIMITS }),
      await own.freezer({ name: 'Hot', location: 'Room 1', asset: 'ULT-1', ...LIMITS }),
      await own.freezer({ name: 'Well', ...LIMITS }),
      await own.freezer({ name: 'Paused', ...LIMITS }),
      await own.freezer({ name: 'Gone', ...LIMITS }),
    ];
    const foreign = await lab.freezer({ name: 'Foreign', ...LIMITS });
    for (const freezer of [stale, well]) await freezer.reads(-80);
    await own.advance(minutes(10));
    await well.reads(-80);
    await warm.reads(-65);
    for (const freezer of [hot, paused, archived, foreign]) await freezer.reads(-40);
    await own.oscar.post(`/api/v1/alarms/${hot.id}/acknowledge`, { comment: 'Secret remark' });
    await own.oscar.post(`/api/v1/services/${warm.id}/mute`, { reason: 'Secret reason' });
    await own.oscar.post('/api/v1/downtimes', {
      service_id: String(paused.id),
      start_time: `${server.clock.read().toISOString().slice(0, 19)}Z`,
      end_time: `${new Date(server.clock.read().getTime() + hours(2)).toISOString().slice(0, 19)}Z`,
      reason: 'Secret plan',
    });
    await own.apply({ name: 'Gone', device: { key: archived.device }, archived: true });

    const page = await expectPage(await openWall(path), 200);
    expect(tilesOf(page)).toEqual(['Hot critical', 'Warm warning', 'Quiet stale']);
    for (const words of [
      '−40 °C',
      'Room 1',
      'Acknowledged',
      'Muted',
      '1 in downtime',
      '1 normal',
      own.organizationName,
    ])
      expect(page).toContain(words);
    expect(page).not.toMatch(/Oscar|Ada|Secret|@|Foreign|Gone|access_token/);
  });

  test('what is not watched yet is no alarm, and not well either', async () => {
    const own = await openLab(server);
    const { path } = await makeLink(await signedIn(server, own.ada));
    const freezer = await own.freezer({ name: 'Calm', ...LIMITS });
    await freezer.reads(-80);
    await own.freezer({ name: 'New one' });
    const page = await (await openWall(path)).text();
    expect(page).toContain('Not everything is watched yet');
    expect(page).toContain('1 of 2 services watched');
    expect(page).toContain('1 not watched yet');
    expect(page).not.toContain('All is well');
  });

  test('all is well, until everything is stale', async () => {
    const own = await openLab(server);
    const { path } = await makeLink(await signedIn(server, own.ada));
    const freezer = await own.freezer({ name: 'Calm', stale_after_minutes: 5, ...LIMITS });
    await freezer.reads(-80);
    const calm = await (await openWall(path)).text();
    expect(calm).toContain('All is well');
    expect(calm).not.toContain('No service reports');
    await own.advance(minutes(10));
    expect(await (await openWall(path)).text()).toContain('No service reports any more');
  });

  test('a hundred services in alarm have eighteen tiles, and the rest is counted', async () => {
    const own = await openLab(server);
    const { path } = await makeLink(await signedIn(server, own.ada));
    const services = Array.from({ length: 100 }, (_, index) => ({
      name: `Unit ${index}`,
      device: { key: `unit-${index}` },
      ...LIMITS,
    }));
    await own.applyAll(services);
    await own.post(services.map(({ device: { key } }) => ({ device: key, values: { temperature: -40 } })));
    const page = await (await openWall(path)).text();
    expect(tilesOf(page)).toHaveLength(18);
    expect(page).toContain('and 82 more');
    expect(page.match(/wall-dot-critical/g)).toHaveLength(100);
  });
});

describe('of one location', () => {
  test('shows what stands there and nothing else, and is gone with the location', async () => {
    const own = await openLab(server);
    const administrator = await signedIn(server, own.ada);
    const here = await own.freezer({ name: 'Here', location: 'Biobank', asset: 'A', ...LIMITS });
    const there = await own.freezer({ name: 'There', location: 'Hall', asset: 'B', ...LIMITS });
    await here.reads(-50);
    await there.reads(-50);
    const [place] = await server.db.query<{ id: number }>(
      sql`select id from location where organization_id = ${own.organization} and name = 'Biobank'`,
    );
    const location = String(place?.id);
    const made = await expectPage(
      await administrator.send(`${WALL}/create`, { name: 'Door', location }),
      200,
    );
    const path = /href="(\/wall\/[\w-]+)"/.exec(made)?.[1] ?? '';
    const html = await expectPage(await openWall(path), 200);
    expect(html).toContain(`<h1>Biobank · ${own.organizationName}</h1>`);
    expect(html).toContain('<h2>Here</h2>');
    expect(html).not.toContain('There');
    expect(await administrator.read(WALL)).toContain('of Biobank');
    expect(await recordsOf('Door')).toMatchObject([{ action: 'wall.create', by: 'Ada' }]);

    await server.db.query(sql`update asset set location_id = null where location_id = ${place?.id}`);
    const removed = await administrator.send('/settings/locations/delete', { location_id: location });
    expect(removed.status).toBe(303);
    expect((await openWall(path)).status).toBe(404);
  });

  test.each(['another organization', 'nowhere'])('that is of %s is refused', async (whose) => {
    const own = await openLab(server);
    await own.freezer({ location: 'Secret room', asset: 'S' });
    const [place] = await server.db.query<{ id: number }>(
      sql`select id from location where organization_id = ${own.organization}`,
    );
    const olga = await signedIn(server, own.olga);
    const location = whose === 'nowhere' ? 'x' : String(place?.id);
    const html = await expectPage(await olga.send(`${WALL}/create`, { name: 'Mine', location }), 422);
    expect(html).not.toContain('Secret room');
    expect(await server.db.query(sql`select id from wall_link where name = 'Mine'`)).toEqual([]);
  });
});

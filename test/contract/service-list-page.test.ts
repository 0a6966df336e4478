import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  archive,
  createFreezer,
  minutesAgo,
  setAlarm,
  setDowntime,
  setLimits,
  setStale,
  setTelemetry,
} from '../support/equipment.ts';
import { readFreezer, storeReadings } from '../support/history.ts';
import { hours } from '../support/movable-clock.ts';
import { expectPage } from '../support/page.ts';
import { invitePeople, type People } from '../support/people.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
let people: People;
beforeAll(async () => {
  server = await startServer();
});
beforeEach(async () => {
  people = await invitePeople(server);
});

const read = async (path: string, person = people.vera) => expectPage(await person.get(path), 200);
/** The names in the order they are listed. */
const namesOn = (html: string) =>
  [...html.matchAll(/class="row-link"[^>]*>([^<]+)</g)].map(([, name]) => name);
const list = async (query = '', person = people.vera) => namesOn(await read(`/services${query}`, person));
const make = (...names: string[]) =>
  Promise.all(names.map((name) => createFreezer(server, people, { name })));

describe('GET /services', () => {
  test('without a session it leads to the sign-in page and back', async () => {
    const answer = await fetch(`${server.url}/services?state=critical`, { redirect: 'manual' });
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe('/login?next=%2Fservices%3Fstate%3Dcritical');
  });

  test('lists the services of the own organizations only, none that is archived, numbers in their order', async () => {
    const [, , old] = await make('Freezer 10', 'Freezer 2', 'Freezer 1', 'freezer 3');
    if (old) await archive(server, old);
    for (const person of [people.vera, people.oscar, people.ada])
      expect(await list('', person)).toEqual(['Freezer 2', 'freezer 3', 'Freezer 10']);
    expect(await list('', people.olga)).toEqual([]);
  });

  test('names are shown as they are', async () => {
    await make('<script>alert(1)</script> & "co"');
    const html = await read('/services');
    expect(html).toContain('&lt;script>alert(1)&lt;/script> &amp; &quot;co&quot;');
  });

  test('an empty list says what to do, to each according to the role', async () => {
    expect(await read('/services', people.ada)).toContain('href="/settings/services?organization=');
    expect(await read('/services', people.vera)).toContain(
      'As soon as an administrator of your organization has connected the first equipment',
    );
    expect(await read('/services', people.nora)).toContain('You belong to no organization yet');
    await make('Freezer');
    expect(await read('/services?q=nothing+like+it', people.vera)).toContain('No unit matches');
  });

  test('each row tells state, values, curve and last data', async () => {
    const freezer = await createFreezer(server, people, { name: 'Freezer', location: 'Room 101' });
    await storeReadings(server, freezer.id, { count: 24 * 60, value: readFreezer });
    await setAlarm(server, freezer, { severity: 'critical' });
    await setTelemetry(server, freezer, 'temperature', minutesAgo(server, 1));
    const html = await read('/services');
    expect(html).toContain('<span class="severity severity-critical">Critical</span>');
    expect(html).toContain('<dt>Temperature</dt><dd>1 °C</dd>');
    expect(html).toContain('<span>Room 101</span> <span>· ULT-');
    expect(html).toContain('today 03:59');
    expect(html).toMatch(
      /aria-label="Temperature over the last 24 hours".*<path class="curve-line" d="M[^"]{100,}"/s,
    );
  });
});

describe('searching and filtering', () => {
  test('words are looked for in name, location, asset and device', async () => {
    await createFreezer(server, people, { name: 'Alpha', location: 'Basement' });
    const [beta] = await make('Beta', 'Gam%ma');
    await server.db.query(sql`
      insert into device (organization_id, key, service_id, created_at)
      values (${people.organization}, ${`dev-${beta?.id}`}, ${beta?.id}, ${server.clock.read()})`);
    expect(await list('?q=alp')).toEqual(['Alpha']);
    expect(await list('?q=BASE')).toEqual(['Alpha']);
    expect(await list('?q=ult-+alpha')).toEqual(['Alpha']);
    expect(await list(`?q=dev-${beta?.id}`)).toEqual(['Beta']);
    expect(await list('?q=%25')).toEqual(['Gam%ma']);
    expect(await list('?q=alpha+beta')).toEqual([]);
    expect(await list('?q=%00')).toHaveLength(3);
    await server.db.query(sql`
      update organization set name = ${`Institute ${people.organization}`} where id = ${people.organization}`);
    expect(await list(`?q=alpha+institute+${people.organization}`)).toEqual(['Alpha']);
  });

  test('by state', async () => {
    const made = await make('C', 'W', 'S', 'M', 'D', 'N');
    const [critical, warning, stale, muted, down] = made;
    for (const one of made) {
      await setLimits(server, one);
      await setTelemetry(server, one, 'temperature', minutesAgo(server, 1));
    }
    if (!critical || !warning || !stale || !muted || !down) throw new Error('not made');
    await setAlarm(server, critical, { severity: 'critical' });
    await setAlarm(server, warning, { severity: 'warning' });
    await setStale(server, stale, minutesAgo(server, 5));
    await setStale(server, warning, minutesAgo(server, 5));
    await people.oscar.post(`/api/v1/services/${muted.id}/mute`);
    await setDowntime(server, down, -hours(1), hours(1));
    expect(await list('?state=critical')).toEqual(['C']);
    expect(await list('?state=warning')).toEqual(['W']);
    expect(await list('?state=stale')).toEqual(['W', 'S']);
    expect(await list('?state=muted')).toEqual(['M']);
    expect(await list('?state=downtime')).toEqual(['D']);
    expect(await list('?state=normal')).toEqual(['D', 'M', 'N']);
    expect(await list('?state=constructor')).toHaveLength(6);
  });

  test('by location and organization, sealed', async () => {
    await createFreezer(server, people, { name: 'Here', location: 'Room 7' });
    await make('Elsewhere');
    const [room] = await server.db.query<{ id: number }>(sql`
      select id from location where organization_id = ${people.organization}`);
    expect(await list(`?location=${room?.id}`)).toEqual(['Here']);
    expect(await list(`?organization=${people.organization}`)).toEqual(['Elsewhere', 'Here']);
    expect(await list(`?organization=${people.organization}`, people.olga)).toEqual([]);
    expect(await list(`?location=${room?.id}`, people.olga)).toEqual([]);
  });
});

describe('pages of the list', () => {
  test('every service comes once, in order, whatever page it is on', async () => {
    await make(...Array.from({ length: 120 }, (_, index) => `Unit ${index + 1}`));
    const seen: (string | undefined)[] = [];
    expect(await read('/services')).toContain('1–50 of 120');
    for (let path: string | undefined = '/services?sort=name'; path; ) {
      const html: string = await read(path);
      seen.push(...namesOn(html));
      path = /<a class="button" href="([^"]+)" rel="next"/.exec(html)?.[1]?.replaceAll('&amp;', '&');
    }
    expect(seen).toEqual(Array.from({ length: 120 }, (_, index) => `Unit ${index + 1}`));
  });

  test('the last page has a way back, and a page that is not there says so', async () => {
    await make(...Array.from({ length: 51 }, (_, index) => `Unit ${index + 1}`));
    const last = await read('/services?page=2');
    expect(last).toContain('51–51 of 51');
    expect(last).toMatch(/href="\/services" rel="prev"/);
    expect(last).not.toContain('rel="next"');
    expect(await read('/services?page=7')).toMatch(/No unit matches.*href="\/services\?page=2" rel="prev"/s);
    expect(await list('?page=0')).toHaveLength(50);
  });
});

describe('the order', () => {
  test('the worst first, the others by name, whatever their organization', async () => {
    const [, stale, warning, critical] = await make('A', 'B', 'C', 'D', 'E');
    if (!stale || !warning || !critical) throw new Error('not made');
    await setStale(server, stale, minutesAgo(server, 5));
    await setAlarm(server, warning, { severity: 'warning' });
    await setAlarm(server, critical, { severity: 'critical' });
    expect(await list()).toEqual(['D', 'C', 'B', 'A', 'E']);
    expect(await read('/services')).toMatch(/aria-sort="descending"><a class="sort" href="\/services">State/);
  });

  test('by name and by place, up and down, and the heads say which', async () => {
    await createFreezer(server, people, { name: 'One', location: 'Room 10' });
    await createFreezer(server, people, { name: 'Two', location: 'Room 9' });
    await createFreezer(server, people, { name: 'Three', location: 'Room 9b' });
    expect(await list('?sort=name')).toEqual(['One', 'Three', 'Two']);
    expect(await list('?sort=-name')).toEqual(['Two', 'Three', 'One']);
    expect((await list('?sort=place')).at(-1)).toBe('One');
    expect((await list('?sort=-place'))[0]).toBe('One');
    expect(await list('?sort=constructor')).toEqual(['One', 'Three', 'Two']);
    const html = await read('/services?sort=name&q=o');
    expect(html).toMatch(/aria-sort="ascending"><a class="sort" href="\/services\?q=o&amp;sort=-name">Unit/);
    expect(html.match(/aria-sort/g)).toHaveLength(1);
  });
});

describe('columns', () => {
  test('are chosen for oneself, and stay chosen', async () => {
    await make('Freezer');
    const answer = await people.vera.post('/services/columns?q=free&page=2', {
      'column-group': 'on',
      'column-last': 'on',
      'column-secret': 'on',
    });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/services?q=free&page=2']);
    const html = await read('/services');
    for (const head of ['Notifies', 'Last data']) expect(html).toContain(`<th scope="col">${head}`);
    for (const head of ['Latest values', 'Last 24 hours'])
      expect(html).not.toContain(`<th scope="col">${head}`);
    expect(await read('/services', people.oscar)).toContain('<th scope="col">Latest values');
  });
});

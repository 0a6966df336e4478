// The door card: what whoever stands at a unit sees without signing in, as far as the organization says.
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { doorPath } from '../../src/engine/services/doors.ts';
import { type DeliveryDesk, openDeliveryDesk, type ToldFreezer } from '../support/delivery-desk.ts';
import { hours, minutes, seconds } from '../support/movable-clock.ts';
import { expectPage, textOf } from '../support/page.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import { openVisitor, signedIn, type VisitorBrowser } from '../support/visitor.ts';

const CARDS = '/settings/door-cards';

let server: TestServer;
let desk: DeliveryDesk;
let freezer: ToldFreezer;
let ada: VisitorBrowser;
let nobody: VisitorBrowser;

beforeAll(async () => {
  server = await startServer();
});
beforeEach(async () => {
  desk = await openDeliveryDesk(server, { emails: ['cold@lab.example'] });
  freezer = await desk.freezer({ send_acknowledgements: true });
  await freezer.cools();
  server.clock.advance(minutes(1));
  ada = await signedIn(server, desk.lab.ada);
  nobody = openVisitor(server);
});

const shows = (...parts: string[]) =>
  ada.send(`${CARDS}/save`, { open: 'yes', ...Object.fromEntries(parts.map((part) => [part, 'yes'])) });
const pathOf = (generation = 0) => doorPath(server.signer, { serviceId: freezer.id, generation });
const read = async (browser = nobody) => textOf(await expectPage(await browser.open(pathOf()), 200));
const says = () => nobody.send(`${pathOf()}/here`);
const arrivals = () =>
  desk.postbox.arrivals.filter(({ letter }) => letter.notices[0].subject === 'arrival').length;
const alarm = async () => {
  await freezer.warms();
  await desk.strike();
  await desk.strike(3_000);
};

describe('who is let in', () => {
  test('nobody, until the organization says so: the sticker leads to the unit, and so to the sign-in', async () => {
    const { status, headers } = await nobody.open(pathOf());
    expect([status, headers.get('location')]).toEqual([303, `/services/${freezer.id}`]);
    expect((await says()).status).toBe(303);
    expect(await ada.read(`/services/${freezer.id}/sticker`)).toContain('signs in as usual');
    await shows();
    const answer = await nobody.open(pathOf());
    expect(answer.headers.get('x-robots-tag')).toContain('noindex');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await ada.read(`/services/${freezer.id}/sticker`)).toContain('open for everybody who scans one');
    await ada.send(`${CARDS}/save`, {});
    expect((await nobody.open(pathOf())).status).toBe(303);
  });

  test('members are led on to the unit, people of other organizations see what everybody sees', async () => {
    await shows();
    const { status, headers } = await ada.open(pathOf());
    expect([status, headers.get('location')]).toEqual([303, `/services/${freezer.id}`]);
    expect(await read(await signedIn(server, desk.lab.olga))).toContain('There is no alarm.');
  });

  test.each([
    ['a unit of another number', () => pathOf().replace(/\d+\./, '999999.')],
    ['a proof of another unit', () => pathOf().replace(/\d+\./, `${freezer.id - 1}.`)],
    ['a proof that was guessed', () => `/door/${freezer.id}.${'a'.repeat(43)}`],
    ['no proof', () => `/door/${freezer.id}`],
    ['what is no token', () => '/door/%00'],
    ['an earlier generation than there ever was', () => pathOf(-1)],
  ])('%s opens nothing', async (_what, path) => {
    await shows();
    expect((await nobody.open(path())).status).toBe(404);
    expect((await nobody.send(`${path()}/here`)).status).toBe(404);
  });

  test('an archived unit has no card', async () => {
    await shows();
    await ada.send(`/settings/services/${freezer.id}/archive`, { sure: 'yes' });
    expect((await nobody.open(pathOf())).status).toBe(404);
  });

  test('a renewed card leads nowhere by its old address, is asked about first, and stands on record', async () => {
    await shows();
    const renew = `/services/${freezer.id}/door-card/renew`;
    expect(await ada.read(renew)).toContain('leads nowhere');
    await read();
    await ada.send(renew);
    expect((await nobody.open(pathOf())).status).toBe(404);
    expect((await nobody.open(pathOf(1))).status).toBe(200);
    const oscar = await signedIn(server, desk.lab.oscar);
    expect((await oscar.send(renew)).status).toBe(404);
    expect((await nobody.open(pathOf(1))).status).toBe(200);
    const record = await server.db.query(sql`
      select account_name as "by" from audit where service_id = ${freezer.id} and action = 'service.door_card'`);
    expect(record).toEqual([{ by: 'Ada' }]);
  });

  test('what is shown is changed on record, and not again where it is so already', async () => {
    await shows('phones', 'names');
    await shows('names', 'phones');
    const records = await server.db.query(sql`
      select detail from audit where organization_id = ${desk.lab.organization} and action = 'organization.door_card'`);
    expect(records).toEqual([{ detail: { door_card: { before: null, after: ['names', 'phones'] } } }]);
  });

  test('no log and no record holds the address', async () => {
    await shows();
    await freezer.warms();
    await read();
    await says();
    const token = pathOf().replace('/door/', '');
    expect(server.logLines.join('\n')).not.toContain(token);
    const [kept] = await server.db.query<{ all: string }>(
      sql`select string_agg(detail::text, ' ') as "all" from audit`,
    );
    expect(kept?.all).not.toContain(token);
  });
});

describe('what it shows', () => {
  test('the alarm, whether people were notified, and who took it, named only where that was chosen', async () => {
    await shows();
    expect(await read()).toContain('There is no alarm.');
    await freezer.warms();
    expect(await read()).toContain('Nobody has taken it on yet.');
    await desk.strike();
    expect(await read()).toContain('People are being notified of the alarm.');
    await desk.strike(3_000);
    const told = await read();
    for (const words of [
      'Critical',
      '−40 °C',
      'critical limit of −60 °C',
      'People were notified of the alarm.',
      'Do not switch it off',
    ])
      expect(told).toContain(words);
    await desk.lab.oscar.post(`/api/v1/alarms/${freezer.id}/acknowledge`, { comment: 'Bring dry ice, Vera' });
    const taken = await read();
    expect(taken).toContain('Somebody took it on');
    for (const name of ['Oscar', 'Vera', 'Cold team', desk.lab.organizationName, 'cold@lab.example'])
      expect(taken).not.toContain(name);
    await shows('names');
    expect(await read()).toContain('Oscar took it on');
    expect(await read()).toContain('Bring dry ice, Vera');
  });

  test('that nobody was notified, where nobody was', async () => {
    await shows();
    const alone = await desk.freezer({ group: null });
    await alone.warms();
    await desk.strike();
    const path = doorPath(server.signer, { serviceId: alone.id, generation: 0 });
    expect(textOf(await nobody.read(path))).toContain('Nobody was notified of the alarm: call somebody.');
  });

  test('of what to do, as much as was chosen', async () => {
    await ada.send(`/services/${freezer.id}/what-to-do`, {
      what_to_do: 'Close the door',
      contents: 'Cell lines of patients',
      owner: 'Virology',
      phones: 'Porter: +49 30 1234',
    });
    await shows();
    for (const words of ['Close the door', 'Cell lines', 'Virology', '1234'])
      expect(await read()).not.toContain(words);
    await shows('what_to_do', 'phones');
    const page = await nobody.read(pathOf());
    expect(page).toContain('Close the door');
    expect(page).toContain('href="tel:+49301234"');
    for (const words of ['Cell lines', 'Virology']) expect(page).not.toContain(words);
  });

  test('what is said of people of other organizations is theirs', async () => {
    await shows('names', 'contents', 'owner', 'what_to_do', 'phones', 'value_class');
    const other = await openDeliveryDesk(server);
    await (await signedIn(server, other.lab.ada)).send(`${CARDS}/save`, { open: 'yes' });
    const theirs = await other.freezer();
    const path = doorPath(server.signer, { serviceId: theirs.id, generation: 0 });
    expect(textOf(await nobody.read(path))).not.toContain(
      freezer.name === theirs.name ? '\u0000' : freezer.name,
    );
    await theirs.cools();
    await freezer.warms();
    expect(textOf(await nobody.read(path))).toContain('There is no alarm.');
  });
});

describe('I am here', () => {
  test('whoever was notified hears it, once in five minutes, and it stands on record without a name', async () => {
    await shows();
    await alarm();
    expect((await says()).status).toBe(303);
    expect(await read()).toContain('It is being passed on.');
    const again = await says();
    expect(again.status).toBe(429);
    expect(Number(again.headers.get('retry-after'))).toBeGreaterThan(200);
    expect(textOf(await again.text())).toContain('Somebody said so a moment ago.');
    await desk.strike();
    await desk.strike(3_000);
    expect(arrivals()).toBe(1);
    expect(desk.postbox.arrivals.at(-1)?.letter.notices[0].said).toContain('Temperature −40 °C');
    expect(await read()).toContain('Whoever was notified of the alarm is notified of it.');
    const records = await server.db.query(sql`
      select account_id as "account", account_name as "by", detail from audit
      where service_id = ${freezer.id} and action = 'alarm.arrival'`);
    expect(records).toEqual([{ account: null, by: 'door card', detail: { severity: 'critical' } }]);
    server.clock.advance(minutes(5));
    expect((await says()).status).toBe(303);
    await desk.strike(seconds(3));
    await desk.strike(3_000);
    expect(arrivals()).toBe(2);
  });

  test('a unit that tells of no acknowledgements tells nobody, and the card says so', async () => {
    await shows();
    freezer = await desk.freezer({ send_acknowledgements: false });
    await alarm();
    await says();
    await desk.strike();
    await desk.strike(3_000);
    expect(arrivals()).toBe(0);
    expect(await read()).toContain('Nobody is notified of that: call somebody.');
  });

  test('without an alarm there is no button, and nothing is told', async () => {
    await shows();
    expect(await nobody.read(pathOf())).not.toContain('I am here');
    expect((await says()).status).toBe(303);
    await desk.strike();
    expect(arrivals()).toBe(0);
  });

  test('of ten that press at once one is told of', async () => {
    await shows();
    await alarm();
    const answers = await Promise.all(Array.from({ length: 10 }, says));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, ...Array(9).fill(429)]);
  });

  test('one address says it ten times in an hour, wherever it stands', async () => {
    await shows();
    server.clock.advance(hours(2));
    const [first] = await desk.freezers(11, { send_acknowledgements: true }).then((all) => [all]);
    await desk.warmAll(first ?? []);
    const statuses: number[] = [];
    for (const { id } of first ?? []) {
      const path = doorPath(server.signer, { serviceId: id, generation: 0 });
      statuses.push((await nobody.send(`${path}/here`)).status);
    }
    expect(statuses).toEqual([...Array(10).fill(303), 429]);
    // Whoever shares the address and stands in another organization may.
    const elsewhere = await openDeliveryDesk(server);
    await server.db.query(
      sql`update organization set door_card = '{}' where id = ${elsewhere.lab.organization}`,
    );
    const theirs = await elsewhere.freezer({ send_acknowledgements: true });
    await theirs.warms();
    const there = doorPath(server.signer, { serviceId: theirs.id, generation: 0 });
    expect((await nobody.send(`${there}/here`)).status).toBe(303);
    expect(await server.db.query(sql`select from door_arrival where service_id = ${theirs.id}`)).toHaveLength(
      1,
    );
    server.clock.advance(hours(1));
    expect(
      (
        await nobody.send(
          `${doorPath(server.signer, { serviceId: first?.[10]?.id as never, generation: 0 })}/here`,
        )
      ).status,
    ).toBe(303);
  });

  test('a form that another site sends tells nobody', async () => {
    await shows();
    await alarm();
    const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    expect((await nobody.send(`${pathOf()}/here`, {}, headers)).status).toBe(403);
  });
});

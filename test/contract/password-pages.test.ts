import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { insertLinks, type LinkPurpose, makeLink } from '../../src/engine/accounts/account-links.ts';
import { hours } from '../support/movable-clock.ts';
import { expectPage } from '../support/page.ts';
import { invitePeople, type People, type Person } from '../support/people.ts';
import { auditOf } from '../support/sign-in.ts';
import { startServer, startServerOn, type TestServer } from '../support/test-server.ts';
import { openVisitor, signedIn } from '../support/visitor.ts';

let server: TestServer;
let people: People;
beforeAll(async () => {
  server = await startServer();
});

const queuedFor = ({ id }: Person) =>
  server.db.query<{ kind: string }>(sql`select kind from account_mail where account_id = ${id} order by id`);

describe('/forgot-password', () => {
  beforeAll(async () => {
    people = await invitePeople(server);
  });
  const ask = (email: string) => openVisitor(server).send('/forgot-password', { email });

  test('the form', async () => {
    const html = await expectPage(await openVisitor(server).open('/forgot-password'), 200);
    expect(html).toMatch(/<label for="email">.*name="email"/s);
  });

  test('answers alike for those who have an account and those who have not', async () => {
    const { vera } = people;
    const [known, unknown] = [await ask(` ${vera.email.toUpperCase()} `), await ask('nobody@lab.example')];
    for (const answer of [known, unknown]) {
      expect(answer.status).toBe(303);
      expect(answer.headers.get('location')).toBe('/forgot-password/sent');
    }
    expect(await queuedFor(vera)).toEqual([{ kind: 'password_reset' }]);
    expect(await openVisitor(server).read('/forgot-password/sent')).toContain(
      'If there is an account with this address',
    );
  });

  test.each(['', 'vera', 'a b@c'])('%j is no address', async (email) => {
    expect(await expectPage(await ask(email), 422)).toContain('Enter your email address');
  });

  test('another site cannot ask', async () => {
    const form = { email: people.oscar.email };
    await expectPage(
      await openVisitor(server).send('/forgot-password', form, { 'sec-fetch-site': 'cross-site' }),
      403,
    );
    expect(await queuedFor(people.oscar)).toEqual([]);
  });

  test('too often from one place', async () => {
    const own = await startServerOn(server.db);
    let answer = await openVisitor(own).send('/forgot-password', { email: 'nobody@lab.example' });
    for (let count = 0; count < 30 && answer.status === 303; count += 1)
      answer = await openVisitor(own).send('/forgot-password', { email: 'nobody@lab.example' });
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await expectPage(answer, 429)).toContain('Too many requests. Try again in');
  });
});

describe.each<[LinkPurpose, string]>([
  ['password_reset', '/reset-password'],
  ['activation', '/activate'],
])('a link for %s', (purpose, path) => {
  const NEW = 'a new password of words';
  async function invite() {
    const { oscar } = await invitePeople(server);
    const link = makeLink(
      { accountId: oscar.id, purpose, invitationId: null, isPrivate: true },
      server.clock.read(),
    );
    await server.db.transaction((tx) => insertLinks(tx, [link], server.clock.read()));
    return { oscar, address: `${path}/${link.token}` };
  }
  const set = (address: string, password: string, repeated = password) =>
    openVisitor(server).send(address, { password, repeated });

  test('asks for a password twice, and names the account', async () => {
    const { oscar, address } = await invite();
    const html = await expectPage(await openVisitor(server).open(address), 200);
    expect(html).toContain(oscar.email);
    expect(html).toMatch(/name="password".*name="repeated"/s);
  });

  test('looking at it, however often, does not use it up; setting a password does', async () => {
    const { oscar, address } = await invite();
    for (let count = 0; count < 3; count += 1) await expectPage(await openVisitor(server).open(address), 200);
    const answer = await set(address, NEW);
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe('/login?news=password-set');
    const signs = await openVisitor(server).send('/login', { username: oscar.email, password: NEW });
    expect(signs.status).toBe(303);
    await expectPage(await openVisitor(server).open(address), 404);
    await expectPage(await set(address, NEW), 404);
  });

  test('ends every session the account had, and is on record', async () => {
    const { oscar, address } = await invite();
    const browser = await signedIn(server, oscar);
    await set(address, NEW);
    expect((await browser.open('/settings/groups')).headers.get('location')).toMatch(/^\/login/);
    expect((await auditOf(server, oscar)).map(({ action }) => action)).toContain('account.set_password');
  });

  test.each([
    ['1234567', '1234567', 'at least 8 characters'],
    ['', '', 'at least 8 characters'],
    ['iloveyou1', 'iloveyou1', 'among the first that others would try'],
    ['Oscar2026!', 'Oscar2026!', 'among the first that others would try'],
    ['a new password', 'another one', 'The two passwords differ.'],
  ])('%j and %j: refused, and the link still works', async (password, repeated, words) => {
    const { address } = await invite();
    const html = await expectPage(await set(address, password, repeated), 422);
    expect(html).toContain(words);
    if (password !== '') expect(html).not.toContain(`value="${password}"`);
    expect((await set(address, NEW)).status).toBe(303);
  });

  test('does not work for the other purpose, nor when made up, nor too late', async () => {
    const { address } = await invite();
    const token = address.split('/').at(-1) ?? '';
    const other = purpose === 'activation' ? '/reset-password' : '/activate';
    for (const dead of [
      `${other}/${token}`,
      `${path}/nonsense`,
      `${path}/%00`,
      `${path}/${'x'.repeat(2000)}`,
    ]) {
      expect(await expectPage(await openVisitor(server).open(dead), 404)).toContain(
        'This link does not work any more',
      );
      await expectPage(await set(dead, NEW), 404);
    }
    const late = await startServerOn(server.db);
    late.clock.advance(hours(purpose === 'activation' ? 7 * 24 : 1));
    await expectPage(await openVisitor(late).open(address), 404);
  });

  test('another site cannot send the form', async () => {
    const { address } = await invite();
    const form = { password: NEW, repeated: NEW };
    await expectPage(await openVisitor(server).send(address, form, { origin: 'https://evil.example' }), 403);
    expect((await set(address, NEW)).status).toBe(303);
  });
});

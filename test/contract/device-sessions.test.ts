// Staying signed in on a device: a browser that begins its next session by itself, and asks again before what is dangerous.
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isDangerous } from '../../src/domain/accounts/dangerous.ts';
import { forgetDevices } from '../../src/engine/accounts/device-sessions.ts';
import { HURTS } from '../support/acts-that-hurt.ts';
import { hours, minutes } from '../support/movable-clock.ts';
import { expectPage, textOf } from '../support/page.ts';
import { invitePeople, PASSWORD, type People } from '../support/people.ts';
import { askToken, auditOf, signsIn } from '../support/sign-in.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import { openVisitor, type VisitorBrowser } from '../support/visitor.ts';

let server: TestServer;
let people: People;
let phone: VisitorBrowser;
beforeAll(async () => {
  server = await startServer();
});
beforeEach(async () => {
  people = await invitePeople(server);
  phone = openVisitor(server);
});

const signIn = (browser: VisitorBrowser, more: Record<string, string> = {}, email = people.ada.email) =>
  browser.send('/login', { username: email, password: PASSWORD, ...more });
const stay = (browser: VisitorBrowser, email?: string) => signIn(browser, { stay: 'yes' }, email);
const isSignedIn = async (browser: VisitorBrowser) => (await browser.open('/profile')).status === 200;
const deviceCookieOf = (answer: Response) =>
  answer.headers.getSetCookie().find((line) => line.startsWith('device=')) ?? null;
const allow = (days: number) =>
  server.db.query(sql`update organization set device_days = ${days} where id = ${people.organization}`);

describe('a browser that stays signed in', () => {
  test('gets a cookie of its own, for 90 days; without the choice it gets none', async () => {
    const cookie = deviceCookieOf(await stay(phone));
    expect(cookie).toMatch(/^device=[\w-]{43}; Max-Age=7776000; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(deviceCookieOf(await signIn(openVisitor(server)))).toBeNull();
  });

  test('begins the next session by itself, on record as what it is', async () => {
    await stay(phone);
    server.clock.advance(hours(9));
    const answer = await phone.open('/profile');
    expect(answer.status).toBe(200);
    expect(deviceCookieOf(answer)).toContain('Max-Age=7776000');
    expect((await auditOf(server, people.ada)).at(-1)).toEqual({
      action: 'auth.token',
      detail: { by: 'device' },
    });
    // One session, not one for each request.
    await phone.open('/');
    const sessions = await server.db.query(sql`select from session where account_id = ${people.ada.id}`);
    expect(sessions).toHaveLength(2);
  });

  test('forgets its oldest sessions, where it forgets them itself', async () => {
    const device = /device=[\w-]+/.exec(deviceCookieOf(await stay(phone)) ?? '')?.[0] ?? '';
    for (let count = 0; count < 25; count += 1)
      expect((await openVisitor(server).open('/profile', { cookie: device })).status).toBe(200);
    const sessions = await server.db.query(sql`select from session where account_id = ${people.ada.id}`);
    expect(sessions).toHaveLength(20);
  });

  test('acknowledges at 3 am with one press on the page', async () => {
    await stay(phone, people.oscar.email);
    server.clock.advance(hours(30));
    expect((await phone.open('/')).status).toBe(200);
    // The verb answers, not the sign-in.
    expect((await phone.send('/api/v1/alarms/1/acknowledge')).status).toBe(404);
  });

  test('stays as long as it is used: 89 days and 89 days more, but not 90 at once', async () => {
    await stay(phone);
    for (const _ of [1, 2]) {
      server.clock.advance(hours(24 * 89));
      expect(await isSignedIn(phone)).toBe(true);
    }
    server.clock.advance(hours(24 * 90));
    expect(await isSignedIn(phone)).toBe(false);
    await forgetDevices(server.db, server.clock.read());
    expect(
      await server.db.query(sql`select from device_session where account_id = ${people.ada.id}`),
    ).toEqual([]);
  });

  test('changes nothing for tokens: theirs end after 8 hours', async () => {
    await stay(phone);
    const token = await signsIn(server, people.ada);
    server.clock.advance(hours(8));
    const ask = (headers: Record<string, string>) => phone.open('/api/v1/auth/me', headers);
    expect((await ask({ authorization: `Bearer ${token}` })).status).toBe(401);
    const answer = await askToken(server, { username: people.ada.email, password: PASSWORD, stay: 'yes' });
    expect(deviceCookieOf(answer)).toBeNull();
  });

  test('does nothing for another site', async () => {
    await stay(phone);
    server.clock.advance(hours(9));
    const foreign = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' };
    expect(await (await phone.open('/api/v1/auth/me', foreign)).text()).not.toContain(people.ada.email);
  });
});

describe('it ends', () => {
  const after = async (end: () => Promise<unknown>) => {
    await stay(phone);
    await end();
    server.clock.advance(hours(9));
    return isSignedIn(phone);
  };

  test.each<[string, () => Promise<unknown>]>([
    ['by signing out there', () => phone.open('/api/v1/auth/logout')],
    [
      'by signing out anywhere else',
      async () => {
        const desk = openVisitor(server);
        await signIn(desk);
        await desk.open('/api/v1/auth/logout');
      },
    ],
    [
      'by a new password',
      () =>
        phone.send('/profile/password', {
          current_password: PASSWORD,
          password: 'a-longer-and-new-one-73',
          password_again: 'a-longer-and-new-one-73',
        }),
    ],
    [
      'when the account is deactivated',
      () => server.db.query(sql`update account set is_active = false where id = ${people.ada.id}`),
    ],
    ['when the organization forbids it', () => allow(0)],
    ['by signing in anew without staying', () => signIn(phone)],
    ['by signing in as somebody else', () => signIn(phone, {}, people.oscar.email)],
  ])('%s', async (_, end) => {
    expect(await after(end)).toBe(false);
    await allow(90);
  });

  test('from the list on the profile of another browser, asked first, and its sessions with it', async () => {
    await stay(phone);
    const desk = openVisitor(server);
    await signIn(desk);
    const profile = await desk.read('/profile');
    expect(textOf(profile)).toContain('Where you stay signed in');
    const [end] = /\/profile\/devices\/\d+\/end/.exec(profile) ?? ['none'];
    expect(textOf(await expectPage(await desk.open(end), 200))).toContain(
      'Whoever uses it is signed out at once.',
    );
    expect((await desk.send(end, { sure: 'yes' })).status).toBe(303);
    expect(await isSignedIn(phone)).toBe(false);
    expect((await desk.send(end, { sure: 'yes' })).status).toBe(404);
    expect((await auditOf(server, people.ada)).at(-1)?.action).toBe('auth.end_device');
    const other = openVisitor(server);
    await stay(other, people.oscar.email);
    const [own] = /\/profile\/devices\/\d+\/end/.exec(await other.read('/profile')) ?? ['none'];
    expect((await desk.send(own, { sure: 'yes' })).status).toBe(404);
  });

  test('with its session, and with all others', async () => {
    await stay(phone);
    const desk = openVisitor(server);
    await signIn(desk);
    await desk.send('/profile/sessions/end-others', { sure: 'yes' });
    expect(await isSignedIn(phone)).toBe(false);
  });
});

describe('the organization', () => {
  test('shortens it, also for browsers that stay already; the strictest counts', async () => {
    await stay(phone);
    const desk = openVisitor(server);
    await signIn(desk);
    const address = `/settings/members/device-days?organization=${people.organization}`;
    const form = { organization: String(people.organization) };
    expect((await desk.send(address, { ...form, device_days: '7' })).status).toBe(303);
    expect((await desk.send(address, { ...form, device_days: '91' })).status).toBe(422);
    expect((await desk.send(address, { ...form, device_days: '' })).status).toBe(422);
    server.clock.advance(hours(24 * 7));
    expect(await isSignedIn(phone)).toBe(false);
    expect(deviceCookieOf(await stay(openVisitor(server)))).toContain('Max-Age=604800');
    await allow(0);
    const refused = await stay(openVisitor(server));
    expect([refused.status, deviceCookieOf(refused)]).toEqual([303, null]);
    await allow(90);
  });
});

describe('before what is dangerous', () => {
  const invite = (browser: VisitorBrowser, more: Record<string, string> = {}) =>
    browser.send('/settings/members/invite', {
      organization: String(people.organization),
      email: 'new.person@lab.example',
      name: 'New <Person>',
      role: 'viewer',
      ...more,
    });
  const invited = () => server.db.query(sql`select from invitation where name = 'New <Person>'`);

  test('it asks for the password, keeps what was typed, and does not ask again for 15 minutes', async () => {
    await stay(phone);
    server.clock.advance(hours(9));
    const asked = await invite(phone);
    const html = await expectPage(asked, 403);
    expect(textOf(html)).toContain('Is it you?');
    expect(html).toContain('value="New &lt;Person>"');
    expect(await invited()).toEqual([]);

    const wrong = await invite(phone, { proof_password: 'not this one' });
    expect(textOf(await expectPage(wrong, 401))).toContain('Incorrect email or password');
    expect(await invited()).toEqual([]);

    expect((await invite(phone, { proof_password: PASSWORD })).status).toBe(303);
    expect(await invited()).toHaveLength(1);
    server.clock.advance(minutes(14));
    expect((await invite(phone)).status).toBe(422);
    server.clock.advance(minutes(1));
    expect((await invite(phone)).status).toBe(403);
    await server.db.query(sql`delete from invitation where name = 'New <Person>'`);
  });

  test('whoever just signed in is not asked; nor is a session that was begun without staying, however old', async () => {
    await stay(phone);
    expect((await invite(phone, { role: 'wrong' })).status).toBe(422);
    const desk = openVisitor(server);
    await signIn(desk);
    server.clock.advance(hours(7));
    expect((await invite(desk, { role: 'wrong' })).status).toBe(422);
    expect((await invite(phone, { role: 'wrong' })).status).toBe(403);
  });

  test('of all acts on settings that ask first, these alone need no password', () => {
    const asked = Object.entries(HURTS).flatMap(([route, hurt]) =>
      hurt && 'question' in hurt ? [route.split(' ')[1] ?? ''] : [],
    );
    const own = asked.filter((route) => /^\/(settings|profile)\//.test(route) && !isDangerous(route));
    expect(own.sort()).toMatchInlineSnapshot(`
      [
        "/profile/devices/:device_id/end",
        "/profile/sessions/:session_id/end",
        "/profile/sessions/end-others",
        "/settings/devices/:device_id/assign",
        "/settings/lab-hours/clear",
        "/settings/rotas/feed",
      ]
    `);
  });
});

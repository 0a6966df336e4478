import sql from 'sql-template-tag';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { forgetSessions } from '../../src/engine/accounts/sessions.ts';
import { openStream } from '../support/live-stream.ts';
import { hours, minutes } from '../support/movable-clock.ts';
import { expectPage } from '../support/page.ts';
import { invitePeople, PASSWORD, type People } from '../support/people.ts';
import { askMe, askToken, auditOf, signsIn } from '../support/sign-in.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import { openVisitor, type VisitorBrowser } from '../support/visitor.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';

let server: TestServer;
let people: People;
let desk: VisitorBrowser;
let phone: VisitorBrowser;
beforeAll(async () => {
  server = await startServer();
});
beforeEach(async () => {
  people = await invitePeople(server);
  [desk, phone] = [await signInWith(FIREFOX), await signInWith(PHONE)];
});

async function signInWith(userAgent: string): Promise<VisitorBrowser> {
  const browser = openVisitor(server);
  const form = { username: people.vera.email, password: PASSWORD };
  expect((await browser.send('/login', form, { 'user-agent': userAgent })).status).toBe(303);
  return browser;
}

const isSignedIn = async (browser: VisitorBrowser) => (await browser.open('/profile')).status === 200;
const listed = async (browser: VisitorBrowser) =>
  [
    ...(await browser.read('/profile')).matchAll(
      /<strong>([^<]+)<\/strong>( \(this one\))?<p class="muted">(.*?)<\/p>/gs,
    ),
  ].map(([, program, mark, when = '']) => `${program}${mark ?? ''}: ${when.replaceAll(/<[^>]+>/g, '')}`);
const endOf = async (browser: VisitorBrowser, program: string): Promise<string> => {
  const html = await browser.read('/profile');
  const label = `aria-label="End the session of ${program}"`;
  const before = html.slice(0, html.indexOf(label));
  return before.slice(before.lastIndexOf('/profile/sessions/')).split('"')[0] ?? '';
};

test('the profile lists where one is signed in, in plain words, and marks this one', async () => {
  expect(
    (
      await askToken(
        server,
        { username: people.vera.email, password: PASSWORD },
        { 'user-agent': 'curl/8.5.0' },
      )
    ).status,
  ).toBe(200);
  expect(await listed(desk)).toEqual([
    expect.stringMatching(
      /^curl: since (today|yesterday) \d\d:\d\d, last seen (today|yesterday) \d\d:\d\d from 127\.0\.0\.1$/,
    ),
    expect.stringMatching(/^Safari on iPhone: /),
    expect.stringMatching(/^Firefox on Linux \(this one\): /),
  ]);
});

test('what is used was seen just now, whatever it was used for, at most once a minute', async () => {
  const seen = async () =>
    server.db.query<{ at: Date }>(
      sql`select last_seen_at as at from session where account_id = ${people.vera.id} order by id`,
    );
  const [began] = await seen();
  server.clock.advance(minutes(1) - 1);
  await desk.open('/services');
  expect((await seen())[0]).toEqual(began);
  server.clock.advance(1);
  await desk.open('/api/v1/auth/me');
  expect(await seen()).toEqual([{ at: server.clock.read() }, began]);
});

test('one session is ended from another, which goes on; its record says which', async () => {
  const answer = await desk.send(await endOf(desk, 'Safari on iPhone'));
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/profile?done=session']);
  expect(await desk.read('/profile?done=session')).toContain('That session is ended.');
  expect([await isSignedIn(desk), await isSignedIn(phone)]).toEqual([true, false]);
  expect(await listed(desk)).toHaveLength(1);
  expect((await auditOf(server, people.vera)).at(-1)).toEqual({
    action: 'auth.end_session',
    detail: { program: 'Safari on iPhone', from: '127.0.0.1' },
  });
});

test('the token of a script is refused from then on', async () => {
  const token = await signsIn(server, people.vera);
  expect((await askMe(server, token)).status).toBe(200);
  await desk.send('/profile/sessions/end-others');
  expect((await askMe(server, token)).status).toBe(401);
});

test('an open page of an ended session hears no more', async () => {
  const token = await signsIn(server, people.vera);
  const stream = await openStream(server, { authorization: `Bearer ${token}` });
  expect(stream.status).toBe(200);
  await desk.send('/profile/sessions/end-others');
  await stream.ended;
});

test('all others are ended at once, and what is ended twice is on record once', async () => {
  for (let time = 0; time < 2; time += 1) {
    const answer = await desk.send('/profile/sessions/end-others');
    expect(answer.headers.get('location')).toBe('/profile?done=others');
  }
  expect([await isSignedIn(desk), await isSignedIn(phone)]).toEqual([true, false]);
  expect(await desk.read('/profile')).not.toContain('End all others');
  const records = (await auditOf(server, people.vera)).filter(({ action }) => action.startsWith('auth.end'));
  expect(records).toEqual([{ action: 'auth.end_other_sessions', detail: { sessions: 1 } }]);
});

test('who ends this one is signed out here', async () => {
  const own =
    (await desk.read('/profile')).match(/href="([^"]+)"[^>]*aria-label="End this session"/)?.[1] ?? '';
  expect((await desk.send(own)).headers.get('location')).toBe('/login');
  expect([await isSignedIn(desk), await isSignedIn(phone)]).toEqual([false, true]);
});

test('whoever signs in again in the same browser has one session there, and not two', async () => {
  await desk.signsIn(people.vera);
  expect(await listed(phone)).toHaveLength(2);
  await desk.signsIn(people.oscar);
  expect(await listed(phone)).toEqual([expect.stringMatching(/^Safari on iPhone \(this one\)/)]);
});

test('nobody ends the session of somebody else, nor one that is not there', async () => {
  const oscar = openVisitor(server);
  await oscar.signsIn(people.oscar);
  await expectPage(await oscar.send(await endOf(desk, 'Safari on iPhone')), 404);
  for (const id of ['0', 'x', '2147483647', '99999999999', '-1'])
    await expectPage(await oscar.send(`/profile/sessions/${id}/end`), 404);
  await oscar.send('/profile/sessions/end-others');
  expect([await isSignedIn(oscar), await isSignedIn(desk), await isSignedIn(phone)]).toEqual([
    true,
    true,
    true,
  ]);
  expect(await oscar.read('/profile')).not.toContain('Safari on iPhone');
});

test('another site can end none', async () => {
  const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
  await expectPage(await desk.send('/profile/sessions/end-others', {}, foreign), 403);
  expect(await isSignedIn(phone)).toBe(true);
});

test('what a password change, signing out everywhere or eight hours ended is not listed', async () => {
  await desk.open('/api/v1/auth/logout');
  desk = await signInWith(FIREFOX);
  expect(await listed(desk)).toEqual([expect.stringMatching(/^Firefox on Linux \(this one\)/)]);
  server.clock.advance(hours(8));
  const later = await signInWith(PHONE);
  expect(await listed(later)).toHaveLength(1);
});

test('a session is forgotten after a week, not by a clock that is wrong by hours', async () => {
  const isKept = () => server.db.query(sql`select 1 from session where account_id = ${people.vera.id}`);
  const now = server.clock.read().getTime();
  await forgetSessions(server.db, new Date(now + hours(24 * 7) - 1));
  expect(await isSignedIn(desk)).toBe(true);
  await forgetSessions(server.db, new Date(now + hours(24 * 7)));
  expect(await isKept()).toEqual([]);
});

test('a session whose address changed shows the last one', async () => {
  await server.db.query(sql`update session set address = '192.0.2.7' where account_id = ${people.vera.id}`);
  server.clock.advance(minutes(2));
  await phone.open('/');
  expect((await listed(phone)).join()).toMatch(
    /Safari on iPhone \(this one\): .* from 127\.0\.0\.1.*from 192\.0\.2\.7/,
  );
});

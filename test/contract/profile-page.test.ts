import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectPage } from '../support/page.ts';
import { invitePeople, PASSWORD, type People } from '../support/people.ts';
import { askMe, askToken, auditOf, signsIn } from '../support/sign-in.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import { openVisitor, signedIn, type VisitorBrowser } from '../support/visitor.ts';

let server: TestServer;
let people: People;
let vera: VisitorBrowser;
beforeAll(async () => {
  server = await startServer();
});
beforeEach(async () => {
  people = await invitePeople(server);
  vera = await signedIn(server, people.vera);
});

const NEW = 'a much newer password';
const change = (form: Record<string, string> = {}) =>
  vera.send('/profile/password', { current_password: PASSWORD, password: NEW, password_again: NEW, ...form });
const canSignIn = async (password: string) =>
  (await askToken(server, { username: people.vera.email, password })).status === 200;

test('everybody has one, also without any role; without a session there is none', async () => {
  expect(await expectPage(await vera.open('/profile'), 200)).toContain('viewer');
  const nora = await signedIn(server, people.nora);
  expect(await expectPage(await nora.open('/profile'), 200)).toContain('not a member of any organization');
  expect((await openVisitor(server).open('/profile')).headers.get('location')).toBe('/login?next=%2Fprofile');
});

describe('name and zone', () => {
  test('are saved, count at once, and are on record', async () => {
    const answer = await vera.send('/profile/save', { name: ' Vera <V> ', timezone: 'America/New_York' });
    expect(answer.headers.get('location')).toBe('/profile?done=save');
    expect(await vera.read('/profile')).toContain('value="Vera &lt;V>"');
    expect(await (await vera.open('/api/v1/auth/me')).json()).toMatchObject({
      name: 'Vera <V>',
      timezone: 'America/New_York',
    });
    expect((await auditOf(server, people.vera)).at(-1)).toMatchObject({
      action: 'account.edit',
      detail: { changes: { timezone: { before: 'Europe/Berlin', after: 'America/New_York' } } },
    });
    const count = (await auditOf(server, people.vera)).length;
    await vera.send('/profile/save', { name: 'Vera <V>', timezone: 'America/New_York' });
    expect(await auditOf(server, people.vera)).toHaveLength(count);
  });

  test.each([
    [{ name: ' ', timezone: 'UTC' }, 'Write your name'],
    [{ name: 'x'.repeat(201), timezone: 'UTC' }, 'at most 200'],
    [{ name: 'Vera', timezone: 'Mars/Olympus' }, 'There is no such time zone'],
    [{ name: 'Vera', timezone: '' }, 'There is no such time zone'],
  ])('%j is refused', async (form, text) => {
    expect(await expectPage(await vera.send('/profile/save', form), 422)).toContain(text);
    expect(await (await vera.open('/api/v1/auth/me')).json()).toMatchObject({ timezone: 'Europe/Berlin' });
  });
});

describe('password', () => {
  test('is changed; other sessions end, this one goes on', async () => {
    const elsewhere = await signsIn(server, people.vera);
    const answer = await change();
    expect(answer.headers.get('location')).toBe('/profile?done=password');
    expect(answer.headers.getSetCookie().join()).toMatch(
      /^access_token=[^;]+; Max-Age=28800; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    expect(await expectPage(await vera.open('/profile?done=password'), 200)).toContain(
      'Your password is changed',
    );
    expect((await askMe(server, elsewhere)).status).toBe(401);
    expect(await canSignIn(PASSWORD)).toBe(false);
    expect(await canSignIn(NEW)).toBe(true);
    expect((await auditOf(server, people.vera)).map(({ action }) => action)).toContain(
      'account.set_password',
    );
  });

  test.each([
    [{ current_password: 'wrong' }, 'This is not your current password'],
    [{ current_password: '' }, 'This is not your current password'],
    [{ password: 'short', password_again: 'short' }, 'at least 8 characters'],
    [{ password: 'baseball', password_again: 'baseball' }, 'among the first that others would try'],
    [{ password: 'Vera-1234', password_again: 'Vera-1234' }, 'among the first that others would try'],
    [{ password_again: 'different' }, 'not the same'],
  ])('%j is refused, and no password stands in the page', async (form, text) => {
    const html = await expectPage(await change(form), 422);
    expect(html).toContain(text);
    expect(html).not.toContain(NEW);
    expect(await canSignIn(PASSWORD)).toBe(true);
  });

  test('guessing the current one is throttled like a sign-in', async () => {
    for (let count = 0; count < 5; count += 1) await change({ current_password: `guess ${count}` });
    expect(await expectPage(await change(), 422)).toContain('Too many attempts. Try again in 2s.');
    expect(await canSignIn(PASSWORD)).toBe(false);
  });
});

test('sign out everywhere ends all sessions', async () => {
  const elsewhere = await signsIn(server, people.vera);
  expect(await vera.read('/profile')).toContain('Sign out everywhere');
  await vera.send('/api/v1/auth/logout');
  expect((await askMe(server, elsewhere)).status).toBe(401);
});

import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hours } from '../support/movable-clock.ts';
import { invitePeople, type People } from '../support/people.ts';
import { askMe, auditOf, signsIn } from '../support/sign-in.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
let people: People;
beforeAll(async () => {
  server = await startServer();
});
beforeEach(async () => {
  people = await invitePeople(server);
});

const logOut = (method: string, headers: Record<string, string> = {}, body?: BodyInit) =>
  fetch(`${server.url}/api/v1/auth/logout`, { method, headers, redirect: 'manual', ...(body && { body }) });

const expectToLeadToLogin = (answer: Response) => {
  expect(answer.status).toBe(302);
  expect(answer.headers.get('location')).toBe('/login');
};

describe.each(['GET', 'POST'])('%s /api/v1/auth/logout', (method) => {
  test.each([
    ['header', (token: string) => ({ authorization: `Bearer ${token}` })],
    ['cookie', (token: string) => ({ cookie: `access_token=${token}` })],
  ])('with a valid token as %s: 302, and all tokens of the account are rejected', async (_, carry) => {
    const phone = await signsIn(server, people.vera);
    const desk = await signsIn(server, people.vera);
    const answer = await logOut(method, carry(phone) as Record<string, string>);
    expectToLeadToLogin(answer);
    expect(answer.headers.get('set-cookie')).toMatch(/^access_token=;.*Path=\/.*Expires=Thu, 01 Jan 1970/);
    for (const token of [phone, desk]) {
      const me = await askMe(server, token);
      expect(me.status).toBe(401);
      expect(await me.json()).toEqual({ detail: 'Could not validate credentials' });
    }
    expect(await auditOf(server, people.vera)).toContainEqual({ action: 'auth.logout', detail: {} });
  });

  test('without a token: 302, nothing happens', async () => {
    expectToLeadToLogin(await logOut(method));
  });

  test('with a malformed token: 302', async () => {
    expectToLeadToLogin(await logOut(method, { authorization: 'Bearer nonsense' }));
    expectToLeadToLogin(await logOut(method, { authorization: 'Bearer' }));
  });
});

describe('logout changes nothing for other sessions', () => {
  test('with an already revoked token', async () => {
    const old = await signsIn(server, people.vera);
    await logOut('POST', { authorization: `Bearer ${old}` });
    const fresh = await signsIn(server, people.vera);
    expectToLeadToLogin(await logOut('POST', { authorization: `Bearer ${old}` }));
    expect((await askMe(server, fresh)).status).toBe(200);
    const records = await auditOf(server, people.vera);
    expect(records.filter(({ action }) => action === 'auth.logout')).toHaveLength(1);
  });

  test('with an expired token', async () => {
    const old = await signsIn(server, people.vera);
    server.clock.advance(hours(8));
    const fresh = await signsIn(server, people.vera);
    expectToLeadToLogin(await logOut('POST', { authorization: `Bearer ${old}` }));
    expect((await askMe(server, fresh)).status).toBe(200);
  });

  test('with an invalid header beside a valid cookie', async () => {
    const token = await signsIn(server, people.vera);
    expectToLeadToLogin(
      await logOut('POST', { authorization: 'Bearer nonsense', cookie: `access_token=${token}` }),
    );
    expect((await askMe(server, token)).status).toBe(200);
  });

  test('when another site sends the cookie along', async () => {
    const token = await signsIn(server, people.vera);
    const answer = await logOut('GET', { cookie: `access_token=${token}`, 'sec-fetch-site': 'cross-site' });
    expectToLeadToLogin(answer);
    expect(answer.headers.get('set-cookie')).toBeNull();
    expect((await askMe(server, token)).status).toBe(200);
  });

  test('of other people', async () => {
    const oscar = await signsIn(server, people.oscar);
    await logOut('POST', { authorization: `Bearer ${await signsIn(server, people.vera)}` });
    expect((await askMe(server, oscar)).status).toBe(200);
  });
});

describe('a body does not matter to logout', () => {
  test.each([
    ['a form', 'a=1', 'application/x-www-form-urlencoded'],
    ['broken UTF-8', 'a=%ff', 'application/x-www-form-urlencoded'],
    ['JSON', '{"a":', 'application/json'],
    ['two megabytes', 'x'.repeat(2 * 1024 * 1024), 'text/plain'],
  ])('%s', async (_, body, type) => {
    const token = await signsIn(server, people.vera);
    const answer = await logOut('POST', { authorization: `Bearer ${token}`, 'content-type': type }, body);
    expectToLeadToLogin(answer);
    expect((await askMe(server, token)).status).toBe(401);
  });
});

test('two logouts at the same moment leave one record', async () => {
  const token = await signsIn(server, people.vera);
  await Promise.all(Array.from({ length: 10 }, () => logOut('POST', { authorization: `Bearer ${token}` })));
  const records = await auditOf(server, people.vera);
  expect(records.filter(({ action }) => action === 'auth.logout')).toHaveLength(1);
});

import { beforeAll, describe, expect, test } from 'vitest';
import { invitePeople, type People } from '../support/people.ts';
import { signsIn } from '../support/sign-in.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
let people: People;
let token: string;
beforeAll(async () => {
  server = await startServer();
  people = await invitePeople(server);
  token = await signsIn(server, people.vera);
});

const ask = (headers: Record<string, string> = {}) => fetch(`${server.url}/api/v1/auth/me`, { headers });
const ANONYMOUS = { id: null, name: null, email: null, timezone: 'UTC' };

describe('GET /api/v1/auth/me', () => {
  test('200: exactly id, name, email and timezone', async () => {
    const answer = await ask({ authorization: `Bearer ${token}` });
    expect(answer.status).toBe(200);
    const { id, email } = people.vera;
    expect(await answer.json()).toEqual({ id, name: 'Vera', email, timezone: 'Europe/Berlin' });
  });

  test('200 with the anonymous values when no token was sent', async () => {
    const answer = await ask();
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual(ANONYMOUS);
  });

  test.each([
    ['another scheme', 'Basic dmVyYTp4'],
    ['a word that only begins like it', 'Bearers abc'],
  ])('%s counts as no token', async (_, authorization) => {
    expect(await (await ask({ authorization })).json()).toEqual(ANONYMOUS);
  });

  test.each(['bearer', 'BEARER', 'BeArEr'])('the scheme may be written %s', async (scheme) => {
    expect(await (await ask({ authorization: `${scheme} ${token}` })).json()).toMatchObject({ name: 'Vera' });
  });

  test.each([
    ['malformed', 'Bearer nonsense'],
    ['empty', 'Bearer'],
    ['empty after a space', 'Bearer '],
    ['with another word behind', 'Bearer a b'],
  ])('401 Could not validate credentials: %s', async (_, authorization) => {
    const answer = await ask({ authorization });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    expect(await answer.json()).toEqual({ detail: 'Could not validate credentials' });
  });

  test('401: a token whose account is gone', async () => {
    const stranger = await server.signer.issue(
      { accountId: 2147483647 as never, generation: 1 },
      server.clock.read(),
    );
    expect((await ask({ authorization: `Bearer ${stranger}` })).status).toBe(401);
  });
});

describe('the token as a cookie', () => {
  const cookie = () => `access_token=${token}`;

  test('is accepted from our own pages and from scripts', async () => {
    expect(await (await ask({ cookie: cookie() })).json()).toMatchObject({ name: 'Vera' });
    const own = { cookie: cookie(), 'sec-fetch-site': 'same-origin', origin: server.url };
    expect(await (await ask(own)).json()).toMatchObject({ name: 'Vera' });
  });

  test.each([
    ['Sec-Fetch-Site', { 'sec-fetch-site': 'cross-site' }],
    ['Origin', { origin: 'https://evil.example' }],
  ])('counts as no token when %s names another site', async (_, headers) => {
    expect(await (await ask({ cookie: cookie(), ...headers })).json()).toEqual(ANONYMOUS);
  });

  test('a bearer header counts from anywhere', async () => {
    const answer = await ask({ authorization: `Bearer ${token}`, 'sec-fetch-site': 'cross-site' });
    expect(await answer.json()).toMatchObject({ name: 'Vera' });
  });

  test('an invalid cookie is 401 like an invalid header', async () => {
    expect((await ask({ cookie: 'access_token=nonsense' })).status).toBe(401);
  });

  test('a bearer header beats the cookie', async () => {
    const oscar = await signsIn(server, people.oscar);
    const both = await ask({ authorization: `Bearer ${oscar}`, cookie: cookie() });
    expect(await both.json()).toMatchObject({ name: 'Oscar' });
    expect((await ask({ authorization: 'Bearer nonsense', cookie: cookie() })).status).toBe(401);
  });

  test('another scheme leaves the cookie in force', async () => {
    const answer = await ask({ authorization: 'Basic dmVyYTp4', cookie: cookie() });
    expect(await answer.json()).toMatchObject({ name: 'Vera' });
  });
});

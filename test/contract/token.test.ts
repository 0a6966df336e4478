import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AcceptedPassword } from '../../src/domain/accounts/password.ts';
import { MOST_FROM_ADDRESS } from '../../src/domain/accounts/sign-in-throttle.ts';
import { hashPassword } from '../../src/platform/auth/password.ts';
import { minutes, seconds } from '../support/movable-clock.ts';
import { invitePeople, PASSWORD, type People } from '../support/people.ts';
import { askMe, askToken, auditOf, signsIn } from '../support/sign-in.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
let people: People;
beforeAll(async () => {
  server = await startServer();
});
beforeEach(async () => {
  people = await invitePeople(server);
});

const fails = (username: string) => askToken(server, { username, password: 'wrong' });
const failsTimes = async (username: string, times: number) => {
  for (let count = 0; count < times; count += 1) await fails(username);
};

describe('POST /api/v1/auth/token, the answer', () => {
  test('200: exactly access_token and token_type bearer', async () => {
    const answer = await askToken(server, { username: people.vera.email, password: PASSWORD });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('set-cookie')).toBeNull();
    expect(await answer.json()).toEqual({ access_token: expect.any(String), token_type: 'bearer' });
  });

  test('the token opens the door', async () => {
    const answer = await askMe(server, await signsIn(server, people.vera));
    expect(await answer.json()).toMatchObject({ email: people.vera.email });
  });

  test.each([
    ['in capitals', (email: string) => email.toUpperCase()],
    ['with spaces around it', (email: string) => `  ${email}\t`],
  ])('the email may come %s', async (_, write) => {
    const answer = await askToken(server, { username: write(people.vera.email), password: PASSWORD });
    expect(answer.status).toBe(200);
  });

  test('grant_type is accepted for compatibility', async () => {
    const form = { username: people.vera.email, password: PASSWORD, grant_type: 'password' };
    expect((await askToken(server, form)).status).toBe(200);
  });

  test('a form may be multipart', async () => {
    const body = new FormData();
    body.set('username', people.vera.email);
    body.set('password', PASSWORD);
    const answer = await fetch(`${server.url}/api/v1/auth/token`, { method: 'POST', body });
    expect(answer.status).toBe(200);
  });

  test('of a repeated field the last one counts', async () => {
    const body = new URLSearchParams([
      ['username', 'nobody@lab.example'],
      ['username', people.vera.email],
      ['password', PASSWORD],
    ]);
    expect((await fetch(`${server.url}/api/v1/auth/token`, { method: 'POST', body })).status).toBe(200);
  });

  test('whatever token comes along is ignored', async () => {
    const form = { username: people.vera.email, password: PASSWORD };
    expect((await askToken(server, form, { authorization: 'Bearer nonsense' })).status).toBe(200);
  });

  test('a password is compared exactly, spaces included', async () => {
    const answer = await askToken(server, { username: people.vera.email, password: ` ${PASSWORD}` });
    expect(answer.status).toBe(401);
  });
});

describe('POST /api/v1/auth/token, the authentication errors', () => {
  test('401 Incorrect email or password: wrong password', async () => {
    const answer = await fails(people.vera.email);
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    expect(await answer.json()).toEqual({ detail: 'Incorrect email or password' });
  });

  test('401 Incorrect email or password: unknown email', async () => {
    const answer = await fails(`nobody.${people.organization}@lab.example`);
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    expect(await answer.json()).toEqual({ detail: 'Incorrect email or password' });
  });

  test('401 Incorrect email or password: account without password', async () => {
    await server.db.query(sql`update account set password_hash = null where id = ${people.vera.id}`);
    const answer = await askToken(server, { username: people.vera.email, password: PASSWORD });
    expect(answer.status).toBe(401);
    expect(await answer.json()).toEqual({ detail: 'Incorrect email or password' });
  });

  test('400 Inactive user: correct password, deactivated account', async () => {
    await server.db.query(sql`update account set is_active = false where id = ${people.vera.id}`);
    const answer = await askToken(server, { username: people.vera.email, password: PASSWORD });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toEqual({ detail: 'Inactive user' });
  });

  test('401, not 400: wrong password, deactivated account', async () => {
    await server.db.query(sql`update account set is_active = false where id = ${people.vera.id}`);
    expect((await fails(people.vera.email)).status).toBe(401);
  });

  test('429 Too many attempts: throttled', async () => {
    await failsTimes(people.vera.email, 5);
    const answer = await askToken(server, { username: people.vera.email, password: PASSWORD });
    expect(answer.status).toBe(429);
    expect(answer.headers.get('retry-after')).toBe('2');
    expect(await answer.json()).toEqual({ detail: 'Too many attempts. Try again in 2s.' });
  });

  test.each([
    ['no form at all', {}, ['username', 'password']],
    ['no username', { password: 'x' }, ['username']],
    ['a blank username', { username: ' ', password: 'x' }, ['username']],
    ['no password', { username: 'a@lab.example' }, ['password']],
    ['an empty password', { username: 'a@lab.example', password: '' }, ['password']],
  ])('422: %s', async (_, form, missing) => {
    const answer = await askToken(server, form as Record<string, string>);
    expect(answer.status).toBe(422);
    expect(await answer.json()).toEqual({
      detail: missing.map((field) => ({
        type: 'missing',
        loc: ['body', field],
        msg: 'Field required',
        input: null,
      })),
    });
  });

  test('422: a NUL character in the email', async () => {
    const answer = await askToken(server, { username: 'a\0@lab.example', password: 'x' });
    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({ detail: [{ loc: ['body', 'username'] }] });
  });

  test('422: JSON instead of a form counts as an empty form', async () => {
    const answer = await fetch(`${server.url}/api/v1/auth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: people.vera.email, password: PASSWORD }),
    });
    expect(answer.status).toBe(422);
  });
});

describe('the throttle of the token endpoint', () => {
  const waitOf = async (username: string) => {
    const answer = await askToken(server, { username, password: 'wrong' });
    const { detail } = (await answer.json()) as { detail: string };
    return answer.status === 429 ? Number(/Try again in (\d+)s\.$/.exec(detail)?.[1]) : answer.status;
  };

  test('five failures are free, then 2, 4, 8 … up to 300 seconds', async () => {
    const { email } = people.vera;
    const answers: number[] = [];
    for (let failure = 1; failure <= 14; failure += 1) {
      answers.push(await waitOf(email));
      const wait = failure >= 5 ? await waitOf(email) : 0;
      answers.push(wait);
      server.clock.advance(seconds(wait));
    }
    const perFailure = answers.filter((_, index) => index % 2 === 1);
    expect(answers.filter((_, index) => index % 2 === 0)).toEqual(Array(14).fill(401));
    expect(perFailure).toEqual([0, 0, 0, 0, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]);
  });

  test('N is rounded up and at least 1', async () => {
    await failsTimes(people.vera.email, 5);
    server.clock.advance(1999);
    expect(await waitOf(people.vera.email)).toBe(1);
    server.clock.advance(1);
    expect(await waitOf(people.vera.email)).toBe(401);
  });

  test('an attempt answered 429 changes nothing, not even with the right password', async () => {
    await failsTimes(people.vera.email, 5);
    for (let count = 0; count < 3; count += 1) {
      const answer = await askToken(server, { username: people.vera.email, password: PASSWORD });
      expect(answer.status).toBe(429);
    }
    server.clock.advance(seconds(2));
    expect(await waitOf(people.vera.email)).toBe(401);
    expect(await waitOf(people.vera.email)).toBe(4);
  });

  test('a successful sign-in clears the counter', async () => {
    await failsTimes(people.vera.email, 4);
    await signsIn(server, people.vera);
    await failsTimes(people.vera.email, 4);
    expect((await fails(people.vera.email)).status).toBe(401);
    expect(await waitOf(people.vera.email)).toBe(2);
  });

  test('Inactive user neither counts nor clears', async () => {
    await failsTimes(people.vera.email, 4);
    await server.db.query(sql`update account set is_active = false where id = ${people.vera.id}`);
    await askToken(server, { username: people.vera.email, password: PASSWORD });
    expect(await waitOf(people.vera.email)).toBe(401);
    expect(await waitOf(people.vera.email)).toBe(2);
  });

  test('unknown emails are counted like known ones, after the same normalisation', async () => {
    const email = `ghost.${people.organization}@lab.example`;
    await failsTimes(email, 4);
    await fails(` ${email.toUpperCase()} `);
    expect(await waitOf(email)).toBe(2);
  });

  test('other people are not held up', async () => {
    await failsTimes(people.vera.email, 6);
    expect(await signsIn(server, people.oscar)).toEqual(expect.any(String));
  });

  test('guesses made at the same moment are counted one by one', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => fails(people.vera.email)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(5).fill(401), ...Array(15).fill(429)]);
    expect(await waitOf(people.vera.email)).toBe(2);
  });

  test('429 for those who come while dozens of passwords wait to be checked; nobody is locked out', async () => {
    // As dear to look at as those of people who are no test.
    await server.db.query(sql`
      update account set password_hash = ${await hashPassword(PASSWORD as AcceptedPassword)} where id = ${people.vera.id}`);
    const form = { username: people.vera.email, password: PASSWORD };
    const answers = await Promise.all(Array.from({ length: 100 }, () => askToken(server, form)));
    const refused = answers.filter(({ status }) => status === 429);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]));
    expect(refused[0]?.headers.get('retry-after')).toBe('2');
    expect(await refused[0]?.json()).toEqual({
      detail: 'Too many passwords are being checked at the moment: try again in a few seconds',
    });
    expect((await askToken(server, form)).status).toBe(200);
  });

  test('many correct sign-ins at the same moment all succeed', async () => {
    const form = { username: people.vera.email, password: PASSWORD };
    const answers = await Promise.all(Array.from({ length: 20 }, () => askToken(server, form)));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  });
});

describe('the throttle counts per calling address', () => {
  test('a trusted proxy names the caller, and each caller has a counter of their own', async () => {
    const proxied = await startServer({ trustProxy: 'nearest' });
    const { vera } = await invitePeople(proxied);
    const from = (address: string, password: string) =>
      askToken(proxied, { username: vera.email, password }, { 'x-forwarded-for': address });
    for (let count = 0; count < 5; count += 1) await from('203.0.113.9', 'wrong');
    expect((await from('203.0.113.9', PASSWORD)).status).toBe(429);
    expect((await from('203.0.113.10', PASSWORD)).status).toBe(200);
    expect((await from('203.0.113.9', PASSWORD)).status).toBe(429);
  });

  test('of what a client writes into the header itself, nothing is believed', async () => {
    const proxied = await startServer({ trustProxy: 'nearest' });
    const { vera } = await invitePeople(proxied);
    const answers = [];
    for (let count = 0; count < 6; count += 1)
      answers.push(
        await askToken(
          proxied,
          { username: vera.email, password: 'wrong' },
          { 'x-forwarded-for': `198.51.100.${count}, 203.0.113.9` },
        ),
      );
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 429]);
  });

  test('addresses of one IPv6 network count together', async () => {
    const proxied = await startServer({ trustProxy: 'nearest' });
    const { vera } = await invitePeople(proxied);
    const from = (address: string) =>
      askToken(proxied, { username: vera.email, password: 'wrong' }, { 'x-forwarded-for': address });
    for (let count = 1; count <= 5; count += 1) await from(`2001:db8:1:2::${count}`);
    expect((await from('2001:db8:1:2:ffff::')).status).toBe(429);
    expect((await from('2001:db8:1:3::1')).status).toBe(401);
  });

  test('trying one password on many accounts comes to an end, and begins anew when the window is over', async () => {
    const proxied = await startServer({ trustProxy: 'nearest' });
    const { vera } = await invitePeople(proxied);
    const from = (address: string, username: string, password = 'wrong') =>
      askToken(proxied, { username, password }, { 'x-forwarded-for': address });
    await proxied.db.query(sql`
      insert into sign_in_budget (address, failures, window_began_at)
      values ('203.0.113.9', ${MOST_FROM_ADDRESS - 2}, ${proxied.clock.read()})`);
    const answers = [
      await from('203.0.113.9', 'one@lab.example'),
      await from('203.0.113.9', 'two@lab.example'),
      await from('203.0.113.9', 'three@lab.example'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 429]);
    expect(await answers[2]?.json()).toEqual({ detail: 'Too many attempts. Try again in 900s.' });
    expect((await from('203.0.113.9', vera.email, PASSWORD)).status).toBe(429);
    expect((await from('203.0.113.10', vera.email, PASSWORD)).status).toBe(200);
    proxied.clock.advance(minutes(15));
    expect((await from('203.0.113.9', 'four@lab.example')).status).toBe(401);
    expect((await from('203.0.113.9', vera.email, PASSWORD)).status).toBe(200);
  });

  test('without a trusted proxy the header is only a claim', async () => {
    for (let count = 0; count < 5; count += 1) {
      await askToken(
        server,
        { username: people.vera.email, password: 'wrong' },
        { 'x-forwarded-for': `203.0.113.${count}` },
      );
    }
    const form = { username: people.vera.email, password: PASSWORD };
    expect((await askToken(server, form, { 'x-forwarded-for': '203.0.113.77' })).status).toBe(429);
  });
});

test('an email too long for any account is an unknown one, and is counted', async () => {
  const username = `${'x'.repeat(3_000)}@lab.example`;
  const answers = [];
  for (let count = 0; count < 6; count += 1)
    answers.push(await askToken(server, { username, password: 'wrong' }));
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 429]);
});

describe('the audit records of sign-in', () => {
  test('a token request, and failures against an existing account', async () => {
    await fails(people.vera.email);
    await signsIn(server, people.vera);
    await server.db.query(sql`update account set is_active = false where id = ${people.vera.id}`);
    await askToken(server, { username: people.vera.email, password: PASSWORD });
    expect(await auditOf(server, people.vera)).toEqual([
      { action: 'auth.sign_in_failed', detail: { reason: 'password' } },
      { action: 'auth.token', detail: {} },
      { action: 'auth.sign_in_failed', detail: { reason: 'inactive' } },
    ]);
  });

  test('a failure against an unknown email leaves no record', async () => {
    const count = async () =>
      (await server.db.query<{ n: number }>(sql`select count(*)::int as n from audit`))[0]?.n;
    const before = await count();
    await fails(`stranger.${people.organization}@lab.example`);
    expect(await count()).toBe(before);
  });

  test('no password and no token ever reaches the log', async () => {
    const token = await signsIn(server, people.vera);
    await askToken(server, { username: people.vera.email, password: 'a-wrong-secret' });
    await askMe(server, token);
    const log = server.logLines.join('');
    for (const secret of [PASSWORD, 'a-wrong-secret', token]) expect(log).not.toContain(secret);
  });
});

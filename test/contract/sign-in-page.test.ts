import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { openPool } from '../../src/platform/db/database.ts';
import { hours } from '../support/movable-clock.ts';
import { expectPage } from '../support/page.ts';
import { invitePeople, PASSWORD, type People } from '../support/people.ts';
import { sendRaw } from '../support/raw-http.ts';
import { auditOf } from '../support/sign-in.ts';
import { createEmptyDatabase } from '../support/test-database.ts';
import { startServer, startServerOn, type TestServer } from '../support/test-server.ts';
import { openVisitor, signedIn } from '../support/visitor.ts';

let server: TestServer;
let people: People;
beforeAll(async () => {
  server = await startServer();
  people = await invitePeople(server);
});

const cookieOf = (answer: Response) => answer.headers.getSetCookie().join('\n');

describe('GET /login', () => {
  test('shows a form for email and password, to everybody', async () => {
    const html = await expectPage(await openVisitor(server).open('/login'), 200);
    expect(html).toContain('<title>Sign in · Tocsin</title>');
    expect(html).toMatch(/<label for="username">.*name="username".*<label for="password">.*name="password"/s);
    expect(html).not.toContain('<nav');
  });

  test('an outdated cookie does not matter', async () => {
    await expectPage(await openVisitor(server).open('/login', { cookie: 'access_token=nonsense' }), 200);
  });

  test('says who is signed in already, and still lets somebody else sign in', async () => {
    const ada = await signedIn(server, people.ada);
    const html = await expectPage(await ada.open('/login?next=/settings/groups'), 200);
    expect(html).toContain('You are signed in as Ada.');
    expect(html).toContain('<a href="/settings/groups">Go on</a>');
    expect(html).toContain('name="username"');
  });

  test.each([
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/api/v1/auth/logout',
    '"><script>',
  ])('next=%s is not kept', async (next) => {
    const html = await openVisitor(server).read(`/login?${new URLSearchParams({ next })}`);
    expect(html).not.toContain('name="next"');
    expect(html).not.toContain('evil.example');
  });

  test('news from the address are ours only', async () => {
    const browser = openVisitor(server);
    expect(await browser.read('/login?news=password-set')).toContain('Your password is set.');
    expect(await browser.read('/login?news=constructor')).not.toContain('notice');
    expect(await browser.read('/login?news=password-set&news=You+won')).not.toContain('You won');
  });
});

describe('POST /login', () => {
  test('signs in and leads to the start', async () => {
    const browser = openVisitor(server);
    const answer = await browser.signsIn(people.vera);
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe('/');
    const html = await expectPage(await browser.open('/'), 200);
    expect(html).toContain('<h1>Alarms</h1>');
    expect(html).toContain('Vera');
  });

  test('the cookie is out of reach for scripts and other sites, and lasts as long as the token', async () => {
    const cookie = cookieOf(await openVisitor(server).signsIn(people.vera));
    expect(cookie).toMatch(/^access_token=[^;]+; Max-Age=28800; Path=\/; HttpOnly; SameSite=Lax$/);
  });

  test('on HTTPS it never travels in the open', async () => {
    const secure = await startServerOn(server.db, { publicUrl: new URL('https://tocsin.lab.example') });
    const cookie = cookieOf(await openVisitor(secure).signsIn(people.vera));
    expect(cookie).toMatch(/; HttpOnly; Secure; SameSite=Lax$/);
  });

  test('it opens the HTTP interface too', async () => {
    const vera = await signedIn(server, people.vera);
    expect(await (await vera.open('/api/v1/auth/me')).json()).toMatchObject({ name: 'Vera' });
  });

  test.each([
    ['/settings/groups', '/settings/groups'],
    ['/acknowledge/abc?x=1', '/acknowledge/abc?x=1'],
    ['', '/'],
    ['https://evil.example/', '/'],
    ['//evil.example/', '/'],
    ['/\\evil.example/', '/'],
    ['/%09/evil.example', '/%09/evil.example'],
    ['/\t/evil.example', '/'],
    ['javascript:alert(1)', '/'],
    ['/api/v1/auth/logout', '/'],
    ['/login', '/'],
  ])('next %j leads to %s', async (next, location) => {
    const answer = await openVisitor(server).signsIn(people.vera, next);
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe(location);
  });

  test('email in any case and with spaces', async () => {
    const form = { username: `  ${people.vera.email.toUpperCase()} `, password: PASSWORD };
    expect((await openVisitor(server).send('/login', form)).status).toBe(303);
  });

  test.each<Record<string, string>>([
    {},
    { username: 'vera@lab.example' },
    { username: '  ', password: 'x' },
  ])('422: %j', async (form) => {
    const html = await expectPage(await openVisitor(server).send('/login', form), 422);
    expect(html).toContain('Enter your email address and your password.');
  });

  test('a wrong password: the words of the token endpoint, the email kept and escaped, the password not', async () => {
    const form = { username: '"><script>alert(1)</script>', password: 'hush-hush', next: '/settings/groups' };
    const answer = await openVisitor(server).send('/login', form);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    expect(answer.headers.getSetCookie()).toEqual([]);
    const html = await expectPage(answer, 401);
    expect(html).toMatch(/role="alert">Incorrect email or password</);
    expect(html).toContain('value="&quot;>&lt;script>');
    expect(html).toContain('name="next" value="/settings/groups"');
    expect(html).not.toContain('hush-hush');
  });

  test('a deactivated account', async () => {
    const { nora } = await invitePeople(server);
    await server.db.query(sql`update account set is_active = false where id = ${nora.id}`);
    expect(await expectPage(await openVisitor(server).signsIn(nora), 400)).toContain('Inactive user');
  });

  test('shares the throttle with the token endpoint', async () => {
    const { oscar } = await invitePeople(server);
    const fail = () => openVisitor(server).send('/login', { username: oscar.email, password: 'wrong' });
    for (let count = 0; count < 5; count += 1) expect((await fail()).status).toBe(401);
    const answer = await openVisitor(server).signsIn(oscar);
    expect(answer.headers.get('retry-after')).toBe('2');
    expect(await expectPage(answer, 429)).toContain('Too many attempts. Try again in 2s.');
    const body = new URLSearchParams({ username: oscar.email, password: PASSWORD });
    expect((await fetch(`${server.url}/api/v1/auth/token`, { method: 'POST', body })).status).toBe(429);
  });

  test('is on record like a token request', async () => {
    const { vera } = await invitePeople(server);
    await openVisitor(server).send('/login', { username: vera.email, password: 'wrong' });
    await openVisitor(server).signsIn(vera);
    expect((await auditOf(server, vera)).map(({ action }) => action)).toEqual([
      'auth.sign_in_failed',
      'auth.token',
    ]);
  });

  test.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['a sibling host', { 'sec-fetch-site': 'same-site' }],
    ['another origin', { 'sec-fetch-site': 'none', origin: 'https://evil.example' }],
    ['a sandboxed frame', { 'sec-fetch-site': 'none', origin: 'null' }],
  ])('%s cannot sign anybody in', async (_, headers) => {
    const form = { username: people.vera.email, password: PASSWORD };
    const answer = await openVisitor(server).send('/login', form, headers);
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(await expectPage(answer, 403)).toContain('This was sent by another site');
  });

  test('characters that no text may have', async () => {
    const form = { username: 'a\0b', password: 'x' };
    await expectPage(await openVisitor(server).send('/login', form), 422);
  });
});

describe('signing out', () => {
  test('the button in the header ends the session and leads to the sign-in page', async () => {
    const { vera } = await invitePeople(server);
    const browser = await signedIn(server, vera);
    expect(await browser.read('/')).toContain(
      '<form class="session" method="post" action="/api/v1/auth/logout">',
    );
    const answer = await browser.send('/api/v1/auth/logout');
    expect(answer.headers.get('location')).toBe('/login');
    expect((await browser.open('/')).headers.get('location')).toBe('/login');
  });
});

describe('without a session', () => {
  test.each([
    ['/', '/login'],
    ['/settings/groups', '/login?next=%2Fsettings%2Fgroups'],
    ['/settings/groups?x=1&y=%26', '/login?next=%2Fsettings%2Fgroups%3Fx%3D1%26y%3D%2526'],
  ])('%s leads to %s', async (path, location) => {
    const answer = await openVisitor(server).open(path);
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe(location);
  });

  test.each(['nonsense', ''])('an invalid cookie (%j) counts as none', async (token) => {
    const answer = await openVisitor(server).open('/', { cookie: `access_token=${token}` });
    expect(answer.headers.get('location')).toBe('/login');
  });

  test('after 8 hours a session is over', async () => {
    const own = await startServerOn(server.db);
    const vera = await signedIn(own, people.vera);
    own.clock.advance(hours(8));
    expect((await vera.open('/')).headers.get('location')).toBe('/login');
  });

  test('a form comes back to the page it stood on', async () => {
    const referer = `${server.url}/settings/groups/7?x=1`;
    const answer = await openVisitor(server).send('/settings/groups', {}, { referer });
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe('/login?next=%2Fsettings%2Fgroups%2F7%3Fx%3D1');
    const stray = await openVisitor(server).send(
      '/settings/groups',
      {},
      { referer: 'https://evil.example/x' },
    );
    expect(stray.headers.get('location')).toBe('/login');
  });
});

describe('a page opened from elsewhere', () => {
  const openFromElsewhere = async (path: string, mode: string) => {
    const token = await server.signer.issue(
      { accountId: people.vera.id, generation: 1 },
      server.clock.read(),
    );
    // fetch has a mode of its own.
    const answer = await sendRaw(
      server.url,
      [
        `GET ${path} HTTP/1.1`,
        'Host: x',
        'Connection: close',
        'Sec-Fetch-Site: cross-site',
        `Sec-Fetch-Mode: ${mode}`,
        `Cookie: access_token=${token}\r\n\r\n`,
      ].join('\r\n'),
    );
    return Number(answer.split(' ')[1]);
  };

  test('a link on another site opens it with the session', async () => {
    expect(await openFromElsewhere('/', 'navigate')).toBe(200);
  });

  test('a picture or a script on another site does not', async () => {
    expect(await openFromElsewhere('/', 'no-cors')).toBe(303);
  });

  test('the HTTP interface stays closed to both', async () => {
    expect(await openFromElsewhere('/api/v1/alarms', 'navigate')).toBe(401);
  });
});

describe('errors are pages too', () => {
  test.each(['/nothing', '/login/x', '/apix', '/services/7/nothing'])('404 %s', async (path) => {
    const html = await expectPage(await openVisitor(server).open(path), 404);
    expect(html).toContain('Page not found');
  });

  test('405 names the methods', async () => {
    const answer = await fetch(`${server.url}/login`, { method: 'DELETE' });
    expect(answer.headers.get('allow')).toBe('GET, HEAD, POST');
    await expectPage(answer, 405);
  });

  test('400 and 413 for a body that cannot be read', async () => {
    const post = (body: string) =>
      fetch(`${server.url}/login`, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
    await expectPage(await post('username=%ff'), 400);
    await expectPage(await post('x'.repeat(1024 * 1024 + 1)), 413);
  });

  test('500 says nothing about the inside', async () => {
    const bare = await startServerOn((await createEmptyDatabase()).db);
    const html = await expectPage(await openVisitor(bare).signsIn(people.vera), 500);
    expect(html).toContain('Something went wrong');
    expect(html).not.toContain('does not exist');
  });

  test('503 while the database is away, for programs with the time to wait; what is only shown comes back', async () => {
    const broken = await startServerOn(openPool({ host: '127.0.0.1', port: 1 }, () => {}));
    const answer = await openVisitor(broken).signsIn(people.vera);
    expect(answer.headers.get('retry-after')).toBe('5');
    const html = await expectPage(answer, 503);
    expect(html).toContain('Not available at the moment');
    expect(html).not.toContain('ECONNREFUSED');
    expect(html).not.toContain('http-equiv="refresh"');
    const shown = await expectPage(await fetch(`${broken.url}/setup`), 503);
    expect(shown).toContain('http-equiv="refresh"');
  });

  test('the HTTP interface, the assets and health stay as they are', async () => {
    for (const path of ['/api/v1/nothing', '/api', '/assets/nothing.css', '/health/x']) {
      const answer = await fetch(server.url + path, { headers: { accept: 'text/html' } });
      expect(await answer.json()).toEqual({ detail: 'Not Found' });
    }
  });
});

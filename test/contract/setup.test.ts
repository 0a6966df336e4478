import sql from 'sql-template-tag';
import { describe, expect, test } from 'vitest';
import { makeSetupCode } from '../../src/features/setup/setup-code.ts';
import { seconds } from '../support/movable-clock.ts';
import { expectPage } from '../support/page.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import { openVisitor } from '../support/visitor.ts';

const FORM = {
  organization: 'Cell Biology',
  name: 'Ada',
  email: ' Ada@Lab.example ',
  password: 'correct horse battery',
  timezone: 'Europe/Berlin',
  begin: 'empty',
};

async function begin(): Promise<{ server: TestServer; code: string }> {
  const server = await startServer();
  return { server, code: await makeSetupCode(server.db, server.clock.read()) };
}

const countAccounts = async ({ db }: TestServer) =>
  (await db.query<{ count: number }>(sql`select count(*)::int as "count" from account`))[0]?.count;

test('every page leads to the setup, which makes the first administrator, signs in and is gone', async () => {
  const { server, code } = await begin();
  const browser = openVisitor(server);
  for (const path of ['/', '/services', '/login', '/settings', '/forgot-password', '/wall/x']) {
    const answer = await browser.open(path);
    expect([path, answer.status, answer.headers.get('location')]).toEqual([path, 303, '/setup']);
  }
  expect((await fetch(`${server.url}/api/v1/health`)).status).toBe(200);
  expect((await fetch(`${server.url}/api/v1/alarms`)).status).toBe(401);
  await expectPage(await browser.open('/setup'), 200);

  const done = await browser.send('/setup', { ...FORM, code: code.toLowerCase().replaceAll('-', ' ') });
  expect([done.status, done.headers.get('location')]).toEqual([303, '/']);
  expect(await expectPage(await browser.open('/settings'), 200)).toContain('Cell Biology');
  const [account] = await server.db.query(sql`
    select email, account.name, timezone, role, is_keeper from account join membership on account_id = account.id`);
  expect(account).toEqual({
    email: 'ada@lab.example',
    name: 'Ada',
    timezone: 'Europe/Berlin',
    role: 'administrator',
    is_keeper: true,
  });
  const actions = await server.db.query<{ action: string }>(sql`select action from audit order by id`);
  expect(actions.map(({ action }) => action)).toEqual([
    'account.create',
    'keeper.add',
    'setup.complete',
    'auth.token',
  ]);

  await expectPage(await browser.open('/setup'), 404);
  await expectPage(
    await openVisitor(server).send('/setup', { ...FORM, code, email: 'eve@lab.example' }),
    404,
  );
  expect(await countAccounts(server)).toBe(1);
  expect(await server.db.query(sql`select 1 from setup_code`)).toEqual([]);
  expect(server.logLines.join('\n')).not.toContain(code);
});

test('an account made at the command line ends it, too', async () => {
  const { server } = await begin();
  await server.db.query(
    sql`insert into account (email, name, created_at) values ('a@lab.example', 'A', ${server.clock.read()})`,
  );
  expect((await openVisitor(server).open('/setup')).status).toBe(404);
  expect((await openVisitor(server).open('/')).headers.get('location')).toBe('/login');
});

test('of two people at once one wins', async () => {
  const { server, code } = await begin();
  const answers = await Promise.all(
    ['ada', 'eve'].map((name) =>
      openVisitor(server).send('/setup', { ...FORM, code, name, email: `${name}@lab.example` }),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 404]);
  expect(await countAccounts(server)).toBe(1);
});

test('guessing the code is slowed down, and a right one has to wait as well', async () => {
  const { server, code } = await begin();
  const browser = openVisitor(server);
  for (let tries = 0; tries < 5; tries += 1)
    expect((await browser.send('/setup', { ...FORM, code: 'WRONG' })).status).toBe(422);
  const held = await browser.send('/setup', { ...FORM, code });
  expect([held.status, held.headers.get('retry-after')]).toEqual([429, '2']);
  expect(await held.text()).toContain('Too many attempts. Try again in 2s.');
  server.clock.advance(seconds(2));
  expect((await browser.send('/setup', { ...FORM, code })).status).toBe(303);
});

describe('what cannot be used', () => {
  test.each([
    ['code', '', 'This is not the code'],
    ['organization', ' ', 'Enter the name of your lab'],
    ['name', '', 'Enter your name'],
    ['email', 'ada', 'Enter your email address'],
    ['password', 'short', 'at least 8 characters'],
    ['password', 'Password123', 'among the first that others would try'],
    ['password', 'Ada-12345', 'among the first that others would try'],
    ['timezone', 'Mars/Base', 'Unknown time zone'],
  ])('%s is refused in words, and the rest stays typed', async (field, value, words) => {
    const { server, code } = await begin();
    const answer = await openVisitor(server).send('/setup', { ...FORM, code, [field]: value });
    const page = await expectPage(answer, 422);
    expect(page).toContain(words);
    expect(page).not.toContain(FORM.password);
    if (field !== 'organization') expect(page).toContain('value="Cell Biology"');
    expect(await countAccounts(server)).toBe(0);
  });

  test('a form of another site makes no account', async () => {
    const { server, code } = await begin();
    const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    expect((await openVisitor(server).send('/setup', { ...FORM, code }, headers)).status).toBe(403);
    expect(await countAccounts(server)).toBe(0);
  });
});

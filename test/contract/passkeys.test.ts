import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { COMMAND_LINE } from '../../src/domain/accounts/requester.ts';
import { MOSTS, sayMost } from '../../src/domain/mosts.ts';
import { setPassword } from '../../src/engine/accounts/accounts.ts';
import { forgetAnsweredChallenges } from '../../src/engine/accounts/passkeys.ts';
import { type Device, type Lies, openDevice } from '../support/authenticator.ts';
import { hours, minutes } from '../support/movable-clock.ts';
import { expectPage } from '../support/page.ts';
import { invitePeople, PASSWORD, type People, type Person } from '../support/people.ts';
import { auditOf } from '../support/sign-in.ts';
import { startServer, startServerOn, type TestServer } from '../support/test-server.ts';
import { openVisitor, signedIn, type VisitorBrowser } from '../support/visitor.ts';

let server: TestServer;
/** The same program by the name that browsers allow passkeys for. */
let site: { url: string };
let people: People;
beforeAll(async () => {
  server = await startServer();
  site = { url: server.url.replace('127.0.0.1', 'localhost') };
});
beforeEach(async () => {
  people = await invitePeople(server);
});

type Options = { challenge: string; user: { id: string } } & Record<string, unknown>;

const askFor = async (browser: VisitorBrowser, form: Record<string, string>) =>
  (await (await browser.send('/profile/passkeys/options', form)).json()) as Options;
const askToSignIn = async (browser: VisitorBrowser) =>
  (await (await browser.send('/login/passkey/options')).json()) as Options;

/** A person's device with a passkey here. */
async function furnish(person: Person): Promise<Device> {
  const device = openDevice(site.url);
  const browser = await signedIn(site, person);
  const answer = device.make(await askFor(browser, { current_password: PASSWORD }));
  const added = await browser.send('/profile/passkeys', { answer, name: 'Phone' });
  expect(added.headers.get('location')).toBe('/profile?done=passkey');
  return device;
}

async function signInWith(device: Device, lies?: Lies, browser = openVisitor(site)) {
  const answer = device.use(await askToSignIn(browser), lies);
  return browser.send('/login/passkey', { answer, next: '/services' });
}

describe('a passkey', () => {
  test('is one too many where a person has as many as there may be', async () => {
    const device = openDevice(site.url);
    const browser = await signedIn(site, people.oscar);
    const answer = device.make(await askFor(browser, { current_password: PASSWORD }));
    await server.db.query(sql`
      insert into passkey (account_id, credential_id, public_key, signatures, host, name, created_at)
      select ${people.oscar.id}, 'filled-' || gen_random_uuid(), '', 0, 'localhost', 'Filled', ${server.clock.read()}
      from generate_series(1, ${MOSTS.passkeys.most}::int)`);
    const refused = await browser.send('/profile/passkeys', { answer, name: 'Phone' });
    expect(await refused.text()).toContain(sayMost('passkeys'));
  });

  test('is added with the password, signs in without any, and is removed', async () => {
    const device = await furnish(people.oscar);
    const profile = await (await signedIn(site, people.oscar)).read('/profile');
    expect(profile).toContain('<strong>Phone</strong>');
    expect(profile).toContain('never used');

    const browser = openVisitor(site);
    const answer = await signInWith(device, {}, browser);
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe('/services');
    expect(await browser.read('/profile')).toContain('last used');
    expect(await auditOf(server, people.oscar)).toContainEqual({
      action: 'auth.token',
      detail: { passkey: 'Phone' },
    });

    const [, id] = /passkeys\/(\d+)\/remove/.exec(await browser.read('/profile')) ?? [];
    await browser.send(`/profile/passkeys/${id}/remove`);
    expect(await browser.read('/profile')).not.toContain('<strong>Phone</strong>');
    expect((await signInWith(device)).status).toBe(401);
    const actions = (await auditOf(server, people.oscar)).map(({ action }) => action);
    expect(actions).toContain('account.add_passkey');
    expect(actions).toContain('account.remove_passkey');
  });

  test('is offered for this host, with verification, to no site that asks for more', async () => {
    const browser = await signedIn(site, people.vera);
    const options = await askFor(browser, { current_password: PASSWORD });
    expect(options).toMatchObject({
      rp: { id: 'localhost' },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    expect(await askToSignIn(openVisitor(site))).toMatchObject({
      rpId: 'localhost',
      userVerification: 'required',
    });
  });

  test('is told about by mail', async () => {
    await furnish(people.vera);
    const mails = await server.db.query(
      sql`select kind from account_mail where account_id = ${people.vera.id}`,
    );
    expect(mails).toEqual([{ kind: 'passkey_added' }]);
  });

  test('asking for one leaves a single session, and a wrong password none', async () => {
    const browser = await signedIn(site, people.vera);
    await askFor(browser, { current_password: PASSWORD });
    const sessions = () => server.db.query(sql`select id from session where account_id = ${people.vera.id}`);
    expect(await sessions()).toHaveLength(1);
    const refused = await browser.send('/profile/passkeys/options', { current_password: 'wrong' });
    expect([refused.status, await refused.text()]).toEqual([422, 'This is not your password.']);
    expect(await sessions()).toHaveLength(1);
  });

  test('works at another program of the same service, which answers once', async () => {
    const other = await startServerOn(server.db);
    const there = { url: other.url.replace('127.0.0.1', 'localhost') };
    const device = openDevice(there.url);
    const browser = await signedIn(there, people.vera);
    const answer = device.make(await askFor(browser, { current_password: PASSWORD }));
    await browser.send('/profile/passkeys', { answer, name: 'Key' });

    const visitor = openVisitor(there);
    const options = await visitor.send('/login/passkey/options');
    const cookie = options.headers.getSetCookie().join().split(';')[0] ?? '';
    const given = device.use((await options.json()) as Options);
    const send = () => openVisitor(there).send('/login/passkey', { answer: given }, { cookie });
    expect((await send()).status).toBe(303);
    expect((await send()).status).toBe(401);
  });
});

describe('what a device signs counts for nothing', () => {
  test.each<[string, Lies]>([
    ['of another site', { origin: 'https://evil.example' }],
    ['for another host', { host: 'evil.example' }],
    ['for another challenge', { challenge: Buffer.alloc(32, 'x').toString('base64url') }],
    ['that was not unlocked', { isVerified: false }],
    ['that nobody touched', { isPresent: false }],
    ['with another key', { isForged: true }],
    ['that says it makes a passkey', { type: 'webauthn.create' }],
    ['in the name of somebody else', { userHandle: Buffer.from('1').toString('base64url') }],
    ['in the name of nobody', { userHandle: '%%%' }],
  ])('%s', async (_, lies) => {
    const device = await furnish(people.oscar);
    const answer = await signInWith(device, lies);
    expect(answer.status).toBe(401);
    expect(await expectPage(answer, 401)).toContain('This passkey opens no account here.');
    expect((await auditOf(server, people.oscar)).at(-1)).toEqual({
      action: 'auth.sign_in_failed',
      detail: { reason: 'passkey' },
    });
    expect((await signInWith(device)).status).toBe(303);
  });

  test('that counts backwards: it may be a copy', async () => {
    const device = await furnish(people.oscar);
    expect((await signInWith(device, { signatures: 7 })).status).toBe(303);
    expect((await signInWith(device, { signatures: 7 })).status).toBe(401);
    expect((await signInWith(device, { signatures: 6 })).status).toBe(401);
    expect((await signInWith(device, { signatures: 8 })).status).toBe(303);
  });

  test('that does not count is fine', async () => {
    const device = await furnish(people.oscar);
    expect((await signInWith(device, { signatures: 0 })).status).toBe(303);
    expect((await signInWith(device, { signatures: 0 })).status).toBe(303);
  });

  test('asked for by another browser, or five minutes ago', async () => {
    const device = await furnish(people.oscar);
    const browser = openVisitor(site);
    const answer = device.use(await askToSignIn(browser));
    const elsewhere = openVisitor(site);
    await askToSignIn(elsewhere);
    expect((await elsewhere.send('/login/passkey', { answer })).status).toBe(401);
    expect((await openVisitor(site).send('/login/passkey', { answer })).status).toBe(401);
    server.clock.advance(minutes(5));
    expect(await expectPage(await browser.send('/login/passkey', { answer }), 401)).toContain(
      'That took too long.',
    );
  });

  test('twice', async () => {
    const device = await furnish(people.oscar);
    const browser = openVisitor(site);
    const asked = await browser.send('/login/passkey/options');
    const cookie = asked.headers.getSetCookie().join().split(';')[0] ?? '';
    const answer = device.use((await asked.json()) as Options, { signatures: 0 });
    const send = () => openVisitor(site).send('/login/passkey', { answer }, { cookie });
    const statuses = (await Promise.all([send(), send(), send()])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([303, 401, 401]);
  });

  test('for an account that was deactivated', async () => {
    const device = await furnish(people.oscar);
    await server.db.query(sql`update account set is_active = false where id = ${people.oscar.id}`);
    expect(await expectPage(await signInWith(device), 400)).toContain('Inactive user');
  });

  test('after five failures in a row, for a while', async () => {
    const device = await furnish(people.oscar);
    for (let i = 0; i < 5; i += 1) expect((await signInWith(device, { isForged: true })).status).toBe(401);
    const answer = await signInWith(device);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '2']);
    server.clock.advance(2000);
    expect((await signInWith(device)).status).toBe(303);
  });

  test.each([
    '',
    'null',
    '[]',
    '{}',
    '{"id":1}',
    '{"id":"x","response":null}',
    '{"id":"x","response":{}}',
    '{',
  ])('that is %j', async (answer) => {
    const browser = openVisitor(site);
    await askToSignIn(browser);
    expect((await browser.send('/login/passkey', { answer })).status).toBe(401);
    const vera = await signedIn(site, people.vera);
    await askFor(vera, { current_password: PASSWORD });
    const refused = await vera.send('/profile/passkeys', { answer, name: 'Phone' });
    expect(await expectPage(refused, 422)).toContain('No passkey was added');
  });
});

describe('adding one is refused', () => {
  test.each<[string, Lies]>([
    ['of another site', { origin: 'https://evil.example' }],
    ['without verification', { isVerified: false }],
    ['for another challenge', { challenge: Buffer.alloc(32, 'x').toString('base64url') }],
  ])('%s', async (_, lies) => {
    const browser = await signedIn(site, people.vera);
    const options = await askFor(browser, { current_password: PASSWORD });
    const answer = openDevice(site.url).make(options, lies);
    expect((await browser.send('/profile/passkeys', { answer })).status).toBe(422);
  });

  test('to whoever signs in meanwhile', async () => {
    const browser = await signedIn(site, people.vera);
    const options = await askFor(browser, { current_password: PASSWORD });
    await browser.signsIn(people.oscar);
    const answer = openDevice(site.url).make(options);
    expect((await browser.send('/profile/passkeys', { answer })).status).toBe(422);
  });

  test('with what was asked for a sign-in', async () => {
    const browser = await signedIn(site, people.vera);
    const options = await askToSignIn(browser);
    const answer = openDevice(site.url).make({ ...options, user: { id: 'MQ' } });
    expect((await browser.send('/profile/passkeys', { answer })).status).toBe(422);
  });

  test('that another account has', async () => {
    const device = await furnish(people.vera);
    const browser = await signedIn(site, people.oscar);
    const answer = device.make(await askFor(browser, { current_password: PASSWORD }));
    expect(await expectPage(await browser.send('/profile/passkeys', { answer }), 422)).toContain(
      'has a passkey here already',
    );
  });

  test('nobody removes that of somebody else', async () => {
    await furnish(people.vera);
    const [{ id } = { id: 0 }] = await server.db.query<{ id: number }>(
      sql`select id from passkey where account_id = ${people.vera.id}`,
    );
    const olga = await signedIn(site, people.olga);
    expect((await olga.send(`/profile/passkeys/${id}/remove`)).status).toBe(404);
  });
});

describe('where passkeys cannot work', () => {
  test('at an IP address they are off, and the profile says why', async () => {
    const browser = await signedIn(server, people.vera);
    expect(await browser.read('/profile')).toContain('Tocsin is reached by the IP address 127.0.0.1 here.');
    expect(await openVisitor(server).read('/login')).not.toContain('passkey');
    expect((await browser.send('/login/passkey/options')).status).toBe(404);
    expect((await browser.send('/profile/passkeys/options', { current_password: PASSWORD })).status).toBe(
      404,
    );
    expect((await browser.send('/login/passkey', { answer: '{}' })).status).toBe(404);
  });

  test('at another host than the one everybody knows they lead there', async () => {
    const known = await startServerOn(server.db, { publicUrl: new URL('https://tocsin.lab.example') });
    const browser = await signedIn(known, people.vera);
    expect(await browser.read('/profile')).toContain('https://tocsin.lab.example');
  });
});

test('a password that others may have known takes the passkeys along when its owner sets a new one', async () => {
  const device = await furnish(people.oscar);
  await server.db.query(sql`update account set password_may_be_known = true where id = ${people.oscar.id}`);
  await server.db.transaction((tx) =>
    setPassword(
      tx,
      COMMAND_LINE,
      { accountId: people.oscar.id, passwordHash: '$argon2id$new', way: 'operator' },
      server.clock.read(),
    ),
  );
  expect((await signInWith(device)).status).toBe(401);
});

test('answered challenges are forgotten a day after they ended', async () => {
  await furnish(people.oscar);
  const count = async () => (await server.db.query(sql`select 1 from answered_challenge`)).length;
  await forgetAnsweredChallenges(server.db, server.clock.read());
  expect(await count()).toBeGreaterThan(0);
  await forgetAnsweredChallenges(server.db, new Date(server.clock.read().getTime() + hours(25)));
  expect(await count()).toBe(0);
});

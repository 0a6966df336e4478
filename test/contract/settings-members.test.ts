import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AccountId } from '../../src/domain/ids.ts';
import { expectPage } from '../support/page.ts';
import { PASSWORD, type Person } from '../support/people.ts';
import {
  grantRole,
  openSettingsDesk,
  recordsOf,
  roleOf,
  type SettingsDesk,
} from '../support/settings-desk.ts';
import { askMe, askToken, signsIn } from '../support/sign-in.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import { signedIn } from '../support/visitor.ts';

let server: TestServer;
let desk: SettingsDesk;
beforeAll(async () => {
  server = await startServer();
});
beforeEach(async () => {
  desk = await openSettingsDesk(server);
});

const MEMBERS = '/settings/members';
const of = ({ id }: { id: number }, verb = '') => `${MEMBERS}/${id}${verb && `/${verb}`}`;
const leadsTo = (answer: Response, path: string) => {
  expect(answer.status).toBe(303);
  expect(answer.headers.get('location')).toContain(path);
};
const accountBy = async (email: string) =>
  (
    await server.db.query<{ id: AccountId; timezone: string }>(sql`
      select id, timezone from account where email = ${email}`)
  )[0];

describe('the list', () => {
  test('names everybody with role and state, and nobody from elsewhere', async () => {
    const html = await expectPage(await desk.ada.open(MEMBERS), 200);
    expect(html).toContain(desk.people.vera.email);
    expect(html).toContain('administrator');
    expect(html).not.toContain(desk.people.olga.email);
    expect(html).not.toContain(desk.people.nora.email);
  });

  test('names are text, never markup', async () => {
    const name = '<img src=x onerror=alert(1)>';
    await server.db.query(sql`update account set name = ${name} where id = ${desk.people.vera.id}`);
    expect(await desk.ada.read(MEMBERS)).toContain('&lt;img src=x');
    expect(await desk.ada.read(of(desk.people.vera))).not.toContain('<img src=x');
  });
});

describe('invite', () => {
  test('makes an account in the inviter’s zone, mails a link, and is on record', async () => {
    const email = `new.${desk.organization}@lab.example`;
    leadsTo(
      await desk.sends(`${MEMBERS}/invite`, {
        email: ` ${email.toUpperCase()}`,
        name: 'Nina',
        role: 'operator',
      }),
      'done=invite',
    );
    const account = await accountBy(email);
    expect(account?.timezone).toBe('Europe/Berlin');
    expect(await roleOf(server, account as { id: AccountId }, desk.organization)).toBe('operator');
    const mails = await server.db.query(sql`select kind from account_mail where account_id = ${account?.id}`);
    expect(mails).toEqual([{ kind: 'activation' }]);
    expect((await recordsOf(server, desk.organization)).at(-1)).toMatchObject({
      action: 'member.invite',
      detail: { email, role: 'operator' },
      accountName: 'Ada',
    });
    expect(await desk.ada.read(MEMBERS)).toContain('Invited, has no password yet');
  });

  test('somebody with an account is added at once, without a mail', async () => {
    const { nora } = desk.people;
    leadsTo(
      await desk.sends(`${MEMBERS}/invite`, { email: nora.email, name: 'N', role: 'viewer' }),
      'done=added',
    );
    expect(await server.db.query(sql`select 1 from account_mail where account_id = ${nora.id}`)).toEqual([]);
  });

  test('the invitation can be sent again until it is taken', async () => {
    const email = `again.${desk.organization}@lab.example`;
    await desk.sends(`${MEMBERS}/invite`, { email, name: 'Nina', role: 'viewer' });
    const account = (await accountBy(email)) as { id: AccountId };
    leadsTo(await desk.sends(of(account, 'invite-again')), 'done=invite-again');
    expect(
      await server.db.query(sql`select 1 from account_mail where account_id = ${account.id}`),
    ).toHaveLength(2);
    await expectPage(await desk.sends(of(desk.people.vera, 'invite-again')), 422);
  });

  test.each([
    [{ email: 'nonsense', name: 'N', role: 'viewer' }, 'This is not an email address'],
    [{ email: 'a@b', name: '  ', role: 'viewer' }, 'Write the name'],
    [{ email: 'a@b', name: 'N', role: 'owner' }, 'Choose a role'],
    [{ email: 'a@b', name: 'N'.repeat(201), role: 'viewer' }, 'at most 200'],
  ])('%j is refused: %s', async (form, text) => {
    expect(await expectPage(await desk.sends(`${MEMBERS}/invite`, form), 422)).toContain(text);
    expect(await recordsOf(server, desk.organization)).toEqual([]);
  });

  test('a member already', async () => {
    const form = { email: desk.people.vera.email, name: 'Vera', role: 'operator' };
    const html = await expectPage(await desk.sends(`${MEMBERS}/invite`, form), 422);
    expect(html).toContain('is a member of the organization already');
    expect(await roleOf(server, desk.people.vera, desk.organization)).toBe('viewer');
  });

  test('two invitations of one person at once: one wins, the other is told so', async () => {
    const form = { email: `twice.${desk.organization}@lab.example`, name: 'T', role: 'viewer' };
    const answers = await Promise.all([1, 2].map(() => desk.sends(`${MEMBERS}/invite`, form)));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 422]);
  });
});

describe('role', () => {
  test('counts from the next request on, and the record says before and after', async () => {
    leadsTo(await desk.sends(of(desk.people.vera, 'role'), { role: 'operator' }), 'done=role');
    expect(await roleOf(server, desk.people.vera, desk.organization)).toBe('operator');
    expect(await recordsOf(server, desk.organization)).toMatchObject([
      {
        action: 'member.role',
        detail: { email: desk.people.vera.email, changes: { role: { before: 'viewer', after: 'operator' } } },
      },
    ]);
  });

  test('the same role again leaves no record', async () => {
    await desk.sends(of(desk.people.vera, 'role'), { role: 'viewer' });
    expect(await recordsOf(server, desk.organization)).toEqual([]);
  });

  test('an unknown role', async () => {
    await expectPage(await desk.sends(of(desk.people.vera, 'role'), { role: 'owner' }), 422);
  });
});

describe('the last administrator', () => {
  const verbs: [string, Record<string, string>][] = [
    ['role', { role: 'operator' }],
    ['remove', {}],
  ];

  test.each(verbs)('cannot give it up: %s', async (verb, form) => {
    const html = await expectPage(await desk.sends(of(desk.people.ada, verb), form), 422);
    expect(html).toContain('Nobody else could administer the organization then');
    expect(await roleOf(server, desk.people.ada, desk.organization)).toBe('administrator');
  });

  test.each([
    ['deactivated', sql`is_active = false`],
    ['without a password', sql`password_hash = null`],
  ])('a second one who is %s does not count', async (_, change) => {
    await grantRole(server, desk.people.oscar, desk.organization, 'administrator');
    await server.db.query(sql`update account set ${change} where id = ${desk.people.oscar.id}`);
    await expectPage(await desk.sends(of(desk.people.ada, 'remove')), 422);
  });

  test.each(verbs)('with a second one it can be given up: %s', async (verb, form) => {
    await grantRole(server, desk.people.oscar, desk.organization, 'administrator');
    const answer = await desk.sends(of(desk.people.ada, verb), form);
    leadsTo(answer, '/profile');
    await expectPage(await desk.ada.open(answer.headers.get('location') ?? ''), 200);
    await expectPage(await desk.ada.open(MEMBERS), 404);
  });

  test('two who take the role from each other at once: one stays', async () => {
    const { ada, oscar } = desk.people;
    await grantRole(server, oscar, desk.organization, 'administrator');
    const oscars = await signedIn(server, oscar);
    const answers = await Promise.all([
      desk.sends(of(oscar, 'role'), { role: 'viewer' }),
      oscars.send(of(ada, 'role'), { role: 'viewer' }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 404]);
    const roles = await Promise.all([ada, oscar].map((person) => roleOf(server, person, desk.organization)));
    expect(roles.sort()).toEqual(['administrator', 'viewer']);
  });
});

describe('remove', () => {
  test('ends the membership and takes the person off the groups; the account stays', async () => {
    const { vera } = desk.people;
    await server.db.query(sql`
      with made as (insert into notification_group (organization_id, name, created_at)
        values (${desk.organization}, 'Cold team', ${server.clock.read()}) returning id)
      insert into notification_group_account (group_id, account_id) select id, ${vera.id} from made`);
    leadsTo(await desk.sends(of(vera, 'remove')), `${MEMBERS}?organization=${desk.organization}&done=remove`);
    expect(await roleOf(server, vera, desk.organization)).toBeNull();
    expect(
      await server.db.query(sql`select 1 from notification_group_account where account_id = ${vera.id}`),
    ).toEqual([]);
    expect((await askToken(server, { username: vera.email, password: PASSWORD })).status).toBe(200);
    expect((await recordsOf(server, desk.organization)).at(-1)).toMatchObject({ action: 'member.remove' });
  });
});

describe('what concerns the whole account', () => {
  const setPassword = { password: 'a new password', password_again: 'a new password' };
  const verbs: [string, Record<string, string>][] = [
    ['deactivate', {}],
    ['set-password', setPassword],
  ];

  test('deactivate ends every session at once; activate lets in again, but revives no token', async () => {
    const token = await signsIn(server, desk.people.vera);
    leadsTo(await desk.sends(of(desk.people.vera, 'deactivate')), 'done=deactivate');
    expect((await askMe(server, token)).status).toBe(401);
    expect((await askToken(server, { username: desk.people.vera.email, password: PASSWORD })).status).toBe(
      400,
    );
    leadsTo(await desk.sends(of(desk.people.vera, 'activate')), 'done=activate');
    expect((await askMe(server, token)).status).toBe(401);
    expect((await askToken(server, { username: desk.people.vera.email, password: PASSWORD })).status).toBe(
      200,
    );
    expect((await recordsOf(server, desk.organization)).map(({ action }) => action)).toEqual([
      'member.deactivate',
      'member.activate',
    ]);
  });

  test('set password: the old one and its tokens are gone, the person is told by mail, no record holds it', async () => {
    const { vera } = desk.people;
    const token = await signsIn(server, vera);
    leadsTo(await desk.sends(of(vera, 'set-password'), setPassword), 'done=set-password');
    expect((await askMe(server, token)).status).toBe(401);
    expect((await askToken(server, { username: vera.email, password: setPassword.password })).status).toBe(
      200,
    );
    expect(
      await server.db.query(sql`select kind, author_name from account_mail where account_id = ${vera.id}`),
    ).toEqual([{ kind: 'password_changed', author_name: 'Ada' }]);
    const records = await server.db.query(sql`select * from audit`);
    expect(JSON.stringify(records)).not.toContain(setPassword.password);
  });

  test.each([
    [{ password: 'short', password_again: 'short' }, 'at least 8 characters'],
    [{ password: 'long enough', password_again: 'not the same' }, 'not the same'],
  ])('%j is refused, and not shown again', async (form, text) => {
    const html = await expectPage(await desk.sends(of(desk.people.vera, 'set-password'), form), 422);
    expect(html).toContain(text);
    expect(html).not.toContain(form.password);
  });

  test.each(verbs)('%s: not of an account that belongs elsewhere too', async (verb, form) => {
    const other = await openSettingsDesk(server);
    await grantRole(server, desk.people.vera, other.organization, 'viewer');
    const html = await expectPage(await desk.sends(of(desk.people.vera, verb), form), 422);
    expect(html).toContain('belongs to another organization as well');
    expect((await askToken(server, { username: desk.people.vera.email, password: PASSWORD })).status).toBe(
      200,
    );
  });

  test.each(verbs)('%s: of one that belongs to several organizations of mine, yes', async (verb, form) => {
    const other = await openSettingsDesk(server);
    await grantRole(server, desk.people.vera, other.organization, 'viewer');
    await grantRole(server, desk.people.ada, other.organization, 'administrator');
    leadsTo(await desk.sends(of(desk.people.vera, verb), form), `done=${verb}`);
  });

  test.each(verbs)('%s: not of my own', async (verb, form) => {
    await expectPage(await desk.sends(of(desk.people.ada, verb), form), 422);
  });
});

describe('others', () => {
  const VERBS: [string, Record<string, string>][] = [
    ['role', { role: 'administrator' }],
    ['remove', {}],
    ['deactivate', {}],
    ['activate', {}],
    ['set-password', { password: 'a new password', password_again: 'a new password' }],
    ['invite-again', {}],
  ];
  const OTHERS = ['vera', 'oscar', 'olga', 'nora'] as const;

  test.each(VERBS)('nobody but an administrator may %s', async (verb, form) => {
    for (const name of OTHERS) {
      const browser = await signedIn(server, desk.people[name] as Person);
      const there = `?organization=${desk.organization}`;
      await expectPage(await browser.send(`${of(desk.people.vera, verb)}${there}`, form), 404);
      await expectPage(await browser.send(of(desk.people.vera, verb), form), 404);
    }
    expect(await roleOf(server, desk.people.vera, desk.organization)).toBe('viewer');
  });

  test.each(VERBS)('a stranger cannot be found: %s', async (verb, form) => {
    await expectPage(await desk.sends(of(desk.people.olga, verb), form), 404);
    await expectPage(await desk.sends(of(desk.people.nora, verb), form), 404);
  });

  test('another site cannot send the forms', async () => {
    const answer = await desk.ada.send(
      of(desk.people.vera, 'remove'),
      {},
      { 'sec-fetch-site': 'cross-site' },
    );
    await expectPage(answer, 403);
    expect(await roleOf(server, desk.people.vera, desk.organization)).toBe('viewer');
  });
});

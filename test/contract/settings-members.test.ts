import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AccountId } from '../../src/domain/ids.ts';
import { activateByHand, deactivateByHand } from '../../src/features/accounts/commands.ts';
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
    expect(await roleOf(server, account as { id: AccountId }, desk.organization)).toBeNull();
    const mails = await server.db.query(sql`select kind from account_mail where account_id = ${account?.id}`);
    expect(mails).toEqual([{ kind: 'activation' }]);
    expect((await recordsOf(server, desk.organization)).at(-1)).toMatchObject({
      action: 'member.invite',
      detail: { email, role: 'operator' },
      accountName: 'Ada',
    });
    expect(await desk.ada.read(MEMBERS)).toContain('Invited, not yet accepted');
  });

  test('somebody with an account is asked, and nothing tells that there is one', async () => {
    const { nora } = desk.people;
    const stranger = `stranger.${desk.organization}@lab.example`;
    const answers = [];
    for (const email of [nora.email, stranger])
      answers.push(await desk.sends(`${MEMBERS}/invite`, { email, name: 'N', role: 'viewer' }));
    const [known, unknown] = answers.map(({ headers }) => headers.get('location'));
    expect(known).toBe(unknown);
    expect(await roleOf(server, nora, desk.organization)).toBeNull();
    const html = await desk.ada.read(MEMBERS);
    expect(html).not.toContain('Nora');
    expect(html).not.toContain(of(nora));
    await expectPage(await desk.sends(of(nora, 'role'), { role: 'administrator' }), 404);
    const records = (await recordsOf(server, desk.organization)).map(({ detail }) => Object.keys(detail));
    expect(records[0]).toEqual(records[1]);
    expect(JSON.stringify(await recordsOf(server, desk.organization))).not.toContain('Nora');
  });

  test('the invitation can be sent again and withdrawn until it is taken', async () => {
    const email = `again.${desk.organization}@lab.example`;
    await desk.sends(`${MEMBERS}/invite`, { email, name: 'Nina', role: 'viewer' });
    const account = (await accountBy(email)) as { id: AccountId };
    const [open] = await server.db.query<{ id: number }>(sql`
      select id from invitation where account_id = ${account.id}`);
    const invitation = { invitation_id: String(open?.id) };
    leadsTo(await desk.sends(`${MEMBERS}/invite-again`, invitation), 'done=invite-again');
    expect(
      await server.db.query(sql`select 1 from account_mail where account_id = ${account.id}`),
    ).toHaveLength(2);
    const elsewhere = await openSettingsDesk(server);
    for (const word of ['invite-again', 'withdraw'])
      await expectPage(await elsewhere.sends(`${MEMBERS}/${word}`, invitation), 422);
    leadsTo(await desk.sends(`${MEMBERS}/withdraw`, invitation), 'done=withdraw');
    expect(await desk.ada.read(MEMBERS)).not.toContain(email);
    for (const word of ['invite-again', 'withdraw'])
      await expectPage(await desk.sends(`${MEMBERS}/${word}`, invitation), 422);
    expect((await recordsOf(server, desk.organization)).map(({ action }) => action)).toEqual([
      'member.invite',
      'member.invite_again',
      'member.withdraw',
    ]);
  });

  test('a member without a password, as a lab file makes it, gets the mail to activate again', async () => {
    const { vera } = desk.people;
    await expectPage(await desk.sends(of(vera, 'invite-again')), 422);
    await server.db.query(sql`update account set password_hash = null where id = ${vera.id}`);
    leadsTo(await desk.sends(of(vera, 'invite-again')), 'done=invite-again');
    expect(await server.db.query(sql`select kind from account_mail where account_id = ${vera.id}`)).toEqual([
      { kind: 'activation' },
    ]);
  });

  test('once is enough', async () => {
    const form = { email: desk.people.nora.email, name: 'Nora', role: 'viewer' };
    await desk.sends(`${MEMBERS}/invite`, form);
    const html = await expectPage(await desk.sends(`${MEMBERS}/invite`, { ...form, role: 'operator' }), 422);
    expect(html).toContain('is invited already');
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

  test('the last keeper of the service stays until there is another one', async () => {
    const { ada, vera } = desk.people;
    const mark = (id: number, isKeeper: boolean) =>
      server.db.query(sql`update account set is_keeper = ${isKeeper} where id = ${id}`);
    await server.db.query(sql`update account set is_keeper = false`);
    await mark(vera.id, true);
    const html = await expectPage(await desk.sends(of(vera, 'deactivate')), 422);
    expect(html).toContain('This is the last keeper of the service.');
    await mark(ada.id, true);
    leadsTo(await desk.sends(of(vera, 'deactivate')), 'done=deactivate');
    await server.db.query(sql`update account set is_keeper = false`);
  });

  test('a new password: the link is mailed to the person, and nothing else changes', async () => {
    const { vera } = desk.people;
    const token = await signsIn(server, vera);
    leadsTo(await desk.sends(of(vera, 'reset-password')), 'done=reset-password');
    expect((await askMe(server, token)).status).toBe(200);
    expect(await server.db.query(sql`select kind from account_mail where account_id = ${vera.id}`)).toEqual([
      { kind: 'password_reset' },
    ]);
    expect((await recordsOf(server, desk.organization)).at(-1)).toMatchObject({
      action: 'member.reset_password',
      detail: { email: vera.email },
    });
  });

  test('three such mails an hour are enough', async () => {
    for (let count = 0; count < 3; count += 1)
      leadsTo(await desk.sends(of(desk.people.vera, 'reset-password')), 'done=reset-password');
    const html = await expectPage(await desk.sends(of(desk.people.vera, 'reset-password')), 422);
    expect(html).toContain('Three such mails');
  });

  test('whom the operator deactivated nobody else activates', async () => {
    const { vera } = desk.people;
    await deactivateByHand(server.db, vera.email, server.clock.read());
    expect(await desk.ada.read(of(vera))).not.toContain('Activate the account');
    const html = await expectPage(await desk.sends(of(vera, 'activate')), 422);
    expect(html).toContain('Whoever runs the service deactivated this account');
    await activateByHand(server.db, vera.email, server.clock.read());
    expect((await askToken(server, { username: vera.email, password: PASSWORD })).status).toBe(200);
  });

  test('who deactivated an account and removes it has no more say over it', async () => {
    const { vera } = desk.people;
    await desk.sends(of(vera, 'deactivate'));
    leadsTo(await desk.sends(of(vera, 'remove')), 'done=remove');
    expect((await askToken(server, { username: vera.email, password: PASSWORD })).status).toBe(200);
  });

  test('deactivate: not of an account that belongs elsewhere too', async () => {
    const other = await openSettingsDesk(server);
    await grantRole(server, desk.people.vera, other.organization, 'viewer');
    const html = await expectPage(await desk.sends(of(desk.people.vera, 'deactivate')), 422);
    expect(html).toContain('belongs to another organization as well');
    expect((await askToken(server, { username: desk.people.vera.email, password: PASSWORD })).status).toBe(
      200,
    );
  });

  test('deactivate: of one that belongs to several organizations of mine, yes', async () => {
    const other = await openSettingsDesk(server);
    await grantRole(server, desk.people.vera, other.organization, 'viewer');
    await grantRole(server, desk.people.ada, other.organization, 'administrator');
    leadsTo(await desk.sends(of(desk.people.vera, 'deactivate')), 'done=deactivate');
  });

  test.each(['deactivate', 'reset-password'])('%s: not of my own', async (verb) => {
    await expectPage(await desk.sends(of(desk.people.ada, verb)), 422);
  });
});

describe('others', () => {
  const VERBS: [string, Record<string, string>][] = [
    ['role', { role: 'administrator' }],
    ['remove', {}],
    ['deactivate', {}],
    ['activate', {}],
    ['reset-password', {}],
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

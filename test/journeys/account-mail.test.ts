// Accounts by mail: activation of invited members, the forgotten password, and word that it was changed.

import { pino } from 'pino';
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { COMMAND_LINE, notSignedIn, provedToBe } from '../../src/domain/accounts/requester.ts';
import type { InvitationId } from '../../src/domain/ids.ts';
import { findLinkedAccount, type LinkPurpose } from '../../src/engine/accounts/account-links.ts';
import { forgetOldAccountMail } from '../../src/engine/accounts/account-mail-queries.ts';
import { setActive } from '../../src/engine/accounts/accounts.ts';
import { inviteAgain, inviteMember, withdrawInvitation } from '../../src/engine/accounts/invite-member.ts';
import { requestPasswordReset } from '../../src/engine/accounts/request-password-reset.ts';
import { sendAccountMails } from '../../src/engine/accounts/send-account-mails.ts';
import { setPasswordByLink } from '../../src/engine/accounts/set-password-by-link.ts';
import { openMailer } from '../../src/engine/mail/mailer.ts';
import { setPasswordByHand } from '../../src/features/accounts/commands.ts';
import { readConfig } from '../../src/platform/config.ts';
import type { Tx } from '../../src/platform/db/database.ts';
import { breakRows } from '../support/broken-rows.ts';
import { hours, minutes, seconds } from '../support/movable-clock.ts';
import { invitePeople, PASSWORD, type People, type Person } from '../support/people.ts';
import { settled } from '../support/settled-delivery.ts';
import { askMe, askToken, auditOf, signsIn } from '../support/sign-in.ts';
import { openSmtpReceiver, type SmtpReceiver } from '../support/smtp-receiver.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import { openVisitor } from '../support/visitor.ts';

const PUBLIC_URL = 'https://tocsin.lab.example';
const NEW_PASSWORD = 'a brand new one';

let server: TestServer;
let people: People;
let receiver: SmtpReceiver;
let deliver: () => Promise<number>;
beforeAll(async () => {
  server = await startServer();
});
beforeEach(async () => {
  people = await invitePeople(server);
  await server.db.query(sql`delete from account_mail`);
  await server.db.query(sql`delete from password_reset_request`);
  receiver = await openSmtpReceiver();
  const mailer = openMailer({ settings: settled(readConfig({ SMTP_URL: receiver.url })), db: server.db });
  onTestFinished(() => mailer.close());
  const deps = { db: server.db, mailer, log: pino({ level: 'silent' }), publicUrl: () => PUBLIC_URL };
  deliver = () => sendAccountMails(deps, server.clock.read());
});

const now = () => server.clock.read();
const forgets = (email: string, address = '192.0.2.1') =>
  server.db.transaction((tx) =>
    requestPasswordReset(tx, notSignedIn({ address, requestId: 'r1' }), { email }, now()),
  );
/** What the database is asked for, in its order. */
async function listStatements(email: string): Promise<string[]> {
  const asked: string[] = [];
  await server.db.transaction((tx) => {
    const listening: Tx = {
      ...tx,
      query: (statement) => {
        asked.push(statement.sql);
        return tx.query(statement);
      },
      later: (statement) => {
        asked.push(`${statement.sql}, with the commit`);
        tx.later(statement);
      },
    };
    const requester = notSignedIn({ address: '192.0.2.7', requestId: 'r1' });
    return requestPasswordReset(listening, requester, { email }, now());
  });
  return asked;
}

test('whoever asks cannot tell by the work whether there is such an account', async () => {
  const known = await listStatements(people.vera.email);
  expect(known.at(-1)).toContain('with the commit');
  expect(await listStatements('nobody@lab.example')).toEqual(known);
});

const invites = (email: string) =>
  server.db.transaction((tx) =>
    inviteMember(
      tx,
      provedToBe(COMMAND_LINE, { id: people.ada.id, name: 'Ada' }),
      {
        email,
        name: 'Mia',
        timezone: 'Europe/Berlin',
        organizationId: people.organization,
        role: 'operator',
      },
      now(),
    ),
  );
const choose = (purpose: LinkPurpose, token: string, password = NEW_PASSWORD) =>
  setPasswordByLink(
    server.db,
    notSignedIn({ address: '192.0.2.1', requestId: 'r2' }),
    { purpose, token, password },
    now(),
  );
const signIn = (email: string, password: string) => askToken(server, { username: email, password });

async function readToken(count: number): Promise<string> {
  const { text = '' } = await receiver.mail(count);
  const [, token = ''] = /\/(?:activate|reset-password)\/([\w-]{43})$/m.exec(text) ?? [];
  expect(token).not.toBe('');
  return token;
}

async function forgottenToken(person: Person): Promise<string> {
  await forgets(person.email);
  await deliver();
  return readToken(receiver.mails.length);
}

describe('a forgotten password', () => {
  test('is replaced by way of a mail, and word of it follows', async () => {
    const { vera } = people;
    const token = await forgottenToken(vera);
    const [mail] = receiver.mails;
    expect(mail).toMatchObject({ subject: 'Choose a new Tocsin password', to_: [vera.email] });
    expect(mail?.text).toContain(`${PUBLIC_URL}/reset-password/${token}`);
    expect(mail?.html).toContain(`${PUBLIC_URL}/reset-password/${token}`);
    expect(mail?.text).toContain('until 2026-11-15 05:00 UTC+01:00 (Europe/Berlin)');

    expect(await choose('password_reset', token)).toMatchObject({ ok: true, value: { email: vera.email } });
    expect((await signIn(vera.email, NEW_PASSWORD)).status).toBe(200);
    await deliver();
    expect((await receiver.mail(2)).subject).toBe('Your Tocsin password was changed');
    expect(receiver.mails[1]?.text).toContain(`${PUBLIC_URL}/forgot-password`);
    expect((await auditOf(server, vera)).map(({ action }) => action)).toEqual([
      'account.request_password_reset',
      'account.set_password',
      'auth.token',
    ]);
  });

  test('revokes what was signed in before', async () => {
    const { oscar } = people;
    const session = await signsIn(server, oscar);
    expect((await askMe(server, session)).status).toBe(200);
    await choose('password_reset', await forgottenToken(oscar));
    expect((await askMe(server, session)).status).toBe(401);
  });

  test('leaves nothing in the database that could be used', async () => {
    const token = await forgottenToken(people.vera);
    const rows = await server.db.query(sql`
      select to_jsonb(account_mail)::text as row from account_mail
      union all select to_jsonb(account_link)::text from account_link
      union all select to_jsonb(audit)::text from audit`);
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(JSON.stringify(rows)).not.toContain(Buffer.from(token, 'base64url').toString('hex'));
  });

  test('answers the same whether there is such an account, and mails nobody who has none', async () => {
    expect(await forgets('nobody@lab.example')).toEqual({ ok: true, value: null });
    expect(await forgets(people.vera.email)).toEqual({ ok: true, value: null });
    await deliver();
    expect(receiver.mails.map(({ to_ }) => to_)).toEqual([[people.vera.email]]);
  });

  test('of a deactivated account stays forgotten', async () => {
    const { vera } = people;
    const token = await forgottenToken(vera);
    await server.db.transaction((tx) =>
      setActive(tx, COMMAND_LINE, { accountId: vera.id, isActive: false }, now()),
    );
    expect(await forgets(vera.email)).toEqual({ ok: true, value: null });
    expect(await deliver()).toBe(0);
    expect(await choose('password_reset', token)).toEqual({ ok: false, refusal: 'link_not_valid' });
  });

  test('case and spaces of the email do not matter', async () => {
    await forgets(`  ${people.vera.email.toUpperCase()} `);
    expect(await deliver()).toBe(1);
  });
});

describe('a link', () => {
  const NOT_VALID = { ok: false, refusal: 'link_not_valid' };

  test('works once', async () => {
    const token = await forgottenToken(people.vera);
    expect(await choose('password_reset', token)).toMatchObject({ ok: true });
    expect(await choose('password_reset', token, 'another new one')).toEqual(NOT_VALID);
    expect((await signIn(people.vera.email, NEW_PASSWORD)).status).toBe(200);
  });

  test('works once, however many press at the same moment', async () => {
    const token = await forgottenToken(people.vera);
    const outcomes = await Promise.all(
      Array.from({ length: 5 }, (_, index) => choose('password_reset', token, `a new password ${index}`)),
    );
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
  });

  test.each<[LinkPurpose, number]>([
    ['password_reset', hours(1)],
    ['activation', hours(24 * 7)],
  ])('for %s works until its time is up', async (purpose, lifetimeMs) => {
    const email = `mia.${Math.random()}@lab.example`;
    if (purpose === 'activation') await invites(email);
    else await forgets(people.vera.email);
    await deliver();
    const token = await readToken(1);
    const find = () => findLinkedAccount(server.db, purpose, token, now());
    server.clock.advance(lifetimeMs - 1);
    expect(await find()).toMatchObject({ email: purpose === 'activation' ? email : people.vera.email });
    server.clock.advance(1);
    expect(await find()).toBeNull();
    expect(await choose(purpose, token)).toEqual(NOT_VALID);
    await forgetOldAccountMail(server.db, new Date(now().getTime() + 1));
    expect(await server.db.query(sql`select 1 from account_link where expires_at <= ${now()}`)).toEqual([]);
  });

  test('that somebody made up, or for another purpose, leads nowhere', async () => {
    const token = await forgottenToken(people.vera);
    expect(await choose('activation', token)).toEqual(NOT_VALID);
    for (const made of ['', 'x', 'A'.repeat(43), `${token}A`, '\u0000', 'ß'.repeat(5000)])
      expect(await choose('password_reset', made)).toEqual(NOT_VALID);
  });

  test('is not used up by a password that is too short', async () => {
    const token = await forgottenToken(people.vera);
    expect(await choose('password_reset', token, '1234567')).toEqual({
      ok: false,
      refusal: 'password_too_short',
    });
    expect(await choose('password_reset', token)).toMatchObject({ ok: true });
  });

  test('is void once the password was changed in another way', async () => {
    const { vera } = people;
    const [one, other] = [await forgottenToken(vera), await forgottenToken(vera)];
    expect(await choose('password_reset', other)).toMatchObject({ ok: true });
    expect(await choose('password_reset', one)).toEqual(NOT_VALID);

    const third = await forgottenToken(people.oscar);
    await setPasswordByHand(server.db, people.oscar.email, 'set by hand', now());
    expect(await choose('password_reset', third)).toEqual(NOT_VALID);
    await deliver();
    expect(receiver.mails.at(-1)?.text).toContain('by command line');
  });
});

describe('asking too often', () => {
  test('brings three mails an hour to one person, and the same answer', async () => {
    for (let count = 0; count < 5; count++) {
      expect(await forgets(people.vera.email)).toEqual({ ok: true, value: null });
      server.clock.advance(minutes(1));
    }
    await deliver();
    expect(receiver.mails).toHaveLength(3);
    server.clock.advance(hours(1));
    await forgets(people.vera.email);
    await deliver();
    expect(receiver.mails).toHaveLength(4);
  });

  test('is refused after twenty times an hour from one address, for known and unknown emails alike', async () => {
    for (let count = 0; count < 20; count++) {
      expect(await forgets(`nobody.${count}@lab.example`, '192.0.2.7')).toMatchObject({ ok: true });
      server.clock.advance(seconds(1));
    }
    const refusal = { reason: 'throttled', seconds: 3600 - 20 };
    expect(await forgets('nobody@lab.example', '192.0.2.7')).toEqual({ ok: false, refusal });
    expect(await forgets(people.vera.email, '192.0.2.7')).toEqual({ ok: false, refusal });
    expect(await forgets(people.vera.email, '192.0.2.8')).toMatchObject({ ok: true });
    server.clock.advance(seconds(3600 - 20));
    expect(await forgets(people.vera.email, '192.0.2.7')).toMatchObject({ ok: true });
  });
});

describe('an invitation', () => {
  const mia = () => `mia.${people.organization}@lab.example`;

  test('makes an account without a password, and its mail activates it', async () => {
    expect(await invites(mia())).toMatchObject({ ok: true });
    await deliver();
    const token = await readToken(1);
    expect(receiver.mails[0]?.subject).toBe('Activate your Tocsin account');
    expect(receiver.mails[0]?.text).toMatch(/^Ada invited you to Cell Biology \d+ as operator\. /m);
    expect((await signIn(mia(), NEW_PASSWORD)).status).toBe(401);

    expect(await choose('activation', token)).toMatchObject({ ok: true });
    expect((await signIn(mia(), NEW_PASSWORD)).status).toBe(200);
    // Nobody's password was changed.
    expect(await deliver()).toBe(0);
  });

  test('of somebody who can sign in already grants nothing, and its mail asks', async () => {
    const roles = () =>
      server.db.query(sql`
        select role from membership where account_id = ${people.olga.id} and organization_id = ${people.organization}`);
    expect(await invites(people.olga.email)).toMatchObject({ ok: true });
    await deliver();
    const { subject, text = '' } = await receiver.mail(1);
    expect(subject).toMatch(/^Invitation to Cell Biology \d+ in Tocsin$/);
    expect(text).toMatch(/^Hello Mia,$/m);
    expect(text).toMatch(/^Ada invited you to Cell Biology \d+ as operator\. You have an account already/m);
    expect(await roles()).toEqual([]);
    const [, path = ''] = /^https:\/\/tocsin.lab.example(\/join\/[\w-]{43})$/m.exec(text) ?? [];
    const olga = openVisitor(server);
    expect(await olga.read(path)).toContain('as <strong>operator</strong>');
    expect(await roles()).toEqual([]);
    const answer = await olga.send(path, { answer: 'accept' });
    expect(answer.headers.get('location')).toBe('/login?news=joined');
    expect(await roles()).toEqual([{ role: 'operator' }]);
    expect((await signIn(people.olga.email, PASSWORD)).status).toBe(200);
    expect((await olga.open(path)).status).toBe(404);
  });

  test('can be declined by its mail, and then asks no more', async () => {
    await invites(people.olga.email);
    await deliver();
    const [, path = ''] = /(\/join\/[\w-]{43})$/m.exec((await receiver.mail(1)).text ?? '') ?? [];
    const answer = await openVisitor(server).send(path, { answer: 'decline' });
    expect(answer.headers.get('location')).toBe('/login?news=declined');
    expect(await server.db.query(sql`select 1 from invitation where account_id = ${people.olga.id}`)).toEqual(
      [],
    );
  });

  test('of a member is refused', async () => {
    expect(await invites(people.vera.email)).toEqual({ ok: false, refusal: 'already_member' });
  });

  test('can be sent again until it was followed', async () => {
    const invited = await invites(mia());
    const id = invited.ok ? invited.value : (0 as InvitationId);
    const again = () =>
      server.db.transaction((tx) =>
        inviteAgain(tx, COMMAND_LINE, { organizationId: people.organization, id }, now()),
      );
    expect(await again()).toMatchObject({ ok: true });
    await deliver();
    expect(receiver.mails).toHaveLength(2);
    await choose('activation', await readToken(2));
    expect(await again()).toEqual({ ok: false, refusal: 'no_such_invitation' });
  });

  test('that was never followed is what a forgotten password brings', async () => {
    await invites(mia());
    await deliver();
    await forgets(mia());
    await deliver();
    expect(receiver.subjects).toEqual(['Activate your Tocsin account', 'Activate your Tocsin account']);
  });

  test('asks somebody who got a password meanwhile, instead of asking for one', async () => {
    await invites(mia());
    await setPasswordByHand(server.db, mia(), 'set by hand', now());
    await deliver();
    expect(receiver.subjects).toEqual([expect.stringMatching(/^Invitation to Cell Biology/)]);
  });

  test('that is withdrawn before it left does not leave', async () => {
    const invited = await invites(mia());
    const id = invited.ok ? invited.value : (0 as InvitationId);
    await server.db.transaction((tx) =>
      withdrawInvitation(tx, COMMAND_LINE, { organizationId: people.organization, id }, now()),
    );
    expect(await deliver()).toBe(0);
    const states = await server.db.query(sql`select state, last_error as "why" from account_mail`);
    expect(states).toEqual([{ state: 'dropped', why: 'The invitation is no longer open' }]);
  });

  test('a link to activate is not sent to somebody who got there first', async () => {
    await invites(mia());
    await server.db.query(sql`delete from account_mail`);
    await forgets(mia());
    await setPasswordByHand(server.db, mia(), 'set by hand', now());
    await deliver();
    expect(receiver.mails).toEqual([]);
    const states = await server.db.query(sql`select state, last_error as "why" from account_mail`);
    expect(states).toEqual([{ state: 'dropped', why: 'The account is activated already' }]);
  });
});

describe('a mail server that is not there', () => {
  test('costs a few seconds, not the mail', async () => {
    await receiver.goDown();
    await forgets(people.vera.email);
    await deliver();
    expect(await deliver()).toBe(0);
    await receiver.comeBack();
    server.clock.advance(seconds(5));
    expect(await deliver()).toBe(1);
    expect(await choose('password_reset', await readToken(1))).toMatchObject({ ok: true });
  });

  test('for an hour: the link is given up, the notice is not', async () => {
    await forgets(people.vera.email);
    await setPasswordByHand(server.db, people.vera.email, 'set by hand', now());
    await receiver.goDown();
    for (let count = 0; count < 90; count++) {
      await deliver();
      server.clock.advance(minutes(1));
    }
    const states = await server.db.query<{ kind: string; state: string; error: string }>(sql`
      select kind, state, last_error as "error" from account_mail order by id`);
    expect(states).toMatchObject([
      { kind: 'password_reset', state: 'failed', error: 'The mail server cannot be reached (ECONNREFUSED)' },
      { kind: 'password_changed', state: 'queued' },
    ]);
    await receiver.comeBack();
    server.clock.advance(hours(4));
    await deliver();
    expect(receiver.subjects).toEqual(['Your Tocsin password was changed']);
  });

  test('two programs send each mail once', async () => {
    for (const person of [people.vera, people.oscar, people.ada, people.olga, people.nora])
      await forgets(person.email);
    const taken = await Promise.all([deliver(), deliver(), deliver()]);
    expect(taken.reduce((sum, count) => sum + count)).toBe(5);
    expect(new Set(receiver.mails.map(({ to_ }) => to_[0])).size).toBe(5);
    expect(receiver.mails).toHaveLength(5);
  });

  test('one mail that cannot be marked does not make the others come again', async () => {
    for (const person of [people.vera, people.oscar, people.ada]) await forgets(person.email);
    const [first] = await server.db.query<{ id: string }>(sql`select min(id) as id from account_mail`);
    const mend = await breakRows(
      server.db,
      'account_mail',
      `old.id = ${first?.id} and new.leased_until is null`,
    );
    await deliver();
    expect(receiver.mails).toHaveLength(3);
    server.clock.advance(minutes(3));
    await mend();
    await deliver();
    expect(receiver.mails).toHaveLength(4);
    expect(await server.db.query(sql`select distinct state from account_mail`)).toEqual([{ state: 'sent' }]);
  });

  test('that refuses the recipient for good ends it', async () => {
    receiver.behave({ answerRecipient: () => ({ code: 550, text: 'No such user' }) });
    await forgets(people.vera.email);
    await deliver();
    expect(await server.db.query(sql`select state from account_mail`)).toEqual([{ state: 'failed' }]);
  });
});

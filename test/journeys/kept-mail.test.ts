// Without a mail server mail is kept, and read only by those whom it concerns.

import { pino } from 'pino';
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { notSignedIn } from '../../src/domain/accounts/requester.ts';
import type { OrganizationId } from '../../src/domain/ids.ts';
import { requestPasswordReset } from '../../src/engine/accounts/request-password-reset.ts';
import { sendAccountMails } from '../../src/engine/accounts/send-account-mails.ts';
import { forgetKeptMail, selectKeptMail, selectKeptMails } from '../../src/engine/mail/kept-mail.ts';
import { type Mailer, openMailer } from '../../src/engine/mail/mailer.ts';
import { createEmailTransport } from '../../src/engine/transports/email/email.ts';
import { readConfig } from '../../src/platform/config.ts';
import { WARMING } from '../support/curve.ts';
import { organizationOf } from '../support/equipment.ts';
import { hours } from '../support/movable-clock.ts';
import { letterOf, NOTICES } from '../support/notices.ts';
import { invitePeople, PASSWORD, type People, type Person } from '../support/people.ts';
import { settled } from '../support/settled-delivery.ts';
import { askToken } from '../support/sign-in.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import { openVisitor } from '../support/visitor.ts';

let server: TestServer;
let people: People;
let mailer: Mailer;
let organizationName: string;
beforeAll(async () => {
  server = await startServer();
  mailer = openMailer({ settings: settled(readConfig({})), db: server.db });
});
beforeEach(async () => {
  await server.db.query(sql`delete from kept_mail`);
  people = await invitePeople(server);
  const [row] = await server.db.query<{ name: string }>(sql`
    select name from organization where id = ${people.organization}`);
  organizationName = row?.name ?? '';
});

const now = () => server.clock.read();

async function tell(id = '1'): Promise<void> {
  const notice = { ...NOTICES.critical, organizationName, curve: WARMING };
  const outcome = await createEmailTransport({ mailer }).send(
    { ...letterOf(notice), id },
    { address: 'cold@lab.example', account: null },
    now(),
    new AbortController().signal,
  );
  expect(outcome).toEqual({ isSent: false, isKept: true });
}

async function forget(person: Person): Promise<void> {
  const requester = notSignedIn({ address: '::1', requestId: 'r' });
  await server.db.transaction((tx) => requestPasswordReset(tx, requester, { email: person.email }, now()));
  await deliver();
}

async function deliver(): Promise<void> {
  const deps = {
    db: server.db,
    mailer,
    log: pino({ level: 'silent' }),
    publicUrl: () => 'https://tocsin.lab.example',
  };
  await sendAccountMails(deps, now());
}

const subjectsFor = async (...organizations: OrganizationId[]) =>
  (await selectKeptMails(server.db, organizations, 100)).map(({ subject }) => subject);

describe('a mail about an alarm', () => {
  test('can be read in whole, picture and all, by administrators of its organization only', async () => {
    await tell();
    const elsewhere = await organizationOf(server, people.olga);
    expect(await subjectsFor(elsewhere)).toEqual([]);
    expect(await subjectsFor()).toEqual([]);
    const [kept] = await selectKeptMails(server.db, [people.organization], 100);
    expect(kept).toMatchObject({ recipient: 'cold@lab.example', createdAt: now() });
    const whole = await selectKeptMail(server.db, [people.organization], kept?.id ?? '');
    expect(whole?.text).toContain('CRITICAL: Freezer 3');
    expect(whole?.html).toContain('src="data:image/png;base64,');
    expect(whole?.html).not.toContain('cid:');
    expect(await selectKeptMail(server.db, [elsewhere], kept?.id ?? '')).toBeNull();
  });

  test('is kept once, however often it is sent', async () => {
    await tell();
    await tell();
    await tell('2');
    expect(await subjectsFor(people.organization)).toHaveLength(2);
  });
});

describe('a mail with a link to choose a password', () => {
  test('can be read by those who administer every organization of the account, and nobody else', async () => {
    const { vera, olga } = people;
    const elsewhere = await organizationOf(server, olga);
    await forget(vera);
    expect(await subjectsFor(people.organization)).toEqual(['Choose a new Tocsin password']);
    expect(await subjectsFor(elsewhere)).toEqual([]);
    await server.db.query(sql`
      insert into membership (account_id, organization_id, role, created_at)
      values (${vera.id}, ${elsewhere}, 'viewer', ${now()})`);
    expect(await subjectsFor(people.organization)).toEqual([]);
    expect(await subjectsFor(people.organization, elsewhere)).toEqual(['Choose a new Tocsin password']);
  });

  test('of an account without any organization can be read by nobody', async () => {
    await forget(people.nora);
    expect(await subjectsFor(people.organization, await organizationOf(server, people.olga))).toEqual([]);
  });
});

describe('an invitation', () => {
  const invites = async (email: string): Promise<string> => {
    await people.ada.post('/settings/members/invite', { email, name: 'Mia', role: 'viewer' });
    await deliver();
    const [kept] = await selectKeptMails(server.db, [people.organization], 1);
    expect(await subjectsFor(await organizationOf(server, people.olga))).toEqual([]);
    if (!kept) return '';
    return (await selectKeptMail(server.db, [people.organization], kept.id))?.text ?? '';
  };

  test('of somebody without an account can be read by who invites, with the link', async () => {
    const text = await invites(`mia.${people.organization}@lab.example`);
    expect(text).toMatch(/\/activate\/[\w-]{43}$/m);
  });

  test('of somebody whose password only the owner knows holds no link, and no name but the one that was typed', async () => {
    const text = await invites(people.nora.email);
    expect(text).toMatch(/^https:\/\/tocsin.lab.example\/invitations$/m);
    expect(text).not.toMatch(/\/(join|activate|reset-password)\/|Nora/);
  });

  test('of somebody whose password an administrator may know, and who belongs nowhere, asks for a new one', async () => {
    await server.db.query(sql`update account set password_may_be_known = true where id = ${people.nora.id}`);
    const [path = ''] = /\/join\/[\w-]{43}$/m.exec(await invites(people.nora.email)) ?? [];
    const nora = openVisitor(server);
    expect(await nora.read(path)).toContain('name="password_again"');
    expect((await nora.send(path, { answer: 'accept' })).status).toBe(422);
    expect(
      (await nora.send(path, { answer: 'accept', password: 'a new one', password_again: 'a new one' }))
        .status,
    ).toBe(303);
    expect((await askToken(server, { username: people.nora.email, password: PASSWORD })).status).toBe(401);
  });

  test('of somebody who belongs elsewhere can be read by nobody', async () => {
    expect(await invites(people.olga.email)).toBe('');
  });
});

describe('what is kept is bounded', () => {
  test('in age', async () => {
    await tell();
    await forgetKeptMail(server.db, new Date(now().getTime() + hours(30 * 24)));
    expect(await subjectsFor(people.organization)).toHaveLength(1);
    await forgetKeptMail(server.db, new Date(now().getTime() + hours(30 * 24) + 1));
    expect(await subjectsFor(people.organization)).toEqual([]);
  });

  test('in number', async () => {
    await server.db.query(sql`
      insert into kept_mail (mail_id, organization_id, recipient, subject, text_body, html_body, created_at)
      select 'mail ' || n, ${people.organization}, 'cold@lab.example', n, '', '', ${now()}
      from generate_series(1, 2010) as n`);
    await forgetKeptMail(server.db, now());
    const [kept] = await server.db.query<{ count: number; oldest: number }>(sql`
      select count(*)::int as count, min(subject::int) as oldest from kept_mail`);
    expect(kept).toEqual({ count: 2000, oldest: 11 });
  });
});

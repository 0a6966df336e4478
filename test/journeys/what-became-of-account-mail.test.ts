// What became of mails about accounts, where those who asked for them see it.
import { pino } from 'pino';
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { sendAccountMails } from '../../src/engine/accounts/send-account-mails.ts';
import { openMailer } from '../../src/engine/mail/mailer.ts';
import { readConfig } from '../../src/platform/config.ts';
import { expectPage } from '../support/page.ts';
import { invitePeople, type People } from '../support/people.ts';
import { settled } from '../support/settled-delivery.ts';
import { openSmtpReceiver } from '../support/smtp-receiver.ts';
import { startServer, startServerOn, type TestServer } from '../support/test-server.ts';
import { openVisitor, signedIn, type VisitorBrowser } from '../support/visitor.ts';

type Behaviour = Parameters<Awaited<ReturnType<typeof openSmtpReceiver>>['behave']>[0];

const MEMBERS = '/settings/members';
const GONE = { answerRecipient: () => ({ code: 550, text: '5.1.1 no such mailbox' }) };
const BUSY = { answerRecipient: () => ({ code: 451, text: '4.7.1 come back later' }) };

let server: TestServer;
/** On the same database, with a mail server. */
let mailing: TestServer;
let people: People;
let ada: VisitorBrowser;
beforeAll(async () => {
  server = await startServer();
  const { smtp } = readConfig({ SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'tocsin@lab.example' });
  mailing = await startServerOn(server.db, { smtp });
});
beforeEach(async () => {
  await server.db.query(sql`delete from account_mail`);
  people = await invitePeople(server);
  ada = await signedIn(server, people.ada);
});

/** By a server that behaves so; null: by none. */
async function deliver(behaviour: Behaviour | null): Promise<void> {
  const receiver = behaviour && (await openSmtpReceiver());
  receiver?.behave(behaviour ?? {});
  const mailer = openMailer({
    settings: settled(readConfig(receiver ? { SMTP_URL: receiver.url } : {})),
    db: server.db,
  });
  onTestFinished(() => mailer.close());
  const deps = {
    db: server.db,
    mailer,
    log: pino({ level: 'silent' }),
    publicUrl: () => 'https://tocsin.lab.example',
  };
  await sendAccountMails(deps, server.clock.read());
}

const invite = async (email: string) => {
  const answer = await ada.send(`${MEMBERS}/invite`, { email, name: 'Mia', role: 'viewer' });
  return answer.headers.get('location') ?? '';
};
const keptMailIn = (html: string) => /href="(\/settings\/mail\/\d+[^"]*)"/.exec(html)?.[1];

describe('an invitation', () => {
  test('promises nothing before its mail was handed over, and then says to whom', async () => {
    const page = await invite('mia@lab.example');
    const before = await ada.read(page);
    expect(before).toContain('What became of the mail stands below.');
    expect(before).not.toContain('on its way');
    await deliver({});
    const after = await ada.read(MEMBERS);
    expect(after).toContain('Handed to 127.0.0.1 <time');
    expect(keptMailIn(after)).toBeUndefined();
  });

  test('without a mail server is kept, and leads who invites to the link in it', async () => {
    expect(await ada.read(await invite('mia@lab.example'))).toContain(
      'There is no mail server: it is kept here',
    );
    await deliver(null);
    const html = await ada.read(MEMBERS);
    expect(html).toContain('Kept here: there was no mail server, so it did not leave <time');
    expect(await ada.read(keptMailIn(html) ?? '')).toMatch(/\/activate\/[\w-]{43}/);
  });

  test('of somebody who belongs elsewhere is kept too, and its mail shown to nobody', async () => {
    await invite(people.olga.email);
    await deliver(null);
    const html = await ada.read(MEMBERS);
    expect(html).toContain('Kept here: there was no mail server');
    expect(keptMailIn(html)).toBeUndefined();
  });

  test('of a deactivated account does not tell that there is one', async () => {
    const { email, id } = people.nora;
    await server.db.query(sql`update account set is_active = false where id = ${id}`);
    await invite(email);
    const mailingAda = await signedIn(mailing, people.ada);
    const before = /Mail: [^<]*/.exec(await mailingAda.read(MEMBERS))?.[0];
    await deliver({});
    const after = await mailingAda.read(MEMBERS);
    expect(before).toBe('Mail: Not handed over yet ');
    expect(/Mail: [^<]*/.exec(after)?.[0]).toBe(before);
    expect(after).not.toMatch(/deactivated|Left out/);
  });

  test.each([
    ['refused for good', GONE, 'Failed after 1 attempt: The mail server answered: 550 5.1.1 no such mailbox'],
    [
      'put off',
      BUSY,
      'Failing after 1 attempt: The mail server answered: 451 4.7.1 come back later. Next attempt',
    ],
  ])('%s says so', async (_, behaviour, words) => {
    await invite('mia@lab.example');
    await deliver(behaviour);
    expect(await ada.read(MEMBERS)).toContain(words);
  });
});

describe('a link for a new password', () => {
  const ask = async () => {
    const page = `${MEMBERS}/${people.vera.id}`;
    const answer = await ada.send(`${page}/reset-password`);
    return { page, done: await ada.read(answer.headers.get('location') ?? '') };
  };

  test('promises nothing before its mail was handed over, and then says to whom', async () => {
    const { page, done } = await ask();
    expect(done).not.toContain('on its way');
    expect(await (await signedIn(mailing, people.ada)).read(page)).toContain('Not handed over yet');
    await deliver({});
    expect(await ada.read(page)).toContain('Handed to 127.0.0.1 <time');
  });

  test('without a mail server is kept, where who asked for it can read it', async () => {
    const { page } = await ask();
    await deliver(null);
    const html = await ada.read(page);
    expect(html).toContain('Kept here: there was no mail server, so it did not leave <time');
    expect(await ada.read(keptMailIn(html) ?? '')).toMatch(/\/reset-password\/[\w-]{43}/);
  });

  test('is nothing of who administers only one of several organizations of the account', async () => {
    const { page } = await ask();
    await server.db.query(sql`
      insert into membership (account_id, organization_id, role, created_at)
      select ${people.vera.id}, organization_id, 'viewer', created_at from membership where account_id = ${people.olga.id}`);
    await deliver(null);
    const html = await ada.read(page);
    expect(html).not.toContain('Kept here');
    expect(keptMailIn(html)).toBeUndefined();
  });
});

describe('a forgotten password', () => {
  test('without a mail server: nobody is told to look into their mail', async () => {
    const html = await expectPage(await openVisitor(server).open('/forgot-password/sent'), 200);
    expect(html).toContain('No mail leaves this service');
    expect(html).toContain('administrator');
    expect(html).not.toMatch(/on its way|Look into your mail/);
  });

  test('with one: it says when the link comes, not that it is there', async () => {
    const html = await openVisitor(mailing).read('/forgot-password/sent');
    expect(html).toContain('Look into your mail');
    expect(html).not.toMatch(/on its way|No mail leaves/);
  });
});

test('a code for a contact method was handed over, which is no arrival', async () => {
  const html = await ada.read('/profile/contacts?done=code');
  expect(html).toContain('The code was handed over. When it has arrived, type it in below.');
  expect(html).not.toContain('on its way');
});

// Everybody is told in their own language: of the account, else of the group for those who have none, else of the organization.
import { pino } from 'pino';
import sql from 'sql-template-tag';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { sendAccountMails } from '../../src/engine/accounts/send-account-mails.ts';
import { openMailer } from '../../src/engine/mail/mailer.ts';
import { remind } from '../../src/engine/reminders/remind.ts';
import { sendReminders } from '../../src/engine/reminders/send-reminders.tsx';
import { createEmailTransport } from '../../src/engine/transports/email/email.ts';
import { readConfig } from '../../src/platform/config.ts';
import { countMissing } from '../../src/platform/languages/languages.ts';
import { openDeliveryDesk } from '../support/delivery-desk.ts';
import { addBracketed } from '../support/made-up-language.ts';
import { hours, minutes, seconds } from '../support/movable-clock.ts';
import { settled } from '../support/settled-delivery.ts';
import { openSmtpReceiver, type ReceivedMail } from '../support/smtp-receiver.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

const TAGS = ['cy', 'eu', 'gl', 'mi'] as const;
type Tag = (typeof TAGS)[number];
/** As a catalogue that somebody has begun. */
const HOLEY = 'fo';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  for (const tag of TAGS) addBracketed(tag);
  addBracketed(HOLEY, (message) => message.length % 2 === 0);
});

interface Chosen {
  /** By the local part of who chose it. */
  accounts: Record<string, string>;
  group?: string;
  organization?: string;
}

const HOOK = 'https://chat.example/cold';

let houses = 0;

async function openHouse({ accounts, group, organization }: Chosen) {
  houses += 1;
  const plain = `cold-${houses}@lab.example`;
  const receiver = await openSmtpReceiver();
  const mailer = openMailer({ settings: settled(readConfig({ SMTP_URL: receiver.url })), db: server.db });
  onTestFinished(() => mailer.close());
  const desk = await openDeliveryDesk(server, {
    emails: [plain],
    webhooks: [{ kind: 'slack', url: HOOK }],
  });
  const { lab, groupId } = desk;
  await lab.organizationEntry({
    groups: [{ name: 'Cold team', accounts: [lab.vera.email, lab.oscar.email, lab.ada.email] }],
  });
  for (const [name, tag] of Object.entries(accounts))
    await server.db.query(
      sql`update account set language = ${tag} where id = ${lab[name as 'vera' | 'oscar' | 'ada'].id}`,
    );
  await server.db.query(sql`update notification_group set language = ${group ?? null} where id = ${groupId}`);
  await server.db.query(
    sql`update organization set language = ${organization ?? null} where id = ${lab.organization}`,
  );
  const program = desk.hire({
    transports: { ...desk.postbox.transports, email: createEmailTransport({ mailer }) },
  });
  const mailTo = (address: string): ReceivedMail => {
    const mail = receiver.mails.find(({ to_ }) => to_[0] === address);
    if (!mail) throw new Error(`Nothing came to ${address}`);
    return mail;
  };
  const strike = async () => {
    await desk.strike(0, program);
    await desk.strike(seconds(3), program);
  };
  return { desk, lab, plain, receiver, mailer, mailTo, strike };
}

/** What is neither said nor typed: addresses, and the line before a signature. */
const isBare = (line: string): boolean => line === '' || line === '-- ' || line.trim().startsWith('http');

/** In that language alone: every line of it, the frame of the HTML, and what stands for its picture. */
function expectSpoken({ subject = '', text = '', html }: ReceivedMail, tag: Tag): void {
  expect(subject).toMatch(new RegExp(`^\\[${tag} `));
  for (const line of text.split('\n').filter((one) => !isBare(one)))
    expect(line.trim()).toMatch(new RegExp(`^\\[${tag} .*\\]$|^\\[${tag} [^\\]]+\\]`));
  expect(html).toContain(`<html lang="${tag}">`);
  for (const part of [subject, text, String(html)])
    for (const other of TAGS.filter((one) => one !== tag)) expect(part).not.toContain(`[${other} `);
}

test('one alarm, told to four in four languages', async () => {
  const { desk, lab, plain, receiver, mailTo, strike } = await openHouse({
    accounts: { vera: 'cy', ada: 'mi' },
    group: 'eu',
    organization: 'gl',
  });
  const freezer = await desk.freezer();
  await freezer.cools();
  server.clock.advance(minutes(20));
  await freezer.warms();
  await strike();
  expect(receiver.count).toBe(4);
  const told = { cy: lab.vera.email, eu: plain, gl: lab.oscar.email, mi: lab.ada.email };
  const pictures = TAGS.map((tag) => {
    const mail = mailTo(told[tag]);
    expectSpoken(mail, tag);
    const [, alt = ''] = /<img [^>]*alt="([^"]*)"/.exec(String(mail.html)) ?? [];
    expect(alt).toMatch(
      new RegExp(`^\\[${tag} Temperature in the last 6 hours: between .*\\] \\[${tag} Limits: `),
    );
    expect(mail.text).toContain(alt);
    return mail.attachments.map(({ content }) => content.toString('base64'));
  });
  expect(pictures.map(({ length }) => length)).toEqual([1, 1, 1, 1]);
  const [program] = desk.postbox.arrivals.map(({ letter }) => letter);
  expect(program?.language.tag).toBe('en');
  expect(program?.notices[0].said).toBe('Temperature −40 °C is above the critical limit of −60 °C');
});

test('another address of somebody is told in the language of that person, a push too', async () => {
  const { desk, lab, mailTo, strike } = await openHouse({
    accounts: { vera: 'cy' },
    group: 'eu',
    organization: 'gl',
  });
  await server.db.query(sql`
    insert into contact_method (account_id, kind, address, verified_at, created_at)
    select ${lab.vera.id}, kind, address, ${server.clock.read()}, ${server.clock.read()}
    from (values ('email', 'vera.home@lab.example'), ('sms', '+491701234567')) as given (kind, address)`);
  const freezer = await desk.freezer();
  await freezer.warms();
  await strike();
  expectSpoken(mailTo('vera.home@lab.example'), 'cy');
  const phone = desk.postbox.arrivals.find(({ to }) => to.startsWith('sms '));
  expect(phone?.letter.language.tag).toBe('cy');
});

test('a language that nobody translates any more is read in the next', async () => {
  const { desk, lab, plain, mailTo, strike } = await openHouse({
    accounts: { vera: 'tlh', oscar: 'tlh', ada: 'tlh' },
    group: 'tlh',
    organization: 'gl',
  });
  const freezer = await desk.freezer();
  await freezer.warms();
  await strike();
  for (const address of [lab.vera.email, plain]) expectSpoken(mailTo(address), 'gl');
});

test('who chose nothing, in an organization that chose nothing, reads English', async () => {
  const { desk, lab, plain, mailTo, strike } = await openHouse({ accounts: {} });
  const freezer = await desk.freezer();
  await freezer.warms();
  await strike();
  for (const address of [lab.vera.email, plain]) {
    const { subject, html } = mailTo(address);
    expect(subject).toBe('CRITICAL Freezer 1: Temperature −40 °C is above the critical limit of −60 °C');
    expect(html).toContain('<html lang="en">');
  }
});

test('a storm comes in one mail for each, in four languages', async () => {
  const { desk, lab, plain, receiver, mailTo, strike } = await openHouse({
    accounts: { vera: 'cy', ada: 'mi' },
    group: 'eu',
    organization: 'gl',
  });
  await desk.warmAll(await desk.freezers(40));
  await strike();
  expect(receiver.count).toBe(4);
  for (const [tag, address] of [
    ['cy', lab.vera.email],
    ['eu', plain],
    ['gl', lab.oscar.email],
    ['mi', lab.ada.email],
  ] as const) {
    const mail = mailTo(address);
    expectSpoken(mail, tag);
    expect(mail.subject).toBe(`[${tag} 40 alarms in Cold team: [${tag} 40 critical]]`);
  }
});

test('what a catalogue lacks is said in English: nothing is blank, nothing waits, and it is counted', async () => {
  const { desk, lab, receiver, mailTo, strike } = await openHouse({
    accounts: { vera: HOLEY, oscar: HOLEY, ada: HOLEY },
  });
  const before = countMissing().get(HOLEY) ?? 0;
  const freezer = await desk.freezer({ send_recoveries: true });
  await freezer.warms();
  await strike();
  expect(receiver.count).toBe(4);
  const missing = (countMissing().get(HOLEY) ?? 0) - before;
  expect(missing).toBeGreaterThan(0);
  const { subject = '', text = '', html } = mailTo(lab.vera.email);
  const bare = (said: string) => said.replaceAll(`[${HOLEY} `, '').replaceAll(']', '');
  expect(bare(subject)).toBe('CRITICAL Freezer 1: Temperature −40 °C is above the critical limit of −60 °C');
  expect(`${subject}${text}`).toContain(`[${HOLEY} `);
  expect(bare(text)).toMatch(/^Limit: +−60 °C$/m);
  expect(bare(text)).toContain('You get this mail as part of the group Cold team of ');
  expect(`${text}${html}`).not.toMatch(/undefined|null|\{\w+[,}]/);
  expect(html).toContain(`<html lang="${HOLEY}">`);
  await freezer.cools();
  await strike();
  expect(bare(receiver.mails.at(-1)?.subject ?? '')).toMatch(/^RECOVERED Freezer 1: Back to normal/);
});

describe('what does not tell an alarm', () => {
  test('a mail about an account', async () => {
    const { lab, mailer, receiver } = await openHouse({ accounts: { vera: 'cy' }, organization: 'gl' });
    const { db, clock } = server;
    await db.query(sql`
      insert into account_mail (account_id, kind, next_attempt_at, created_at)
      select id, 'passkey_added', ${clock.read()}, ${clock.read()}
      from account where id in (${lab.vera.id}, ${lab.oscar.id}) order by id`);
    const deps = {
      db,
      mailer,
      log: pino({ level: 'silent' }),
      publicUrl: () => 'https://tocsin.lab.example',
    };
    await sendAccountMails(deps, clock.read());
    const spoken = receiver.mails.map((mail) => [mail.to_[0], mail] as const);
    expect(spoken).toHaveLength(2);
    for (const [address, mail] of spoken) expectSpoken(mail, address === lab.vera.email ? 'cy' : 'gl');
  });

  test('a reminder', async () => {
    const { desk, lab, mailer, receiver, mailTo } = await openHouse({
      accounts: { ada: 'mi' },
      organization: 'gl',
    });
    const { db, clock } = server;
    const freezer = await desk.freezer();
    await lab.oscar.post(`/api/v1/services/${freezer.id}/mute`);
    server.clock.advance(hours(36));
    await remind(db, clock.read());
    const deps = {
      db,
      mailer,
      log: pino({ level: 'silent' }),
      publicUrl: () => 'https://tocsin.lab.example',
    };
    await sendReminders(deps, clock.read());
    expect(receiver.count).toBeGreaterThan(1);
    expectSpoken(mailTo(lab.ada.email), 'mi');
    expectSpoken(mailTo(lab.oscar.email), 'gl');
  });
});

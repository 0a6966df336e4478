// Letters as real mail over real SMTP, read back with a mail parser.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Notice } from '../../src/domain/notifications/notice.ts';
import type { Letter } from '../../src/engine/letters/letter.ts';
import { type Mailer, openMailer } from '../../src/engine/mail/mailer.ts';
import { createEmailTransport } from '../../src/engine/transports/email/email.ts';
import type { EmailRecipient } from '../../src/engine/transports/email/recipient.ts';
import { readConfig } from '../../src/platform/config.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { WARMING } from '../support/curve.ts';
import { STORY_BEGINS_AT as now } from '../support/movable-clock.ts';
import { digestOf, letterOf, NOTICES, type Told } from '../support/notices.ts';
import { settled } from '../support/settled-delivery.ts';
import { type ReceivedMail, type SmtpReceiver, startSmtpReceiver } from '../support/smtp-receiver.ts';

const VERA: EmailRecipient = {
  address: 'vera@lab.example',
  account: { name: 'Vera', timeZone: 'Europe/Berlin' },
};

let receiver: SmtpReceiver;
let mailer: Mailer;
beforeAll(async () => {
  receiver = await startSmtpReceiver();
  const config = readConfig({ SMTP_URL: receiver.url, MAIL_FROM: 'Tocsin <tocsin@lab.example>' });
  // A mailer with a server never touches the database.
  mailer = openMailer({ settings: settled(config), db: null as unknown as Database });
});
afterAll(async () => {
  await mailer.close();
  await receiver.close();
});

async function send(letter: Letter, recipient = VERA): Promise<ReceivedMail> {
  const before = receiver.mails.length;
  const transport = createEmailTransport({ mailer });
  const outcome = await transport.send(letter, recipient, now, new AbortController().signal);
  expect(outcome).toEqual({ isSent: true, handedTo: '127.0.0.1' });
  return receiver.mail(before + 1);
}

const drawn = (told: Told): Notice => ({ ...NOTICES[told], curve: WARMING });

describe.each(Object.keys(NOTICES) as Told[])('a mail of kind %s', (told) => {
  test('arrives with text, HTML and picture', async () => {
    const mail = await send(letterOf(drawn(told)));
    expect(mail.subject).toContain('Freezer 3');
    expect(mail.text).toContain('Freezer 3');
    expect(mail.text).toContain('in the last 6 hours: between −80.7 and −55.2');
    expect(mail.html).toContain('<h1');
    const [picture] = mail.attachments;
    expect(picture).toMatchObject({ contentType: 'image/png', related: true, contentDisposition: 'inline' });
    expect(picture?.content.toString('latin1', 1, 4)).toBe('PNG');
    expect(mail.html).toContain(`src="cid:${picture?.cid}"`);
    expect(mail).toMatchObject({ from_: 'tocsin@lab.example', to_: ['vera@lab.example'] });
  });
});

test('headers say who, what, and that a machine wrote it', async () => {
  const mail = await send(letterOf(NOTICES.critical));
  expect(mail.from?.text).toBe('"Tocsin" <tocsin@lab.example>');
  expect(mail.to).toMatchObject({ text: '"Vera" <vera@lab.example>' });
  expect(mail.date).toEqual(now);
  expect(mail.headers.get('auto-submitted')).toBe('auto-generated');
  expect(mail.headers.get('x-tocsin-kind')).toBe('critical');
  expect(mail.headers.get('x-tocsin-service')).toBe('7');
  expect(mail.headers.get('priority')).toBe('high');
  expect(mail.messageId).toMatch(/^<[0-9a-f]{32}@lab\.example>$/);
});

test('a retry is the same mail; alarm and recovery are one thread', async () => {
  const [one, again] = [await send(letterOf(NOTICES.critical)), await send(letterOf(NOTICES.critical))];
  expect(again.messageId).toBe(one.messageId);
  const recovery = await send({ ...letterOf(NOTICES.recovery), id: '1002' });
  expect(recovery.messageId).not.toBe(one.messageId);
  expect(recovery.inReplyTo).toBe(one.inReplyTo);
  expect(recovery.references).toBe(one.references);
});

test('a storm is one mail', async () => {
  const mail = await send(digestOf(500));
  expect(mail.subject).toBe('500 alarms in Cold team: 300 critical, 150 warning, 50 without data');
  expect(mail.text).toContain('and 450 more');
  expect(mail.attachments).toEqual([]);
});

test('umlauts and emoji arrive as they were typed', async () => {
  const serviceName = 'Kühlschrank „Größe 5“ ❄️ 冷凍庫';
  const account = { name: 'Jörg Müßig 🧊', timeZone: 'Asia/Kathmandu' };
  const mail = await send(letterOf({ ...drawn('critical'), serviceName }), { ...VERA, account });
  expect(mail.subject).toContain(serviceName);
  expect(mail.text).toContain(serviceName);
  expect(mail.html).toContain(serviceName);
  expect(mail.text).toContain('15 Nov 07:45');
  expect(mail.to).toMatchObject({ value: [{ name: account.name, address: VERA.address }] });
});

test('a name with line breaks writes no header and reaches nobody else', async () => {
  const evil = 'Freezer\r\nBcc: eve@evil.example\r\n\r\nHello';
  const account = { name: evil, timeZone: 'UTC' };
  const mail = await send(letterOf({ ...NOTICES.critical, serviceName: evil, said: evil }), {
    ...VERA,
    account,
  });
  expect(mail.bcc).toBeUndefined();
  expect(mail.headers.has('bcc')).toBe(false);
  expect(mail.to_).toEqual(['vera@lab.example']);
  expect(mail.subject).toBe(
    'CRITICAL Freezer Bcc: eve@evil.example Hello (Room 101): Freezer Bcc: eve@evil.example Hello',
  );
});

test('when very much is told at once, mails go without a picture and say it in words', async () => {
  const transport = createEmailTransport({ mailer });
  const before = receiver.mails.length;
  const sendAt = (at: Date, curve = { ...WARMING }) =>
    transport.send(letterOf({ ...NOTICES.critical, curve }), VERA, at, new AbortController().signal);
  for (let count = 0; count < 21; count++) await sendAt(now);
  await sendAt(new Date(now.getTime() + 1000));
  await receiver.mail(before + 22);
  const mails = receiver.mails.slice(before);
  expect(mails.map(({ attachments }) => attachments.length)).toEqual([...Array(20).fill(1), 0, 1]);
  expect(mails[20]?.html).toContain('Temperature in the last 6 hours: between −80.7 and −55.2 °C');
});

test('connections are used again', async () => {
  for (let count = 0; count < 5; count++) await send(letterOf(NOTICES.critical));
  expect(receiver.connections()).toBe(1);
});

test('who is told of the same thing gets the same words and picture, in a mail and a zone of his own', async () => {
  const transport = createEmailTransport({ mailer });
  const before = receiver.mails.length;
  const notice = drawn('critical');
  const told: EmailRecipient[] = [
    VERA,
    { address: 'bert@lab.example', account: { name: 'Bert', timeZone: 'Europe/Berlin' } },
    { address: 'cold@lab.example', account: null },
  ];
  for (const [index, recipient] of told.entries()) {
    const letter = { ...letterOf(notice), id: `${index}` };
    await transport.send(letter, recipient, now, new AbortController().signal);
  }
  await receiver.mail(before + 3);
  const [vera, bert, plain] = receiver.mails.slice(before) as [ReceivedMail, ReceivedMail, ReceivedMail];
  expect(new Set([vera, bert, plain].map(({ messageId }) => messageId)).size).toBe(3);
  expect(bert).toMatchObject({ text: vera.text, html: vera.html, to: { text: '"Bert" <bert@lab.example>' } });
  expect(bert.attachments[0]?.content).toEqual(vera.attachments[0]?.content);
  expect(plain.text).toContain('Times are in UTC.');
  expect(plain.text).not.toBe(vera.text);
});

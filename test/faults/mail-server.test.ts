// What a mail server may do to mail, and what becomes of it.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openMailer } from '../../src/engine/mail/mailer.ts';
import { createEmailTransport } from '../../src/engine/transports/email/email.ts';
import { readConfig } from '../../src/platform/config.ts';
import type { Database } from '../../src/platform/db/database.ts';
import type { Mail, MailOutcome } from '../../src/platform/mail/mail.ts';
import { STORY_BEGINS_AT as now } from '../support/movable-clock.ts';
import { letterOf, NOTICES } from '../support/notices.ts';
import { makeCertificate } from '../support/self-signed-certificate.ts';
import { settled } from '../support/settled-delivery.ts';
import { openSmtpReceiver, type SmtpReceiver } from '../support/smtp-receiver.ts';

const MISSING: Database = null as unknown as Database;

const MAIL: Mail = {
  id: '1',
  threadId: null,
  to: { name: null, address: 'cold@lab.example' },
  subject: '[CRITICAL] Freezer 3',
  body: { text: 'Too warm', html: '<p>Too warm</p>', pictures: [] },
  headers: {},
  isUrgent: true,
};

/** Sends one mail by this SMTP_URL. */
async function sendBy(url: string, signal = new AbortController().signal): Promise<MailOutcome> {
  const mailer = openMailer({ settings: settled(readConfig({ SMTP_URL: url })), db: MISSING });
  onTestFinished(() => mailer.close());
  return mailer.send(MAIL, { organizationName: 'Cell Biology' }, now, signal);
}

const failed = (error: string | RegExp, isFinal: boolean) => ({
  isSent: false,
  error: typeof error === 'string' ? error : expect.stringMatching(error),
  isFinal,
});

describe('a server that answers', () => {
  const FINAL = true;
  const AGAIN = false;
  test.each<[string, 'Recipient' | 'Sender' | 'Message', number, string, boolean]>([
    ['no such mailbox', 'Recipient', 550, '5.1.1 No such user', FINAL],
    ['a mailbox that was moved', 'Recipient', 551, '5.1.6 User not local', FINAL],
    ['content it does not take', 'Message', 554, '5.7.1 Refused by policy', FINAL],
    ['greylisting', 'Recipient', 451, '4.7.1 Greylisted, come back in 5 minutes', AGAIN],
    ['greylisting with the wrong number', 'Recipient', 550, 'Greylisted, please try again later', AGAIN],
    ['a full disk', 'Message', 452, '4.3.1 Insufficient storage', AGAIN],
    ['that it wants a sign-in', 'Sender', 530, '5.7.0 Authentication required', AGAIN],
    ['that the sender is not welcome', 'Sender', 553, '5.7.1 Sender rejected', AGAIN],
    ['that it is not allowed to relay', 'Recipient', 530, '5.7.0 Authentication required', AGAIN],
  ])('%s', async (_, to, code, text, isFinal) => {
    const receiver = await openSmtpReceiver();
    receiver.behave({ [`answer${to}`]: () => ({ code, text }) });
    expect(await sendBy(receiver.url)).toEqual(
      failed(new RegExp(`^The mail server answered: ${code} ${text}`), isFinal),
    );
    receiver.behave({});
    expect(await sendBy(receiver.url)).toEqual({ isSent: true, handedTo: '127.0.0.1' });
  });
});

describe('a server that does not answer', () => {
  test('is not there', async () => {
    const receiver = await openSmtpReceiver();
    await receiver.goDown();
    expect(await sendBy(receiver.url)).toEqual(
      failed('The mail server cannot be reached (ECONNREFUSED)', false),
    );
    await receiver.comeBack();
    expect(await sendBy(receiver.url)).toEqual({ isSent: true, handedTo: '127.0.0.1' });
  });

  test('has no address', async () => {
    expect(await sendBy('smtp://mail.invalid:25')).toEqual(
      failed(/^The name of the mail server|^The mail server cannot/, false),
    );
  });

  test('takes the mail and says nothing more: given up when the caller has waited enough, and it keeps no program from leaving', async () => {
    const receiver = await openSmtpReceiver();
    receiver.behave({ neverAnswers: true });
    const mailer = openMailer({ settings: settled(readConfig({ SMTP_URL: receiver.url })), db: MISSING });
    const transport = createEmailTransport({ mailer });
    const recipient = { address: 'cold@lab.example', account: null };
    const outcome = await transport.send(
      letterOf(NOTICES.critical),
      recipient,
      now,
      AbortSignal.timeout(300),
    );
    expect(outcome).toMatchObject({ isSent: false, error: 'The mail server took too long' });
    await mailer.close();
  });

  test('breaks off after it took the mail: it counts as not sent, and is not sent again behind our back', async () => {
    const receiver = await openSmtpReceiver();
    receiver.behave({ hangsUpAfterTaking: true });
    expect(await sendBy(receiver.url)).toEqual(failed('The mail server broke the connection off', false));
    expect(receiver.mails).toHaveLength(1);
  });

  test('one that is slow holds up nobody beside it', async () => {
    const receiver = await openSmtpReceiver();
    receiver.behave({ waitsFor: 10 });
    const mailer = openMailer({ settings: settled(readConfig({ SMTP_URL: receiver.url })), db: MISSING });
    onTestFinished(() => mailer.close());
    const transport = createEmailTransport({ mailer });
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        transport.send(
          { ...letterOf(NOTICES.critical), id: String(index) },
          { address: `cold${index}@lab.example`, account: null },
          now,
          new AbortController().signal,
        ),
      ),
    );
    expect(outcomes.every(({ isSent }) => isSent)).toBe(true);
  });
});

describe('TLS and sign-in', () => {
  const auth = { user: 'tocsin@lab', password: 'ge:heim/€' };
  const login = `${encodeURIComponent(auth.user)}:${encodeURIComponent(auth.password)}`;
  const certificate = makeCertificate();

  const keepCertificate = async (): Promise<string> => {
    const folder = await mkdtemp(join(tmpdir(), 'tocsin-ca-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'ca.pem'), certificate.cert);
    return encodeURIComponent(join(folder, 'ca.pem'));
  };
  const urlOf = ({ url }: SmtpReceiver, who: string, ca: string | null) =>
    `${url.replace('//', `//${who}@`)}${ca === null ? '' : `?ca=${ca}`}`;

  test.each(['from_start', 'starttls'] as const)(
    '%s: the mail comes encrypted, under the right name',
    async (mode) => {
      const receiver = await openSmtpReceiver({ auth, tls: { mode, ...certificate } });
      expect(await sendBy(urlOf(receiver, login, await keepCertificate()))).toEqual({
        isSent: true,
        handedTo: '127.0.0.1',
      });
      expect(receiver.mails[0]).toMatchObject({ isSecure: true, user: auth.user });
    },
  );

  test.each(['from_start', 'starttls'] as const)(
    '%s: a certificate that nobody vouches for is refused',
    async (mode) => {
      const receiver = await openSmtpReceiver({ auth, tls: { mode, ...certificate } });
      const outcome = await sendBy(urlOf(receiver, login, null));
      expect(outcome).toEqual(
        failed(/^(No safe connection to the mail server|The mail server cannot be reached)/, false),
      );
      expect(receiver.mails).toEqual([]);
    },
  );

  test('a wrong password can be put right, so it is tried again; it is not repeated', async () => {
    const receiver = await openSmtpReceiver({ auth });
    const outcome = await sendBy(urlOf(receiver, 'tocsin%40lab:falsch', null));
    expect(outcome).toEqual(failed('The mail server refused the sign-in (535)', false));
  });

  test('a sign-in within the machine needs no TLS', async () => {
    const receiver = await openSmtpReceiver({ auth });
    expect(await sendBy(urlOf(receiver, login, null))).toEqual({ isSent: true, handedTo: '127.0.0.1' });
    expect(receiver.mails[0]).toMatchObject({ isSecure: false, user: auth.user });
  });
});

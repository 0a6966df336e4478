// Real receivers that misbehave: a webhook that answers 429, 500, 410, late or never, a mail server that is away.
import sql from 'sql-template-tag';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { formLetters } from '../../src/engine/delivery/form-letters.ts';
import { openMailer } from '../../src/engine/mail/mailer.ts';
import { createEmailTransport } from '../../src/engine/transports/email/email.ts';
import { createWebhookTransport } from '../../src/engine/transports/webhook/webhook.ts';
import { readConfig } from '../../src/platform/config.ts';
import { type DeliveryDesk, openDeliveryDesk } from '../support/delivery-desk.ts';
import { minutes, seconds } from '../support/movable-clock.ts';
import { settled } from '../support/settled-delivery.ts';
import { startSmtpReceiver } from '../support/smtp-receiver.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import { answers, neverAnswers, startWebhookReceiver } from '../support/webhook-receiver.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});

const PUBLIC_URL = 'https://tocsin.lab.example';
const openWebhooks = (timeoutMs: number) =>
  createWebhookTransport({ publicUrl: () => PUBLIC_URL, allowPrivate: true, timeoutMs });

/** A desk whose letters leave by the real transports. */
async function openRealDesk(
  group: Parameters<typeof openDeliveryDesk>[1],
  smtpUrl?: string,
  webhook = openWebhooks(3_000),
) {
  const desk = await openDeliveryDesk(server, group);
  const config = readConfig(smtpUrl ? { SMTP_URL: smtpUrl } : {});
  const mailer = openMailer({ settings: settled(config), db: server.db });
  onTestFinished(() => mailer.close());
  const program = desk.hire({
    transports: { ...desk.postbox.transports, webhook, email: createEmailTransport({ mailer }) },
  });
  const strike = (ms = 0) => desk.strike(ms, program);
  return { ...desk, strike, program };
}

async function alarm(desk: DeliveryDesk) {
  await (await desk.freezer()).warms();
  await desk.strike();
  await desk.strike(seconds(2));
}

const openHookDesk = (url: string) => openRealDesk({ webhooks: [{ kind: 'generic', url }] });

/** Without the mails to administrators, who are told where the only webhook refuses. */
const hookDeliveries = async (desk: DeliveryDesk) =>
  (await desk.deliveries()).filter(({ transport }) => transport === 'webhook');

describe('a webhook', () => {
  test('429 with Retry-After: comes back when it was asked to, with the same id', async () => {
    const receiver = await startWebhookReceiver(answers(429, '', { 'retry-after': '120' }), answers(200));
    const desk = await openHookDesk(`${receiver.url}/hook`);
    await alarm(desk);
    await desk.strike(seconds(119));
    expect(receiver.received).toHaveLength(1);
    await desk.strike(seconds(1));
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(ids).toEqual([expect.stringMatching(/./), ids[0]]);
    expect(await hookDeliveries(desk)).toMatchObject([{ state: 'sent', attempts: 2 }]);
  });

  test.each([
    ['500', answers(500)],
    ['no answer', neverAnswers],
    ['401', answers(401)],
    ['403', answers(403)],
    ['404', answers(404)],
  ])('%s: is tried again after five seconds', async (_, misbehaves) => {
    const receiver = await startWebhookReceiver(misbehaves, answers(200));
    const desk = await openHookDesk(receiver.url);
    await alarm(desk);
    expect(await hookDeliveries(desk)).toMatchObject([
      { state: 'queued', attempts: 1, lastError: expect.stringMatching(/./) },
    ]);
    await desk.strike(seconds(5));
    expect(await hookDeliveries(desk)).toMatchObject([{ state: 'sent', attempts: 2 }]);
    expect(receiver.received).toHaveLength(2);
  });

  test('410: is disabled and never called again', async () => {
    const receiver = await startWebhookReceiver(answers(410));
    const desk = await openHookDesk(receiver.url);
    await alarm(desk);
    await alarm(desk);
    expect(receiver.received).toHaveLength(1);
    expect(await hookDeliveries(desk)).toMatchObject([{ state: 'failed', attempts: 1 }]);
    const [hook] = await server.db.query<{ disabledAt: Date | null }>(sql`
      select disabled_at as "disabledAt" from notification_group_webhook where group_id = ${desk.groupId}`);
    expect(hook?.disabledAt).not.toBeNull();
  });

  test('one that hangs holds up neither mail nor other webhooks', async () => {
    const smtp = await startSmtpReceiver();
    onTestFinished(() => smtp.close());
    const held: (() => void)[] = [];
    const slow = await startWebhookReceiver((response, received) =>
      held.push(() => answers(200)(response, received)),
    );
    const quick = await startWebhookReceiver(answers(200));
    const desk = await openRealDesk(
      {
        emails: ['cold@lab.example'],
        webhooks: [slow, quick].map(({ url }) => ({ kind: 'generic', url })),
      },
      smtp.url,
      openWebhooks(20_000),
    );
    await desk.warmAll(await desk.freezers(5));
    await desk.decide();
    server.clock.advance(seconds(2));
    await formLetters(server.db, server.clock.read());
    await desk.program.work();
    await expect.poll(() => [smtp.count, quick.received.length], { timeout: 60_000 }).toEqual([5, 5]);
    // All of them still wait for their answer, and the fifth for its turn.
    expect([held.length, slow.received.length]).toEqual([4, 4]);
    for (const answer of held.splice(0)) answer();
    await expect.poll(() => held.length, { timeout: 60_000 }).toBe(1);
    held[0]?.();
    await desk.program.settle();
    expect((await desk.deliveries()).map(({ state }) => state)).toEqual(Array(15).fill('sent'));
  });
});

describe('a mail server', () => {
  test('that is down for an hour: the alarm arrives once it is back, once', async () => {
    const smtp = await startSmtpReceiver();
    onTestFinished(() => smtp.close());
    const desk = await openRealDesk({ emails: ['cold@lab.example'] }, smtp.url);
    await smtp.goDown();
    await alarm(desk);
    for (let minute = 0; minute < 60; minute += 1) await desk.strike(minutes(1));
    expect(await desk.deliveries()).toMatchObject([
      { state: 'queued', lastError: expect.stringMatching(/./) },
    ]);
    await smtp.comeBack();
    for (let minute = 0; minute < 75; minute += 5) await desk.strike(minutes(5));
    expect(smtp.count).toBe(1);
    expect(await desk.deliveries()).toMatchObject([{ state: 'sent' }]);
  });

  test('that breaks off after taking a mail gets it again under the same Message-ID', async () => {
    const smtp = await startSmtpReceiver();
    onTestFinished(() => smtp.close());
    const desk = await openRealDesk({ emails: ['cold@lab.example'] }, smtp.url);
    smtp.behave({ hangsUpAfterTaking: true });
    await alarm(desk);
    smtp.behave({ hangsUpAfterTaking: false });
    await desk.strike(seconds(5));
    const last = await smtp.mail(2);
    expect(smtp.mails.map(({ messageId }) => messageId)).toEqual([last.messageId, last.messageId]);
    expect(await desk.deliveries()).toMatchObject([{ state: 'sent', attempts: 2 }]);
  });

  test('that refuses one recipient: the others get theirs, and he gets his once the mailbox is there', async () => {
    const smtp = await startSmtpReceiver();
    onTestFinished(() => smtp.close());
    smtp.behave({
      answerRecipient: (address) =>
        address.startsWith('gone') ? { code: 550, text: 'No such mailbox' } : null,
    });
    const desk = await openRealDesk({ emails: ['cold@lab.example', 'gone@lab.example'] }, smtp.url);
    await alarm(desk);
    expect((await smtp.mail(1)).to_).toEqual(['cold@lab.example']);
    expect(await desk.deliveries()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ recipient: 'gone@lab.example', state: 'queued', attempts: 1 }),
        expect.objectContaining({ recipient: 'cold@lab.example', state: 'sent' }),
      ]),
    );
    smtp.behave({});
    await desk.strike(seconds(5));
    expect((await smtp.mail(2)).to_).toEqual(['gone@lab.example']);
  });
});

// A night on a ladder with a real mail server: nobody acknowledges, then nothing arrives, up to the last resort.

import { pino } from 'pino';
import sql from 'sql-template-tag';
import { beforeAll, expect, test } from 'vitest';
import { english } from '../../src/domain/language/english.ts';
import { type Reason, sayReason } from '../../src/domain/notifications/reason.ts';
import { openMailer } from '../../src/engine/mail/mailer.ts';
import { createHeartbeat } from '../../src/engine/self-watch/heartbeat.ts';
import { lookAtService } from '../../src/engine/self-watch/look.ts';
import { enrolProgram } from '../../src/engine/self-watch/programs.ts';
import { createEmailTransport } from '../../src/engine/transports/email/email.ts';
import { readConfig } from '../../src/platform/config.ts';
import { openDeliveryDesk, type ToldFreezer } from '../support/delivery-desk.ts';
import { minutes } from '../support/movable-clock.ts';
import { settled } from '../support/settled-delivery.ts';
import { startSmtpReceiver } from '../support/smtp-receiver.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import { answers, startWebhookReceiver } from '../support/webhook-receiver.ts';
import { whenFileIsDone } from '../support/when-file-is-done.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});

const LADDER = {
  emails: ['first@lab.example'],
  steps: [
    { step: 1, after_minutes: 10 },
    { step: 2, after_minutes: 25 },
  ],
  told: [
    { step: 1, email: 'second@lab.example' },
    { step: 2, email: 'third@lab.example' },
  ],
};

test('step by step by mail; where none leaves, administrators are the last resort and the heartbeat stops until one does', async () => {
  const smtp = await startSmtpReceiver();
  const watcher = await startWebhookReceiver(answers(200));
  const desk = await openDeliveryDesk(server, LADDER);
  const config = readConfig({ SMTP_URL: smtp.url, MAIL_FROM: 'Tocsin <tocsin@lab.example>' });
  const mailer = openMailer({ settings: settled(config), db: server.db });
  whenFileIsDone(async () => {
    await mailer.close();
    await smtp.close();
  });
  const log = pino({ level: 'silent' });
  const deliverer = desk.hire({
    transports: { ...desk.postbox.transports, email: createEmailTransport({ mailer }) },
  });
  const program = enrolProgram(server.db, ['engine', 'deliver'], server.clock.read());
  const heart = createHeartbeat({ db: server.db, log, url: new URL(watcher.url) });
  const sleepOn = async (count: number) => {
    for (let minute = 0; minute < count; minute += 1) {
      await desk.strike(minutes(1), deliverer);
      await program.beat(server.clock.read());
      await heart(server.clock.read());
    }
  };
  const findNames = async () =>
    (await lookAtService(server.db, server.clock.read())).findings.map(({ name }) => name);
  const stepsOf = async ({ id }: ToldFreezer) =>
    (
      await server.db.query<{ step: number }>(sql`
        select step from step_opened where service_id = ${id} order by id`)
    ).map(({ step }) => step);

  const [heard, unheard] = await desk.freezers(2);
  await heard?.warms();
  await sleepOn(40);
  expect(smtp.mails.map(({ to_ }) => to_[0])).toEqual([
    'first@lab.example',
    'second@lab.example',
    'third@lab.example',
  ]);
  expect(await stepsOf(heard as ToldFreezer)).toEqual([0, 1, 2]);
  expect(watcher.received.length).toBeGreaterThanOrEqual(39);

  await smtp.goDown();
  await unheard?.warms();
  await sleepOn(31);
  expect(await stepsOf(unheard as ToldFreezer)).toEqual([0, 1, 2, 9]);
  expect(await findNames()).toContain('nobody_reached');
  const calls = watcher.received.length;
  await sleepOn(5);
  expect(watcher.received).toHaveLength(calls);

  await smtp.comeBack();
  await sleepOn(90);
  expect(smtp.mails.map(({ to_ }) => to_[0])).toContain(desk.lab.ada.email);
  expect(await findNames()).not.toContain('nobody_reached');
  await sleepOn(5);
  expect(watcher.received.length).toBeGreaterThan(calls);
}, 60_000);

test('nobody waits for a mailbox that refuses for good: the next step opens at once, at last the administrators', async () => {
  const smtp = await startSmtpReceiver();
  const desk = await openDeliveryDesk(server, LADDER);
  const config = readConfig({ SMTP_URL: smtp.url, MAIL_FROM: 'Tocsin <tocsin@lab.example>' });
  const mailer = openMailer({ settings: settled(config), db: server.db });
  whenFileIsDone(async () => {
    await mailer.close();
    await smtp.close();
  });
  const email = createEmailTransport({ mailer });
  const deliverer = desk.hire({ transports: { ...desk.postbox.transports, email } });
  const strike = async (count: number, seconds: number) => {
    for (let turn = 0; turn < count; turn += 1) await desk.strike(seconds * 1000, deliverer);
  };
  const stepsOf = async ({ id }: ToldFreezer) =>
    (
      await server.db.query<{ step: number; why: Reason }>(sql`
        select step, why from step_opened where service_id = ${id} order by id`)
    ).map(({ step, why }) => `${step}: ${sayReason(why, english)}`);
  const refuse = (...names: string[]) =>
    smtp.behave({
      answerRecipient: (address) =>
        names.some((name) => address.startsWith(name)) ? { code: 550, text: '5.1.1 No such mailbox' } : null,
    });

  const [early, unheard, back] = await desk.freezers(3);
  refuse('first');
  await early?.warms();
  await strike(6, 5);
  expect(await stepsOf(early as ToldFreezer)).toEqual([
    '0: In alarm: critical',
    '1: Every message of step 0 failed',
  ]);
  expect(smtp.mails.map(({ to_ }) => to_[0])).toEqual(['second@lab.example']);
  // Who was reached is waited for as ever.
  await strike(5, 60);
  expect(await stepsOf(early as ToldFreezer)).toHaveLength(2);
  await early?.cools();
  await strike(2, 5);

  refuse('first', 'second', 'third');
  await unheard?.warms();
  await strike(10, 5);
  expect(await stepsOf(unheard as ToldFreezer)).toEqual([
    '0: In alarm: critical',
    '1: Every message of step 0 failed',
    '2: Every message of step 1 failed',
    '9: Every message failed',
  ]);
  expect(smtp.mails.at(-1)?.to_[0]).toBe(desk.lab.ada.email);
  // It is tried on while the alarm holds, and nothing opens a second time.
  refuse();
  await strike(15, 60);
  expect(smtp.mails.map(({ to_ }) => to_[0])).toContain('first@lab.example');
  expect(await stepsOf(unheard as ToldFreezer)).toHaveLength(4);

  // A server that is away says nothing for good: everybody has their time.
  await smtp.goDown();
  await back?.warms();
  await strike(9, 60);
  expect(await stepsOf(back as ToldFreezer)).toEqual(['0: In alarm: critical']);
}, 60_000);

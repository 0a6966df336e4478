// Wherever an alarm is shown or told, it says the same: the newest value and its way, the limit, since when, and the worst.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { english } from '../../src/domain/language/english.ts';
import { readAlarmFacts } from '../../src/engine/alarm-state/read-alarm-facts.ts';
import { type Mailer, openMailer } from '../../src/engine/mail/mailer.ts';
import { sayLetter } from '../../src/engine/providers/record/message.ts';
import { createEmailTransport } from '../../src/engine/transports/email/email.ts';
import { readConfig } from '../../src/platform/config.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { countTrips } from '../support/count-trips.ts';
import { type DeliveryDesk, openDeliveryDesk, type ToldFreezer } from '../support/delivery-desk.ts';
import { minutes } from '../support/movable-clock.ts';
import { letterOf } from '../support/notices.ts';
import { textOf } from '../support/page.ts';
import { settled } from '../support/settled-delivery.ts';
import { type SmtpReceiver, startSmtpReceiver } from '../support/smtp-receiver.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import { openVisitor, signedIn, type VisitorBrowser } from '../support/visitor.ts';

let server: TestServer;
let receiver: SmtpReceiver;
let mailer: Mailer;
beforeAll(async () => {
  server = await startServer();
  receiver = await startSmtpReceiver();
  const config = readConfig({ SMTP_URL: receiver.url, MAIL_FROM: 'Tocsin <tocsin@lab.example>' });
  mailer = openMailer({ settings: settled(config), db: null as unknown as Database });
});
afterAll(async () => {
  await mailer.close();
  await receiver.close();
});

let desk: DeliveryDesk;
let freezer: ToldFreezer;
let oscar: VisitorBrowser;
beforeEach(async () => {
  desk = await openDeliveryDesk(server);
  freezer = await desk.freezer();
  oscar = await signedIn(server, desk.lab.oscar);
});

const reads = async (...temperatures: number[]) => {
  for (const temperature of temperatures) {
    await desk.lab.advance(minutes(1));
    const time = server.clock.read().getTime();
    await desk.lab.post([{ device: freezer.device, time, values: { temperature } }]);
  }
};

/** What is due by now leaves by real mail. */
async function mail(): Promise<string> {
  const program = desk.hire({
    transports: { ...desk.postbox.transports, email: createEmailTransport({ mailer }) },
  });
  await desk.decide();
  await desk.strike(3_000, program);
  const own = receiver.mails.filter(({ text = '' }) => text.includes(desk.lab.organizationName));
  const { subject, text } = own.at(-1) ?? {};
  return `${subject}\n${text}`;
}

const shown = async (path: string) => textOf(await oscar.read(path));

describe('an alarm that went on after it was told', () => {
  /** Raised at −55, worst at −40, now −45 and going down: raised at −55 is nobody's business any more. */
  beforeEach(async () => {
    await reads(-80, -55);
    await desk.decide();
    await reads(-50, -40, -42, -43, -44, -45);
  });

  const expectFacts = (text: string) => {
    expect(text).toContain('−45 °C');
    expect(text).toMatch(/falling/);
    expect(text).toContain('−60 °C');
    expect(text).toMatch(/[Ww]orst so far:? +−40 °C/);
    expect(text).not.toContain('−55 °C');
  };

  test('in the list of alarms', async () => {
    const text = await shown('/');
    expectFacts(text);
    expect(text).toMatch(/Over since/);
  });

  test('on the page of the service', async () => {
    const text = (await shown(`/services/${freezer.id}`)).split('Latest values')[0] ?? '';
    expectFacts(text);
    expect(text).toMatch(/Over since/);
    expect(text).toMatch(/Alarm since/);
  });

  test('in the mail, as of the moment it is written', async () => {
    const text = await mail();
    expect(text).toContain('Temperature −45 °C is above the critical limit of −60 °C');
    expectFacts(text.split('in the last 6 hours')[0] ?? '');
    expect(text).toMatch(/Now: +−45 °C, falling/);
    expect(text).toMatch(/Over since: +/);
    expect(text).toMatch(/Alarm since: +/);
    expect(text).toContain('last −45 °C');
  });

  test('by push, SMS and in a call', async () => {
    await desk.strike(3_000);
    const told = desk.postbox.arrivals.at(-1)?.letter;
    if (!told) throw new Error('nothing was notified');
    const letter = letterOf({ ...told.notices[0], isOneOfSeveral: false });
    const now = server.clock.read();
    const message = sayLetter(letter, 'https://tocsin.lab.example', {
      code: '4711',
      pin: 'none',
      mayAcknowledge: true,
      now,
    });
    expectFacts(message.text);
    expect(message.text).toMatch(/Over for 6 minutes/);
    expect(message.sms).toContain('CRITICAL Freezer 1: -45 C, falling (limit -60)');
  });

  test('on the page behind its link', async () => {
    await desk.strike(3_000);
    const url = desk.postbox.arrivals.at(-1)?.letter.notices[0].acknowledgeUrl ?? '';
    const text = await shown(new URL(url).pathname);
    expectFacts(text);
    expect(text).toMatch(/Over since/);
    expect(text).toMatch(/Alarm since/);
  });

  test('on the wall', async () => {
    const ada = await signedIn(server, desk.lab.ada);
    const made = await (await ada.send('/settings/wall/create', { name: 'Corridor' })).text();
    const path = /href="(\/wall\/[\w-]+)"/.exec(made)?.[1] ?? '';
    expectFacts(textOf(await openVisitor(server).read(path)));
  });

  test('while programs read what the contract says', async () => {
    const [alarm] = await desk.lab.alarms();
    expect(alarm?.message).toBe('Temperature -55 °C is above the critical limit of -60 °C');
  });
});

test('a mail never says a value that nothing ever had', async () => {
  await reads(-80, -80);
  await desk.lab.advance(minutes(4));
  const at = server.clock.read().getTime();
  const three = Math.ceil(at / minutes(3)) * minutes(3);
  await desk.lab.advance(three - at + 2_000);
  await desk.lab.post([
    { device: freezer.device, time: three, values: { temperature: 43.6 } },
    { device: freezer.device, time: three + 1_000, values: { temperature: 57.3 } },
  ]);
  const text = await mail();
  expect(text).not.toContain('50.45');
  expect(text).toContain('last 57.3 °C');
});

test('a list of alarms is read by one statement, however many there are', async () => {
  const others = await desk.freezers(12);
  await desk.warmAll(others);
  const counted = countTrips(server.db);
  const facts = await readAlarmFacts(
    counted.db,
    others.map(({ id }) => id),
    english,
  );
  expect([facts.size, counted.read()]).toEqual([12, 1]);
});

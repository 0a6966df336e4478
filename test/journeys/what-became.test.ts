// What became of a letter: pages say the state they know, and no more. Mail by a real server, by none, and by some that
// refuse, put off and hang.
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createDeliveryMetrics } from '../../src/engine/delivery/delivery-metrics.ts';
import { openMailer } from '../../src/engine/mail/mailer.ts';
import { createEmailTransport } from '../../src/engine/transports/email/email.ts';
import { readConfig } from '../../src/platform/config.ts';
import { openDeliveryDesk } from '../support/delivery-desk.ts';
import { seconds } from '../support/movable-clock.ts';
import { settled } from '../support/settled-delivery.ts';
import { openSmtpReceiver } from '../support/smtp-receiver.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import { signedIn } from '../support/visitor.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});

type Behaviour = Parameters<Awaited<ReturnType<typeof openSmtpReceiver>>['behave']>[0];

/** A lab whose mail leaves by a server that behaves so; null: by none. */
async function openMailingLab(behaviour: Behaviour | null) {
  const receiver = behaviour && (await openSmtpReceiver());
  receiver?.behave(behaviour ?? {});
  const desk = await openDeliveryDesk(server, { emails: ['cold@lab.example'] });
  const config = readConfig(receiver ? { SMTP_URL: receiver.url } : {});
  const mailer = openMailer({ settings: settled(config), db: server.db });
  onTestFinished(() => mailer.close());
  const registry = new Registry();
  const program = desk.hire({
    transports: { ...desk.postbox.transports, email: createEmailTransport({ mailer }) },
    metrics: createDeliveryMetrics(registry),
    log: pino({ level: 'silent' }),
    ...(behaviour?.neverAnswers && { timeoutMs: 500 }),
  });
  const freezer = await desk.freezer();
  const [ada, vera] = [await signedIn(server, desk.lab.ada), await signedIn(server, desk.lab.vera)];
  const group = `/settings/groups/${desk.groupId}`;
  const strike = async () => {
    await desk.strike(0, program);
    await desk.strike(seconds(2), program);
  };
  return {
    receiver,
    registry,
    strike,
    ada,
    async alarms() {
      await freezer.warms();
      await strike();
      const path = `/services/${freezer.id}/notifications`;
      return {
        ada: await ada.read(path),
        vera: await vera.read(path),
        page: await ada.read(`/services/${freezer.id}`),
      };
    },
    async tests() {
      const path = (await ada.send(`${group}/test`)).headers.get('location') ?? '';
      const before = await ada.read(path);
      await strike();
      return { before, after: await ada.read(path) };
    },
    async drills() {
      const path = `/services/${freezer.id}/drill`;
      await ada.send(path);
      await strike();
      return ada.read(path);
    },
  };
}

const GONE = { answerRecipient: () => ({ code: 550, text: '5.1.1 no such mailbox' }) };
const BUSY = { answerRecipient: () => ({ code: 451, text: '4.7.1 come back later' }) };

describe('a mail of an alarm', () => {
  test('that a server took is handed over to it, which is no arrival', async () => {
    const lab = await openMailingLab({});
    const { ada, vera, page } = await lab.alarms();
    expect(lab.receiver?.count).toBe(1);
    for (const html of [ada, page]) {
      expect(html).toContain('Handed to 127.0.0.1 <time');
      expect(html).not.toMatch(/\bSent\b|Received|Arrived/);
    }
    expect(vera).toContain('Handed over <time');
    expect(vera).not.toContain('127.0.0.1');
    expect(await lab.registry.metrics()).toContain(
      'tocsin_deliveries_total{transport="email",outcome="sent"} 1',
    );
  });

  test('without a mail server is kept here, and did not leave', async () => {
    const lab = await openMailingLab(null);
    const { ada, vera, page } = await lab.alarms();
    for (const html of [ada, vera, page]) {
      expect(html).toContain('Kept here: there was no mail server, so it did not leave <time');
      expect(html).not.toMatch(/\bSent\b/);
    }
    const metrics = await lab.registry.metrics();
    expect(metrics).toContain('tocsin_deliveries_total{transport="email",outcome="kept"} 1');
    expect(metrics).toContain('tocsin_deliveries_total{transport="email",outcome="sent"} 0');
    expect(metrics).not.toContain('tocsin_letters_sent_total{transport="email"}');
  });

  test('that a server refuses for good is refused, and tried again while the alarm lasts', async () => {
    const { ada, vera } = await (await openMailingLab(GONE)).alarms();
    expect(ada).toContain('Refused: The mail server answered: 550 5.1.1 no such mailbox. Next attempt <time');
    expect(vera).toContain('Refused. Next attempt <time');
    expect(vera).not.toContain('550 5.1.1');
  });

  test('that a server puts off waits', async () => {
    const { ada } = await (await openMailingLab(BUSY)).alarms();
    expect(ada).toContain(
      'Failing after 1 attempt: The mail server answered: 451 4.7.1 come back later. Next attempt',
    );
    expect(ada).not.toContain('Refused');
  });

  test('to a server that hangs waits', async () => {
    const { ada } = await (await openMailingLab({ neverAnswers: true })).alarms();
    expect(ada).toContain('Failing after 1 attempt: No answer within');
  });
});

describe('a test of a group', () => {
  test('says that it waits until it was handed over, and then to whom', async () => {
    const { before, after } = await (await openMailingLab({})).tests();
    expect(before).toContain('Waiting to be handed over');
    expect(before).toContain('http-equiv="refresh"');
    expect(after).toContain('Handed to 127.0.0.1');
    expect(after).toContain('notice-done');
    expect(after).toContain('Everything was handed over. Whether it arrived, its readers can say.');
    expect(after).not.toContain('http-equiv="refresh"');
  });

  test.each([
    ['without a mail server', null, 'There is no mail server: 1 mail was kept here and did not leave.'],
    ['refused for good', GONE, '1 of 1 was not handed over'],
  ])('%s: it is red, and says why', async (_, behaviour, words) => {
    const { after } = await (await openMailingLab(behaviour)).tests();
    expect(after).toContain('notice-error');
    expect(after).toContain(words);
    expect(after).not.toMatch(/Everything|notice-done|http-equiv="refresh"/);
  });

  test.each([
    ['put off', BUSY],
    ['to a server that hangs', { neverAnswers: true }],
  ])('%s: it is not done', async (_, behaviour) => {
    const { after } = await (await openMailingLab(behaviour)).tests();
    expect(after).toContain('http-equiv="refresh"');
    expect(after).not.toMatch(/notice-done|Everything/);
  });
});

describe('a drill', () => {
  test('that was only kept is red, and says why', async () => {
    const html = await (await openMailingLab(null)).drills();
    expect(html).toContain('notice-error');
    expect(html).toContain('There is no mail server: 1 mail was kept here and did not leave.');
  });

  test('that was handed over says so, and waits for whoever acknowledges it', async () => {
    const html = await (await openMailingLab({})).drills();
    expect(html).toContain('Handed to 127.0.0.1');
    expect(html).toContain('Nobody has acknowledged it yet.');
    expect(html).not.toContain('notice-error');
  });
});

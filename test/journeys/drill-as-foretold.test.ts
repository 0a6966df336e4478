// A drill: its page says before it starts who will be told, when and by which way; while it runs and afterwards, what went
// otherwise. It is decided like an alarm, with real mail.
import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { openMailer } from '../../src/engine/mail/mailer.ts';
import { createEmailTransport } from '../../src/engine/transports/email/email.ts';
import { readConfig } from '../../src/platform/config.ts';
import { openDeliveryDesk } from '../support/delivery-desk.ts';
import { minutes, seconds } from '../support/movable-clock.ts';
import { textOf } from '../support/page.ts';
import type { Person } from '../support/people.ts';
import { settled } from '../support/settled-delivery.ts';
import { openSmtpReceiver } from '../support/smtp-receiver.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import { signedIn } from '../support/visitor.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ isPrivateWebhookAllowed: true });
});

const addSms = ({ id }: Person, afterMinutes: number) =>
  server.db.query(sql`
    insert into contact_method (account_id, kind, address, verified_at, created_at, after_minutes)
    values (${id}, 'sms', '+49151234567', ${server.clock.read()}, ${server.clock.read()}, ${afterMinutes})`);

/** `addresses` are told at once. */
async function open(group: Record<string, unknown>, addresses: string[] = []) {
  const receiver = await openSmtpReceiver();
  const desk = await openDeliveryDesk(server, { emails: addresses });
  await desk.lab.group({ name: 'Cold team', ...group });
  const mailer = openMailer({ settings: settled(readConfig({ SMTP_URL: receiver.url })), db: server.db });
  const program = desk.hire({
    transports: { ...desk.postbox.transports, email: createEmailTransport({ mailer }) },
  });
  const freezer = await desk.freezer();
  const path = `/services/${freezer.id}/drill`;
  /** Sessions end meanwhile. */
  const ada = () => signedIn(server, desk.lab.ada);
  return {
    desk,
    receiver,
    freezer,
    read: async () => textOf(await (await ada()).read(path)),
    html: async () => (await ada()).read(path),
    starts: async (form: Record<string, string> = {}) => (await ada()).send(path, form),
    /** Each minute, and what leaves in it. */
    async passes(count: number) {
      for (let minute = 0; minute < count; minute += 1) {
        for (const ms of [0, seconds(2)]) {
          server.clock.advance(ms);
          await program.decide(server.clock.read());
          await program.form(server.clock.read());
          await program.work();
          await program.settle();
        }
        server.clock.advance(minutes(1) - seconds(2));
      }
    },
    /** To whom mails and messages went so far. */
    told: () => [...receiver.mails.flatMap(({ to_ }) => to_), ...desk.postbox.arrivals.map(({ to }) => to)],
    async acknowledges() {
      const [link] = await server.db.query<{ token: string }>(sql`
        select token from acknowledge_link where service_id = ${freezer.id} order by created_at desc`);
      await (await signedIn(server, desk.lab.oscar)).open(`/acknowledge/${link?.token}`);
    },
  };
}

const GO_ON = { climb: 'yes' };
const SECOND_STEP = {
  steps: [{ step: 1, after_minutes: 10 }],
  told: [{ step: 1, email: 'second@lab.example' }],
};

describe('before it starts', () => {
  test('its page says who will be told, when and by which way', async () => {
    const house = await open({
      ...SECOND_STEP,
      webhooks: [{ kind: 'slack', url: 'https://hooks.slack.example/T0/B0' }],
    });
    const { lab } = house.desk;
    await lab.group({ name: 'Cold team', accounts: [lab.vera.email, lab.oscar.email] });
    await addSms(lab.vera, 5);
    const html = await house.html();
    const text = textOf(html);
    const [atOnce = '', later = ''] = text.split('Go on while nobody acknowledges');
    expect(atOnce).toContain(`Oscar (${lab.oscar.email})`);
    expect(atOnce).toContain('Slack webhook at');
    expect(atOnce).not.toContain('Vera by SMS');
    expect(later).toMatch(/04:05.*Vera by SMS.*Step 1.*04:10.*second@lab\.example/);
    expect(html).toContain('name="climb"');
  });

  test('where nothing comes later, there is nothing to choose', async () => {
    const house = await open({}, ['cold@lab.example']);
    expect(await house.read()).toContain('cold@lab.example');
    expect(await house.html()).not.toContain('name="climb"');
  });

  test('where nobody would be told, it says to whom a real alarm goes, and offers no drill', async () => {
    const house = await open({});
    expect(await house.read()).toContain('A real alarm would go to the administrators, as the last resort.');
    expect(await house.html()).not.toContain('Start a drill now');
    expect((await house.starts(GO_ON)).status).toBe(409);
  });

  test('nobody at once: a drill has to go on', async () => {
    const house = await open({ accounts: [] });
    const { lab } = house.desk;
    await lab.group({ name: 'Cold team', accounts: [lab.vera.email] });
    await addSms(lab.vera, 5);
    const refused = await house.starts();
    expect(refused.status).toBe(409);
    expect(await refused.text()).toContain('Nobody is notified at once at this hour.');
    expect((await house.starts(GO_ON)).status).toBe(303);
    expect(await house.read()).toContain('As foretold so far: 0 of 1, the others are to come.');
    await house.passes(7);
    expect(house.told()).toEqual(['sms +49151234567']);
    expect(await house.read()).toContain('All went as foretold.');
  });
});

test('a first step that reaches nobody is passed at once, as by a real alarm', async () => {
  const house = await open(SECOND_STEP);
  expect((await house.starts()).status).toBe(303);
  await house.passes(1);
  expect(house.told()).toEqual(['second@lab.example']);
  expect(await house.read()).toContain('All went as foretold.');
});

describe('what was foretold beside what became of it', () => {
  test('it goes on as a real alarm would: ways that wait, and further steps', async () => {
    const house = await open(SECOND_STEP, ['cold@lab.example']);
    const { lab } = house.desk;
    await lab.group({ name: 'Cold team', accounts: [lab.vera.email] });
    await addSms(lab.vera, 5);
    await house.starts(GO_ON);
    await house.passes(1);
    expect(house.told()).toEqual(['cold@lab.example']);
    expect(await house.read()).toContain('As foretold so far: 1 of 3, the others are to come.');
    await house.passes(11);
    expect(house.told()).toEqual(['cold@lab.example', 'second@lab.example', 'sms +49151234567']);
    const html = await house.html();
    expect(textOf(html)).toContain('All went as foretold. Everything was handed over.');
    expect(html).toContain('notice-done');
    expect(html).not.toContain('notice-error');
    expect(await server.db.query(sql`select from drill_climb`)).toEqual([]);
  });

  test('acknowledged, the others are spared', async () => {
    const house = await open(SECOND_STEP, ['cold@lab.example']);
    await house.starts(GO_ON);
    await house.passes(3);
    await house.acknowledges();
    await house.passes(10);
    expect(house.told()).toEqual(['cold@lab.example']);
    const text = await house.read();
    expect(text).toContain('All went as foretold.');
    expect(text).toContain('second@lab.example Not needed: acknowledged before');
  });

  test('without going on, only what comes at once was foretold', async () => {
    const house = await open(SECOND_STEP, ['cold@lab.example']);
    await house.starts();
    await house.passes(15);
    expect(house.told()).toEqual(['cold@lab.example']);
    const text = (await house.read()).split('Drills so far')[1];
    expect(text).toContain('All went as foretold.');
    expect(text).not.toContain('second@lab.example');
  });

  test('a group that is changed meanwhile: who was not told, and who was not foretold', async () => {
    const house = await open(SECOND_STEP, ['cold@lab.example']);
    await house.starts(GO_ON);
    await house.passes(1);
    await server.db.query(sql`
      update notification_group_email set email = 'third@lab.example'
      where group_id = ${house.desk.groupId} and email = 'second@lab.example'`);
    await house.passes(12);
    const html = await house.html();
    const text = textOf(html);
    expect(text).toContain('2 of 3 went otherwise than foretold.');
    expect(text).toContain('second@lab.example Was not notified.');
    expect(text).toContain('third@lab.example Was not foretold. Handed to 127.0.0.1');
    expect(html).toContain('notice-error');
  });

  test('a program that stood still: at another time', async () => {
    const house = await open(SECOND_STEP, ['cold@lab.example']);
    await house.starts(GO_ON);
    await house.passes(1);
    server.clock.advance(minutes(13));
    await house.passes(1);
    const text = await house.read();
    expect(text).toContain('1 of 2 went otherwise than foretold.');
    expect(text).toContain('second@lab.example At another time. Handed to 127.0.0.1');
  });

  test('a mailbox that refuses', async () => {
    const house = await open({}, ['cold@lab.example', 'gone@lab.example']);
    house.receiver.behave({
      answerRecipient: (address) =>
        address.startsWith('gone') ? { code: 550, text: '5.1.1 no such mailbox' } : null,
    });
    await house.starts();
    await house.passes(1);
    const text = await house.read();
    expect(text).toContain('1 of 2 went otherwise than foretold. 1 of 2 was not handed over');
    expect(text).toContain('gone@lab.example Refused: The mail server answered: 550');
  });

  test('a drill that began before this was noted shows what was told', async () => {
    const house = await open({}, ['cold@lab.example']);
    await house.starts();
    await house.passes(1);
    await server.db.query(sql`update drill set foretold = null`);
    const text = await house.read();
    expect(text).not.toContain('foretold.');
    expect(text).toContain('cold@lab.example Handed to 127.0.0.1');
  });
});

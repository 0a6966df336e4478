// The link in mails of a ladder by which a reader says to have it, from the mail that is kept to the page of the service.
import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { openMailer } from '../../src/engine/mail/mailer.ts';
import { forgetTold } from '../../src/engine/outbox/forget-told.ts';
import { createEmailTransport } from '../../src/engine/transports/email/email.ts';
import { type DeliveryDesk, openDeliveryDesk, type ToldFreezer } from '../support/delivery-desk.ts';
import { hours, minutes, seconds } from '../support/movable-clock.ts';
import { expectPage, textOf } from '../support/page.ts';
import { settled } from '../support/settled-delivery.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});

const LADDER = {
  emails: ['first@lab.example'],
  steps: [{ step: 1, after_minutes: 10, kinds: ['critical', 'warning', 'system'] }],
  told: [{ step: 1, email: 'second@lab.example' }],
};

/** A desk whose mail is kept, and read there. */
async function open(group: Record<string, unknown> = LADDER) {
  const desk = await openDeliveryDesk(server, group);
  const mailer = openMailer({ settings: settled(), db: server.db });
  const program = desk.hire({
    transports: { ...desk.postbox.transports, email: createEmailTransport({ mailer }) },
    publicUrl: () => server.url,
  });
  const strike = (ms: number) => desk.strike(ms, program);
  return { desk, strike, mails: () => keptFor(desk) };
}

interface KeptMail {
  to: string;
  subject: string;
  text: string;
  html: string;
}

const keptFor = ({ lab }: DeliveryDesk) =>
  server.db.query<KeptMail>(sql`
    select recipient as "to", subject, text_body as "text", html_body as "html" from kept_mail
    where organization_id = ${lab.organization} order by id`);

const RECEIPT = /http:\/\/\S+?\/receipt\/mail\/\d+\/[\w-]{43}(?=["\s])/g;

function linkIn(mail: KeptMail | undefined): string {
  const [inText = 'no link in the text', ...more] = mail?.text.match(RECEIPT) ?? [];
  expect(more).toEqual([]);
  expect(mail?.html.match(RECEIPT)).toEqual([inText]);
  return inText;
}

async function raise() {
  const { desk, strike, mails } = await open();
  const freezer = await desk.freezer();
  await freezer.warms();
  await strike(seconds(3));
  await strike(seconds(3));
  return { desk, strike, mails, freezer, link: linkIn((await mails())[0]) };
}

const press = (link: string, headers: Record<string, string> = {}) =>
  fetch(link, { method: 'POST', redirect: 'manual', headers });

const confirmedOf = async ({ id }: ToldFreezer) =>
  (
    await server.db.query<{ line: string }>(sql`
      select recipient || ' ' || coalesce(confirmed_how, 'no') as "line" from delivery
      where service_id = ${id} order by id`)
  ).map(({ line }) => line);

const receiptsOnRecord = ({ lab }: DeliveryDesk) =>
  server.db.query<{ serviceId: number | null; accountName: string; detail: Record<string, unknown> }>(sql`
    select service_id as "serviceId", account_name as "accountName", detail from audit
    where organization_id = ${lab.organization} and action = 'alarm.receipt' order by id`);

describe('a mail about an alarm of a group with steps', () => {
  test('carries the link beside the one that acknowledges; each recipient has one of their own', async () => {
    const { strike, mails, link } = await raise();
    await strike(minutes(10));
    await strike(seconds(5));
    const [first, second] = await mails();
    expect(first?.text).toMatch(/^Acknowledge:\n\S+\n\nI have it \(acknowledges nothing, .*\):\n\S+\n\n/m);
    expect(first?.html).toMatch(/<a href="[^"]+"[^>]*>I have it<\/a> \(acknowledges nothing/);
    expect([first?.to, second?.to]).toEqual(['first@lab.example', 'second@lab.example']);
    expect(linkIn(second)).not.toBe(link);
  });

  test.each(['HEAD', 'GET'])('%s of it confirms nothing', async (method) => {
    const { freezer, link } = await raise();
    const answer = await fetch(link, { method });
    expect(answer.status).toBe(200);
    if (method === 'GET') {
      const text = textOf(await expectPage(answer, 200));
      expect(text).toContain(freezer.name);
      expect(text).toMatch(/Critical notified today/);
      expect(text).toContain('I have it');
      expect(text).not.toContain('Noted');
    }
    expect(await confirmedOf(freezer)).toEqual(['first@lab.example no']);
  });

  test('its button confirms, once, without a session; it acknowledges nothing and stops nothing', async () => {
    const { desk, strike, freezer, link } = await raise();
    const pressed = await press(link);
    expect(pressed.status).toBe(303);
    const at = server.clock.read();
    const page = new URL(pressed.headers.get('location') ?? '', link).href;
    expect(page).toBe(link);
    await strike(minutes(1));
    expect((await press(link)).status).toBe(303);
    const html = await expectPage(await fetch(page), 200);
    expect(textOf(html)).toMatch(/Noted, today \d\d:\d\d: you have it/);
    expect(html).toContain(`datetime="${at.toISOString().slice(0, 16)}`);
    expect(html).not.toContain('<button');
    expect(await receiptsOnRecord(desk)).toMatchObject([
      {
        serviceId: freezer.id,
        accountName: 'not signed in',
        detail: { to: 'first@lab.example', messages: 1 },
      },
    ]);
    await strike(minutes(10));
    expect(await confirmedOf(freezer)).toEqual(['first@lab.example button', 'second@lab.example no']);
    const acknowledged = await server.db.query(
      sql`select from acknowledgement where service_id = ${freezer.id}`,
    );
    expect(acknowledged).toEqual([]);
  });

  test('the steps of the alarm and its notifications show who has it', async () => {
    const { desk, freezer, link } = await raise();
    await press(link);
    const service = textOf(await (await desk.lab.oscar.get(`/services/${freezer.id}`)).text());
    expect(service).toMatch(/first@lab\.example Confirmed by button today/);
    const told = textOf(await (await desk.lab.oscar.get(`/services/${freezer.id}/notifications`)).text());
    expect(told).toMatch(
      /first@lab\.example Confirmed by button today .* first@lab\.example Confirmed by button today/,
    );
  });

  test('of many who press at once one is on record', async () => {
    const { desk, link } = await raise();
    const pressed = await Promise.all(Array.from({ length: 5 }, () => press(link)));
    expect(new Set(pressed.map(({ status }) => status))).toEqual(new Set([303]));
    expect(await receiptsOnRecord(desk)).toHaveLength(1);
  });

  test('has the times of its account, as the mail has', async () => {
    const { desk, strike, mails } = await open({ steps: LADDER.steps });
    await server.db.query(sql`update account set timezone = 'Asia/Tokyo' where id = ${desk.lab.oscar.id}`);
    await desk.lab.group({ name: 'Cold team', accounts: [desk.lab.oscar.email], steps: LADDER.steps });
    await (await desk.freezer()).warms();
    await strike(seconds(3));
    await strike(seconds(3));
    const [mail] = await mails();
    expect(mail?.text).toContain('Times are in Asia/Tokyo');
    expect(textOf(await (await fetch(linkIn(mail))).text())).toContain('Times are in Asia/Tokyo');
  });

  test('of a drill is confirmed as that of an alarm, and says that it is a drill', async () => {
    const { desk, strike, mails } = await open();
    const freezer = await desk.freezer();
    await desk.lab.ada.post(`/services/${freezer.id}/drill`, {});
    await strike(seconds(3));
    await strike(seconds(3));
    const link = linkIn((await mails())[0]);
    expect(textOf(await (await fetch(link)).text())).toContain('This is a drill, not a real alarm');
    await press(link);
    expect(await confirmedOf(freezer)).toEqual(['first@lab.example button']);
  });

  test('says what was told of a stale service, which nobody can acknowledge', async () => {
    const { desk, strike, mails } = await open();
    const freezer = await desk.freezer({
      enable_system_notifications: true,
      system_notification_delay_minutes: 0,
    });
    await server.db.query(
      sql`update service_settings set stale_after_minutes = 5 where service_id = ${freezer.id}`,
    );
    await freezer.cools();
    await strike(minutes(7));
    await strike(minutes(1));
    const [mail] = await mails();
    expect(mail?.subject).toContain('NO DATA');
    const link = linkIn(mail);
    expect(textOf(await (await fetch(link)).text())).toMatch(/No data notified today/);
    await press(link);
    expect((await confirmedOf(freezer))[0]).toBe('first@lab.example button');
    await freezer.cools();
    await strike(seconds(5));
    expect(textOf(await (await fetch(link)).text())).toContain('It is over by now');
  });
});

describe('no link', () => {
  test('in mails of a group without steps', async () => {
    const { desk, strike, mails } = await open({ emails: ['first@lab.example'] });
    await (await desk.freezer()).warms();
    await strike(seconds(3));
    await strike(seconds(3));
    const [mail] = await mails();
    expect(mail?.subject).toContain('CRITICAL');
    expect(`${mail?.text}${mail?.html}`).not.toMatch(/receipt|I have it/);
  });

  test('in mails that tell an end; a repeat has one, and shows in the steps as well', async () => {
    const { desk, strike, mails } = await open();
    const freezer = await desk.freezer({ repeat_interval_minutes: 5 });
    await freezer.warms();
    await strike(seconds(3));
    await strike(seconds(3));
    await strike(minutes(5));
    await strike(seconds(5));
    const [, repeat] = await mails();
    expect(repeat?.subject).toContain('STILL CRITICAL');
    await press(linkIn(repeat));
    expect(await confirmedOf(freezer)).toEqual(['first@lab.example no', 'first@lab.example button']);
    const steps = textOf(await (await desk.lab.oscar.get(`/services/${freezer.id}`)).text());
    expect(steps).toMatch(/At once .*first@lab\.example Confirmed( by button)? today/);
    await freezer.cools();
    await strike(seconds(3));
    await strike(seconds(3));
    const end = (await mails()).at(-1);
    expect(end?.subject).toContain('RECOVERED');
    expect(`${end?.text}${end?.html}`).not.toMatch(/receipt|I have it/);
  });
});

describe('a digest', () => {
  test('is confirmed as one, of its own reader alone', async () => {
    const { desk, strike, mails } = await open({
      ...LADDER,
      emails: ['first@lab.example', 'other@lab.example'],
    });
    const freezers = await desk.freezers(12);
    await desk.warmAll(freezers);
    await strike(seconds(3));
    await strike(seconds(3));
    const kept = await mails();
    expect(kept).toHaveLength(2);
    for (const { subject } of kept) expect(subject).toMatch(/^12 alarms in Cold team.*: 12 critical$/);
    const link = linkIn(kept.find(({ to }) => to === 'first@lab.example'));
    const text = textOf(await expectPage(await fetch(link), 200));
    expect(text).toContain('12 alarms');
    for (const { name } of freezers) expect(text).toContain(name);
    await press(link);
    for (const freezer of freezers)
      expect((await confirmedOf(freezer)).sort()).toEqual([
        'first@lab.example button',
        'other@lab.example no',
      ]);
    expect(await receiptsOnRecord(desk)).toMatchObject([{ serviceId: null, detail: { messages: 12 } }]);
    expect(textOf(await (await fetch(link)).text())).toContain('Noted, today');
  });

  test('leaves alone what was dropped from it', async () => {
    const { desk, strike, mails } = await open();
    const freezers = await desk.freezers(12);
    await desk.warmAll(freezers);
    await strike(seconds(3));
    await strike(seconds(3));
    const [dropped] = freezers;
    await server.db.query(sql`
      update delivery set state = 'dropped', sent_at = null, drop_reason = 'Acknowledged'
      where service_id = ${dropped?.id}`);
    const link = linkIn((await mails())[0]);
    expect(textOf(await (await fetch(link)).text())).toContain('11 alarms');
    await press(link);
    expect(await confirmedOf(dropped as ToldFreezer)).toEqual(['first@lab.example no']);
  });
});

describe('by now', () => {
  test('acknowledged: it says so and names nobody', async () => {
    const { desk, freezer, link } = await raise();
    await desk.lab.oscar.post(`/api/v1/alarms/${freezer.id}/acknowledge`, { comment: 'On my way' });
    const text = textOf(await expectPage(await fetch(link), 200));
    expect(text).toContain('Somebody has acknowledged it by now');
    expect(text).not.toMatch(/Oscar|On my way/);
  });

  test('over, or another alarm: it says so, and can be confirmed still', async () => {
    const { strike, freezer, link } = await raise();
    await freezer.cools();
    await strike(seconds(5));
    expect(textOf(await (await fetch(link)).text())).toContain('It is over by now');
    await freezer.warms();
    await strike(seconds(5));
    expect(textOf(await (await fetch(link)).text())).toContain('It is over by now');
    await press(link);
    expect((await confirmedOf(freezer))[0]).toBe('first@lab.example button');
  });
});

describe('nothing is found, and nothing changed', () => {
  const turn = (text: string) => text.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
  test.each<[string, (link: string, other: string) => string]>([
    ['by a proof that is wrong in one character', turn],
    ['by the proof of another letter', (link, other) => `${link.slice(0, -43)}${other.slice(-43)}`],
    ['by a proof that is too short', (link) => link.slice(0, -1)],
    ['without a proof', (link) => link.slice(0, -44)],
    ['by the id of no letter', (link) => link.replace(/\/receipt\/mail\/\d+/, '/receipt/mail/999999999999')],
    ['by what is no id', (link) => link.replace(/\/receipt\/mail\/\d+/, '/receipt/mail/%00')],
    [
      'by what is no number',
      (link) => link.replace(/\/receipt\/mail\/\d+/, '/receipt/mail/99999999999999999999'),
    ],
  ])('%s', async (_, change) => {
    const [{ freezer, link }, { link: other }] = [await raise(), await raise()];
    const changed = change(link, other);
    expect((await fetch(changed)).status).toBe(404);
    expect((await press(changed)).status).toBe(404);
    expect(await confirmedOf(freezer)).toEqual(['first@lab.example no']);
  });

  test('once what was told is forgotten', async () => {
    const { desk, strike, freezer, link } = await raise();
    await freezer.cools();
    await strike(seconds(5));
    await strike(seconds(5));
    await freezer.warms();
    await strike(seconds(5));
    await server.db.query(sql`
      update notification set created_at = ${new Date(server.clock.read().getTime() - hours(24 * 500))}
      where service_id = ${freezer.id} and id < (select max(id) from notification where service_id = ${freezer.id})`);
    expect((await fetch(link)).status).toBe(200);
    await forgetTold(server.db, server.clock.read(), 400);
    expect((await fetch(link)).status).toBe(404);
    expect((await press(link)).status).toBe(404);
    expect(await receiptsOnRecord(desk)).toEqual([]);
  });

  test('from the page of another site', async () => {
    const { freezer, link } = await raise();
    expect((await press(link, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await press(link, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect(await confirmedOf(freezer)).toEqual(['first@lab.example no']);
  });
});

import { pino } from 'pino';
import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { createDeliverer } from '../../src/engine/delivery/deliverer.ts';
import { formLetters } from '../../src/engine/delivery/form-letters.ts';
import { titleOfLetter } from '../../src/engine/letters/notice-words.ts';
import { openMailer } from '../../src/engine/mail/mailer.ts';
import { decideDue } from '../../src/engine/outbox/decide.ts';
import { createEmailTransport } from '../../src/engine/transports/email/email.ts';
import { type Lab, openLab } from '../support/lab.ts';
import { minutes, seconds } from '../support/movable-clock.ts';
import { textOf } from '../support/page.ts';
import { openPostbox } from '../support/postbox.ts';
import { grantRole } from '../support/settings-desk.ts';
import { settled } from '../support/settled-delivery.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import { signedIn, type VisitorBrowser } from '../support/visitor.ts';

// Two organizations have a freezer of the same name in a room of the same name. Ada belongs to both, Vera to one.
const HOOK = 'https://chat.example/both';
const ADDRESS = 'porter@lab.example';
let server: TestServer;
let here: Lab;
let there: Lab;
let ada: VisitorBrowser;
let vera: VisitorBrowser;
let freezers: number[];
const postbox = openPostbox();

async function makeFreezer(lab: Lab): Promise<number> {
  await lab.group({
    name: 'Cold team',
    emails: [ADDRESS, `${lab.organizationName.replaceAll(' ', '')}@lab.example`],
    accounts: [lab.ada.email, lab.vera.email],
    webhooks: [
      { kind: 'slack', url: HOOK },
      { kind: 'slack', url: `https://chat.example/${lab.organization}` },
    ],
  });
  const freezer = await lab.freezer({
    name: 'Freezer 1',
    asset: 'ULT-1',
    location: 'Room 101',
    limits: [{ channel: 'temperature', bands: { CRITICAL_HIGH: { limit: -60 } } }],
    notifications: { group: 'Cold team', send_critical: true },
    stale_after_minutes: 0,
  });
  await freezer.reads(-50);
  return freezer.id;
}

beforeAll(async () => {
  server = await startServer();
  [here, there] = [await openLab(server), await openLab(server)];
  await grantRole(server, here.ada, there.organization, 'administrator');
  freezers = [await makeFreezer(here), await makeFreezer(there)];
  await here.group({ name: 'Cold team', emails: [there.oscar.email] });
  await server.db.query(sql`update account set timezone = 'Asia/Tokyo' where id = ${there.oscar.id}`);
  const { db, clock } = server;
  const mailer = openMailer({ settings: settled(), db });
  const program = createDeliverer({
    db,
    clock: clock.read,
    log: pino({ level: 'silent' }),
    transports: { ...postbox.transports, email: createEmailTransport({ mailer }) },
    publicUrl: () => 'https://tocsin.lab.example',
    signer: server.signer,
    metrics: null,
  });
  for (const ms of [0, seconds(3), seconds(3)]) {
    clock.advance(ms);
    await decideDue(db, clock.read());
    await formLetters(db, clock.read());
    await program.work();
    await program.settle();
  }
  for (const id of freezers)
    await here.ada.post('/api/v1/downtimes', {
      service_id: String(id),
      start_time: '2026-11-16T05:00',
      end_time: '2026-11-16T09:00',
      reason: 'Defrost',
    });
  clock.advance(minutes(1));
  ada = await signedIn(server, here.ada);
  vera = await signedIn(server, here.vera);
});

const linkOf = async (serviceId: number | undefined): Promise<string> => {
  const [row] = await server.db.query<{ token: string }>(
    sql`select token from acknowledge_link where service_id = ${serviceId}`,
  );
  return `/acknowledge/${row?.token}`;
};

describe('who belongs to both can tell them apart', () => {
  test.each([
    ['the alarms', '/'],
    ['the services', '/services'],
    ['the downtimes', '/downtimes'],
  ])('in the list of %s', async (_, path) => {
    const text = textOf(await ada.read(path));
    for (const { organizationName } of [here, there])
      expect(text).toMatch(new RegExp(`Freezer 1 [^·]*${organizationName} · Room 101`));
  });

  test('by what a screen reader says of each button', async () => {
    const html = await ada.read('/');
    for (const { organizationName } of [here, there])
      expect(html).toContain(`aria-label="Acknowledge Freezer 1 (${organizationName}, Room 101)"`);
  });

  test.each([
    ['its page', (id?: number) => `/services/${id}`],
    ['what was notified of it', (id?: number) => `/services/${id}/notifications`],
    ['its drills', (id?: number) => `/services/${id}/drill`],
    ['its panel', (id?: number) => `/alarms/${id}`],
    ['its link', linkOf],
  ])('on %s', async (_, pathOf) => {
    const text = textOf(await ada.read(await pathOf(freezers[1])));
    expect(text).toContain(there.organizationName);
    expect(text).not.toContain(here.organizationName);
  });

  test('in the choice of a service for a downtime', async () => {
    const html = await ada.read('/downtimes');
    expect(html).toContain(`>Freezer 1 (${there.organizationName}, Room 101)</option>`);
  });

  test('also where a fragment is asked for', async () => {
    const answer = await ada.open('/api/v1/alarms', { 'hx-request': 'true' });
    expect(textOf(await answer.text())).toContain(`Freezer 1 ${there.organizationName} · Room 101`);
  });

  test('among the mail that is kept', async () => {
    const text = textOf(await ada.read('/settings/mail'));
    expect(text).toContain(`to ${ADDRESS}, ${there.organizationName}`);
  });
});

test('who belongs to one reads of none', async () => {
  const paths = ['/', '/services', '/downtimes', `/services/${freezers[0]}`, await linkOf(freezers[0])];
  for (const path of paths) {
    const text = textOf(await vera.read(path));
    expect(text).toContain('Room 101');
    expect(text, path).not.toContain(here.organizationName);
  }
});

test('mails name the organization to those who hear from several', async () => {
  const mails = await server.db.query<{ recipient: string; subject: string; text: string }>(
    sql`select recipient, subject, text_body as "text" from kept_mail order by recipient, subject`,
  );
  const subjectsTo = (address: string) =>
    mails.filter(({ recipient }) => recipient === address).map(({ subject }) => subject.split(':')[0]);
  const named = [here, there].map(
    ({ organizationName }) => `CRITICAL Freezer 1 (${organizationName}, Room 101)`,
  );
  expect(subjectsTo(here.ada.email)).toEqual([named[0]]);
  expect(subjectsTo(ADDRESS)).toEqual(named);
  const plain = ['CRITICAL Freezer 1 (Room 101)'];
  expect(subjectsTo(here.vera.email)).toEqual(plain);
  expect(subjectsTo(there.ada.email)).toEqual(plain);
  for (const { text, recipient } of mails.filter(({ recipient: to }) => to === ADDRESS))
    expect(text, recipient).toMatch(/^CRITICAL: Freezer 1 \(Cell Biology \d+, Room 101\)$/m);
});

test('an address of somebody else’s member is written to as to any other: neither its name nor its zone is told', async () => {
  const [mail] = await server.db.query<{ html: string; text: string }>(sql`
    select html_body as "html", text_body as "text" from kept_mail
    where recipient = ${there.oscar.email} and organization_id = ${here.organization}`);
  expect(mail?.text).toContain('Times are in UTC');
  expect(mail?.text).not.toContain('Tokyo');
});

test('so do chats that several organizations post to', () => {
  const titlesAt = (url: string) =>
    postbox.arrivals.filter(({ to }) => to === url).map(({ letter }) => titleOfLetter(letter));
  expect(titlesAt(HOOK).toSorted()).toEqual(
    [here, there].map(({ organizationName }) => `[CRITICAL] Freezer 1 (${organizationName}, Room 101)`),
  );
  expect(titlesAt(`https://chat.example/${here.organization}`)).toEqual(['[CRITICAL] Freezer 1 (Room 101)']);
});

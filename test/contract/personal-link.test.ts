// The link in what is sent to one person, by which they acknowledge without signing in: from the mail to the record.
import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { openMailer } from '../../src/engine/mail/mailer.ts';
import { createEmailTransport } from '../../src/engine/transports/email/email.ts';
import { openDeliveryDesk } from '../support/delivery-desk.ts';
import { hours, seconds } from '../support/movable-clock.ts';
import { expectPage, textOf } from '../support/page.ts';
import { settled } from '../support/settled-delivery.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});

const PERSONAL = /http:\/\/\S+?\/mine\/\d+\/[\w-]{43}(?=["\s])/g;
const BY_SESSION = /http:\/\/\S+?\/acknowledge\/[\w-]+(?=["\s])/g;

interface KeptMail {
  to: string;
  text: string;
  html: string;
}

interface Opening {
  isAllowed?: boolean;
  emails?: string[];
}

/** A freezer that tells Oscar, an operator, by mails that are kept and read here. */
async function open({ isAllowed = true, emails = [] }: Opening = {}) {
  const desk = await openDeliveryDesk(server, {});
  const { lab } = desk;
  await lab.organizationEntry({ personal_links: isAllowed });
  await lab.group({ name: 'Cold team', accounts: [lab.oscar.email], emails });
  const mailer = openMailer({ settings: settled(), db: server.db });
  const program = desk.hire({
    transports: { ...desk.postbox.transports, email: createEmailTransport({ mailer }) },
    publicUrl: () => server.url,
  });
  const strike = (ms: number) => desk.strike(ms, program);
  const tell = async () => {
    await strike(seconds(3));
    await strike(seconds(3));
  };
  const mails = () =>
    server.db.query<KeptMail>(sql`
      select recipient as "to", text_body as "text", html_body as "html" from kept_mail
      where organization_id = ${lab.organization} order by id`);
  return { desk, lab, strike, tell, mails };
}

async function raise(opening?: Opening) {
  const opened = await open(opening);
  const freezer = await opened.desk.freezer();
  await freezer.warms();
  await opened.tell();
  const [mail] = await opened.mails();
  const link = mail?.text.match(PERSONAL)?.[0] ?? 'no link in the mail';
  return { ...opened, freezer, mail, link };
}

const look = async (link: string) => textOf(await (await fetch(link)).text());
const press = (link: string, headers: Record<string, string> = {}) =>
  fetch(link, { method: 'POST', redirect: 'manual', headers });

const acknowledgementsOf = ({ id }: { id: number }) =>
  server.db.query<{ by: string; severity: string }>(sql`
    select account_name as "by", severity from acknowledgement
    where service_id = ${id} and ended_at is null order by id`);

const recordOf = ({ id }: { id: number }) =>
  server.db.query(sql`
    select account_name as "who", detail from audit where service_id = ${id} and action = 'alarm.acknowledge' order by id`);

describe('a mail to one person', () => {
  test('has the link once in text and HTML, and the one that asks for a session as before', async () => {
    const { mail } = await raise();
    for (const body of [mail?.text, mail?.html]) {
      expect(body?.match(PERSONAL)).toHaveLength(1);
      expect(body?.match(BY_SESSION)).toHaveLength(1);
    }
  });

  test.each(['HEAD', 'GET'])('%s of its link shows the alarm and acknowledges nothing', async (method) => {
    const { freezer, link } = await raise();
    const answer = await fetch(link, { method });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    if (method === 'GET') {
      const text = textOf(await expectPage(answer, 200));
      expect(text).toContain(freezer.name);
      expect(text).toContain('Critical');
      expect(text).toContain('Acknowledge as Oscar');
    }
    expect(await acknowledgementsOf(freezer)).toEqual([]);
  });

  test('one press acknowledges as them, and the record says that it was by link', async () => {
    const { freezer, link, strike } = await raise();
    const pressed = await press(link);
    expect([pressed.status, pressed.headers.get('location')]).toEqual([303, new URL(link).pathname]);
    expect(pressed.headers.get('set-cookie')).toBeNull();
    const [acknowledged] = await acknowledgementsOf(freezer);
    expect(acknowledged).toMatchObject({ severity: 'CRITICAL', by: expect.stringContaining('Oscar') });
    expect(await recordOf(freezer)).toMatchObject([
      { who: acknowledged?.by, detail: { severity: 'CRITICAL', by: 'link' } },
    ]);
    expect(await look(link)).toMatch(/Acknowledged by Oscar.*by this link/);
    await strike(seconds(3));
    const told = await server.db.query(sql`
      select confirmed_how as "how" from delivery where service_id = ${freezer.id} and confirmed_at is not null`);
    expect(told).toEqual([{ how: 'link' }]);
  });

  test('the audit page says it in a sentence', async () => {
    const { lab, freezer, link } = await raise();
    await press(link);
    const audit = textOf(await (await lab.ada.get('/audit')).text());
    expect(audit).toMatch(new RegExp(`Oscar\\S* \\S* ?acknowledged the alarm of ${freezer.name}`));
  });

  test('it works once: of many presses at once one counts, and none after it was taken back', async () => {
    const { lab, freezer, link } = await raise();
    const pressed = await Promise.all(Array.from({ length: 6 }, () => press(link)));
    expect(new Set(pressed.map(({ status }) => status))).toEqual(new Set([303]));
    expect(await recordOf(freezer)).toHaveLength(1);
    await lab.oscar.post(`/api/v1/alarms/${freezer.id}/unacknowledge`, {});
    expect(await look(link)).toContain('has acknowledged once and cannot do it again');
    await press(link);
    expect(await acknowledgementsOf(freezer)).toEqual([]);
  });

  test('a drill is acknowledged like an alarm', async () => {
    const { desk, lab, tell, mails } = await open();
    const freezer = await desk.freezer();
    await lab.ada.post(`/services/${freezer.id}/drill`, {});
    await tell();
    const link = (await mails())[0]?.text.match(PERSONAL)?.[0] ?? 'none';
    expect(await look(link)).toContain('This is a drill, not a real alarm');
    await press(link);
    const [drill] = await server.db.query<{ by: string }>(sql`
      select acknowledged_by_name as "by" from drill where service_id = ${freezer.id}`);
    expect(drill?.by).toContain('Oscar');
    expect(await look(link)).toContain('Acknowledged by Oscar');
  });
});

describe('there is none', () => {
  test('where the organization does not send them, as when new', async () => {
    const { mail } = await raise({ isAllowed: false });
    expect(`${mail?.text}${mail?.html}`).not.toMatch(/\/mine\/|without signing in/);
    expect(mail?.text.match(BY_SESSION)).toHaveLength(1);
  });

  test('in a mail to an address that is nobody’s account, whoever has it', async () => {
    const { mails } = await raise({ emails: ['list@lab.example'] });
    const byAddress = new Map((await mails()).map(({ to, text }) => [to, text]));
    expect(byAddress.get('list@lab.example')).toMatch(BY_SESSION);
    expect(byAddress.get('list@lab.example')).not.toContain('/mine/');
    expect([...byAddress.values()].filter((text) => text.includes('/mine/'))).toHaveLength(1);
  });

  test('in a mail to a viewer', async () => {
    const { desk, lab, tell, mails } = await open();
    await lab.group({ name: 'Cold team', accounts: [lab.vera.email] });
    await (await desk.freezer()).warms();
    await tell();
    const mail = (await mails()).find(({ to }) => to === lab.vera.email);
    expect(mail?.text).toMatch(BY_SESSION);
    expect(mail?.text).not.toContain('/mine/');
  });

  test('in a digest of several alarms', async () => {
    const { desk, tell, mails } = await open();
    await desk.warmAll(await desk.freezers(12));
    await tell();
    expect((await mails()).map(({ text }) => text).join()).not.toContain('/mine/');
  });

  test('in a mail that tells an end', async () => {
    const { freezer, tell, mails } = await raise();
    await freezer.cools();
    await tell();
    const end = (await mails()).at(-1);
    expect(end?.text).toContain('RECOVERED');
    expect(end?.text).not.toContain('/mine/');
  });
});

describe('a link acknowledges nothing', () => {
  test('after 24 hours', async () => {
    const { freezer, link } = await raise();
    server.clock.advance(hours(24));
    expect((await fetch(link)).status).toBe(403);
    expect(await look(link)).toContain('this link was good for 24 hours');
    await press(link);
    expect(await acknowledgementsOf(freezer)).toEqual([]);
  });

  test('of an alarm that is over, or of a newer one', async () => {
    const { freezer, link, strike } = await raise();
    await freezer.cools();
    await strike(seconds(3));
    expect(await look(link)).toContain('This alarm is over');
    await press(link);
    await freezer.warms();
    await strike(seconds(3));
    expect(await look(link)).toContain('a new one has begun since');
    await press(link);
    expect(await acknowledgementsOf(freezer)).toEqual([]);
  });

  test('where somebody has it already: they are named', async () => {
    const { lab, freezer, link } = await raise();
    await lab.ada.post(`/api/v1/alarms/${freezer.id}/acknowledge`, {});
    expect(await look(link)).toMatch(/already acknowledged by Ada/);
    await press(link);
    expect(await recordOf(freezer)).toHaveLength(1);
  });

  const CHANGES: [string, (lab: Awaited<ReturnType<typeof open>>['lab']) => Promise<unknown>, number][] = [
    ['signed out', (lab) => lab.oscar.post('/api/v1/auth/logout', {}), 404],
    [
      'was deactivated',
      (lab) => server.db.query(sql`update account set is_active = false where id = ${lab.oscar.id}`),
      404,
    ],
    [
      'lost the role',
      (lab) =>
        server.db.query(
          sql`update membership set role = 'viewer' where account_id = ${lab.oscar.id} and organization_id = ${lab.organization}`,
        ),
      403,
    ],
    [
      'left',
      (lab) =>
        server.db.query(
          sql`delete from membership where account_id = ${lab.oscar.id} and organization_id = ${lab.organization}`,
        ),
      403,
    ],
    ['may not by links any more', (lab) => lab.organizationEntry({ personal_links: false }), 403],
  ];
  test.each(CHANGES)('when its person %s', async (_, change, status) => {
    const { lab, freezer, link } = await raise();
    await change(lab);
    const answer = await fetch(link);
    expect(answer.status).toBe(status);
    // Who may not see the unit any more learns nothing new of it.
    expect(await answer.text()).not.toMatch(/-5\d|°C/);
    await press(link);
    expect(await acknowledgementsOf(freezer)).toEqual([]);
  });

  test('by a proof of another letter, a changed one, or from another site', async () => {
    const { freezer, link } = await raise();
    const other = await raise();
    const proof = other.link.split('/').at(-1) ?? '';
    const wrong = [
      link.replace(/[^/]+$/, proof),
      link.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
      link.replace(/\/mine\/\d+/, '/mine/999999999999'),
      link.replace(/\/mine\/\d+/, '/mine/99999999999999999999'),
      link.replace(/\/mine\/\d+/, '/mine/x'),
    ];
    for (const address of wrong) {
      expect((await fetch(address)).status).toBe(404);
      expect((await press(address)).status).toBe(404);
    }
    expect(
      (await press(link, { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' })).status,
    ).toBe(403);
    expect(await acknowledgementsOf(freezer)).toEqual([]);
    expect(await acknowledgementsOf(other.freezer)).toEqual([]);
  });
});

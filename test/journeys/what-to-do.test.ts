// What to do at a unit: written once, read on its page, on the alarm, in mails and messages, and by programs.
import sql from 'sql-template-tag';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openMailer } from '../../src/engine/mail/mailer.ts';
import { sayLetter } from '../../src/engine/providers/record/message.ts';
import { createEmailTransport } from '../../src/engine/transports/email/email.ts';
import { readConfig } from '../../src/platform/config.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { type DeliveryDesk, openDeliveryDesk, type ToldFreezer } from '../support/delivery-desk.ts';
import { letterOf, NOTICES, PUBLIC_URL } from '../support/notices.ts';
import { textOf } from '../support/page.ts';
import type { Person } from '../support/people.ts';
import { settled } from '../support/settled-delivery.ts';
import { type SmtpReceiver, startSmtpReceiver } from '../support/smtp-receiver.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import { signedIn } from '../support/visitor.ts';

const STEPS = '1. **Close** the door\n2. Call [the porter](tel:+49-30-1234)\n\n<script>alert(1)</script>';

let server: TestServer;
let receiver: SmtpReceiver;
beforeAll(async () => {
  server = await startServer();
  receiver = await startSmtpReceiver();
});
afterAll(() => receiver.close());

let desk: DeliveryDesk;
let freezer: ToldFreezer;
beforeEach(async () => {
  desk = await openDeliveryDesk(server, { emails: ['cold@lab.example'] });
  freezer = await desk.freezer();
});

const writes = (form: Record<string, string>, by: Person = desk.lab.ada) =>
  by.post(`/services/${freezer.id}/what-to-do`, form);
const api = (by: Person) => by.get(`/api/v1/services/${freezer.id}/what-to-do`);
const put = (form: Record<string, string>, by: Person) =>
  by.put(`/api/v1/services/${freezer.id}/what-to-do`, form);
const audited = () =>
  server.db.query<{ action: string; detail: Record<string, unknown> }>(sql`
    select action, detail from audit where action like '%what_to_do' and organization_id = ${desk.lab.organization}
    order by id`);

describe('on pages', () => {
  test('an administrator writes it, everybody of the organization reads it, nobody else does', async () => {
    const saved = await writes({ what_to_do: STEPS, phones: 'Porter 4711', value_class: 'A', owner: 'Ada' });
    expect(saved.headers.get('location')).toBe(`/services/${freezer.id}?done=what-to-do#what-to-do`);
    const vera = await signedIn(server, desk.lab.vera);
    const page = await vera.read(`/services/${freezer.id}`);
    expect(page).toContain('<li><strong>Close</strong> the door</li>');
    expect(page).toContain('href="tel:+49-30-1234"');
    expect(page).toContain('href="tel:4711"');
    expect(page).not.toContain('<script>alert');
    expect(page).toContain('&lt;script>alert');
    expect(page).not.toContain('Change what to do');
    expect(textOf(await vera.read(`/services/${freezer.id}/what-to-do`))).toContain('Value class');

    expect((await writes({ owner: 'Oscar' }, desk.lab.oscar)).headers.get('location')).toContain('refused');
    const olga = await signedIn(server, desk.lab.olga);
    for (const answer of [
      await olga.open(`/services/${freezer.id}/what-to-do`),
      await writes({ owner: 'Olga' }, desk.lab.olga),
    ])
      expect(answer.status).toBe(404);
    expect(await (await api(desk.lab.vera)).json()).toMatchObject({ own: { owner: 'Ada' } });
  });

  test('what changed is on record, before and after; what did not change is not', async () => {
    await writes({ owner: 'Ada', template: 'fridge' });
    await writes({ owner: 'Ada', template: 'fridge' });
    await writes({ owner: 'Vera', template: 'fridge' });
    expect((await audited()).map(({ detail }) => detail.changes)).toEqual([
      { owner: { before: null, after: 'Ada' }, template: { before: null, after: 'fridge' } },
      { owner: { before: 'Ada', after: 'Vera' } },
    ]);
  });

  test('a form that is refused stays as it was typed', async () => {
    const ada = await signedIn(server, desk.lab.ada);
    const answer = await ada.send(`/services/${freezer.id}/what-to-do`, { phones: 'nobody', owner: 'Ada' });
    expect(answer.status).toBe(422);
    const page = await answer.text();
    expect(page).toContain('such as Porter: +49 30 1234');
    expect(page).toMatch(/>\s*nobody\s*<\/textarea>/);
    expect(await audited()).toEqual([]);
  });

  test('a template and a location say it for their units; another organization has its own', async () => {
    const { lab } = desk;
    await lab.apply({ name: freezer.name, template: 'freezer-80', asset: 'ULT', location: 'Room 101' });
    const path = '/settings/what-to-do/templates/freezer-80/save';
    expect((await lab.ada.post(path, { what_to_do: 'Close it', owner: 'Cold' })).status).toBe(303);
    expect((await lab.olga.post(path, { what_to_do: 'Not ours' })).status).toBe(303);
    const [location] = await server.db.query<{ id: number }>(sql`
      select id from location where organization_id = ${lab.organization} and name = 'Room 101'`);
    const place = `/settings/what-to-do/locations/${location?.id}`;
    expect((await lab.ada.post(`${place}/save`, { owner: 'Room', phones: '112' })).status).toBe(303);
    expect((await lab.olga.get(place)).status).toBe(404);
    expect((await lab.olga.post(`${place}/save`, { owner: 'Olga' })).status).toBe(404);
    expect(await (await api(lab.vera)).json()).toMatchObject({
      template: 'freezer-80',
      own: { owner: null },
      in_force: { what_to_do: 'Close it', owner: 'Cold', phones: '112', contents: null },
    });
    const vera = await signedIn(server, lab.vera);
    expect(textOf(await vera.read(`/services/${freezer.id}`))).toContain('From its template');
    expect((await audited()).map(({ action }) => action)).toEqual([
      'template.what_to_do',
      'location.what_to_do',
    ]);
  });
});

describe('for programs', () => {
  test('all of its own is replaced, by administrators alone', async () => {
    const { lab } = desk;
    const given = { what_to_do: 'Close it', value_class: 'B', template: 'freezer-80' };
    expect(await (await put(given, lab.ada)).json()).toEqual({
      service_id: freezer.id,
      template: 'freezer-80',
      own: { what_to_do: 'Close it', contents: null, owner: null, value_class: 'B', phones: null },
      in_force: { what_to_do: 'Close it', contents: null, owner: null, value_class: 'B', phones: null },
    });
    expect(await (await put({ owner: 'Ada' }, lab.ada)).json()).toMatchObject({
      template: 'freezer-80',
      own: { what_to_do: null, owner: 'Ada' },
    });
    expect((await put({ owner: 'Oscar' }, lab.oscar)).status).toBe(403);
    expect((await put({ owner: 'Olga' }, lab.olga)).status).toBe(404);
    expect((await api(lab.olga)).status).toBe(404);
    const refused = await put({ value_class: 'D' }, lab.ada);
    expect([refused.status, await refused.json()]).toEqual([
      422,
      {
        detail: [
          {
            type: 'not_a_class',
            loc: ['body', 'value_class'],
            msg: 'Choose A, B or C, or none.',
            input: null,
          },
        ],
      },
    ]);
  });
});

describe('at an alarm', () => {
  test('stands in the list, on the page after acknowledging, and in a mail as text and HTML', async () => {
    await writes({ what_to_do: STEPS, phones: 'Porter 4711\nSecurity 112', contents: 'Cell lines' });
    const config = readConfig({ SMTP_URL: receiver.url, MAIL_FROM: 'Tocsin <tocsin@lab.example>' });
    const mailer = openMailer({ settings: settled(config), db: null as unknown as Database });
    const program = desk.hire({
      transports: { ...desk.postbox.transports, email: createEmailTransport({ mailer }) },
    });
    await freezer.warms();
    await desk.strike(0, program);
    await desk.strike(3_000, program);
    const mail = await receiver.mail(1);
    await mailer.close();
    expect(mail.text).toContain('What to do:\n1. Close the door\n2. Call the porter (+49-30-1234)');
    expect(mail.text).toMatch(/Phones: +Porter: 4711, Security: 112/);
    expect(mail.text).toMatch(/Contents: +Cell lines/);
    expect(mail.html).toContain('<strong>Close</strong> the door');
    expect(mail.html).toMatch(/<a href="tel:\+49-30-1234"[^>]*>the porter<\/a>/);
    expect(mail.html).not.toContain('<script>');

    const oscar = await signedIn(server, desk.lab.oscar);
    const list = await oscar.read('/');
    expect(textOf(list)).toContain('What to do: 1. Close the door 2. Call the porter');
    expect(list).toContain(`href="/services/${freezer.id}#what-to-do"`);
    await oscar.send(`/alarms/${freezer.id}/acknowledge`);
    expect(textOf(await oscar.read(`/alarms/${freezer.id}/taken`))).toContain('Close the door');
  });

  test('a message to a phone says it in short, a digest and a recovery do not', () => {
    const guidance = {
      whatToDo: `1. Close the door\n2. ${'x'.repeat(300)}`,
      contents: null,
      owner: null,
      valueClass: null,
      phones: null,
    };
    const answering = { code: null, pin: 'none', mayAcknowledge: true, now: server.clock.read() } as const;
    const message = sayLetter(letterOf({ ...NOTICES.critical, guidance }), PUBLIC_URL, answering);
    const [, line = ''] = message.text.split('\n');
    expect(line).toMatch(/^What to do: 1\. Close the door 2\. x+…$/);
    expect(line.length).toBeLessThan(200);
    expect(message.sms).not.toContain('Close');
  });
});

describe('in the lab file', () => {
  const service = (rest: Record<string, unknown>) => desk.lab.apply({ name: freezer.name, ...rest });
  const guidance = {
    what_to_do: '1. Close the door',
    contents: 'Cell lines',
    owner: 'Ada',
    value_class: 'A',
    phones: ['Porter: 4711', 'Security: 112'],
  };
  const stored = async () => (await (await api(desk.lab.vera)).json()) as { own: object; in_force: object };

  test('what it says is stored, what it leaves out stays, and the same file again changes nothing', async () => {
    await service({ template: 'freezer-80', guidance });
    const own = { ...guidance, phones: guidance.phones.join('\n') };
    expect((await stored()).own).toEqual(own);
    const rows = () => server.db.query(sql`select id, changed_at from guidance order by id`);
    const before = await rows();
    await service({ template: 'freezer-80', guidance });
    expect(await rows()).toEqual(before);
    await service({ guidance: { owner: null } });
    expect((await stored()).own).toEqual({ ...own, owner: null });
  });

  test('templates and locations have theirs', async () => {
    await service({ template: 'fridge', asset: 'Fridge', location: 'Room 7' });
    const shared = [
      { template: 'fridge', what_to_do: 'Close it' },
      { location: 'Room 7', phones: ['112'] },
    ];
    await desk.lab.organizationEntry({ guidance: shared });
    expect((await stored()).in_force).toMatchObject({ what_to_do: 'Close it', phones: '112' });
  });

  test.each([
    [{ services: [{ name: 'Freezer 1', guidance: { phones: ['nobody'] } }] }, 'guidance.phones'],
    [{ guidance: [{ location: 'Nowhere', owner: 'Ada' }] }, 'there is no location'],
    [{ guidance: [{ owner: 'Ada' }] }, 'must name either a template or a location'],
  ])('%j is refused', async (lines, fault) => {
    await expect(desk.lab.organizationEntry(lines)).rejects.toThrow(fault);
  });
});

// What people are reminded of: shifts that begin, gaps that come, mutes that still stand. And what ends by itself.
import { pino } from 'pino';
import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { readEnvironment } from '../../src/engine/delivery-settings/read-environment.ts';
import { openMailer } from '../../src/engine/mail/mailer.ts';
import { endDueMutes } from '../../src/engine/quiet-times/mutes.ts';
import { remind } from '../../src/engine/reminders/remind.ts';
import { sendReminders } from '../../src/engine/reminders/send-reminders.tsx';
import { expireAcknowledgements } from '../../src/engine/services/expire-acknowledgements.ts';
import { examine } from '../../src/features/health/doctor.ts';
import { type Lab, openLab } from '../support/lab.ts';
import { hours, minutes } from '../support/movable-clock.ts';
import { HOT, pass, sendAll, toldOf, watchedBy } from '../support/notification-desk.ts';
import { settled } from '../support/settled-delivery.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});

const goTo = (text: string) => server.clock.advance(Date.parse(text) - server.clock.read().getTime());
const look = () => remind(server.db, server.clock.read());

const remindersOf = async ({ organization }: Lab) =>
  (
    await server.db.query<{ line: string }>(sql`
      select kind || ' to ' || account.name || ': ' || (content->>'subject') as "line"
      from reminder join account on account.id = account_id
      where organization_id = ${organization} and state <> 'dropped' order by reminder.id`)
  ).map(({ line }) => line);

async function openRota(lines: Record<string, unknown>) {
  const lab = await openLab(server);
  await lab.organizationEntry({
    rotas: [
      {
        name: 'Nights',
        timezone: 'Europe/Berlin',
        handover: '08:00',
        every: 'day',
        from: '2027-01-01',
        members: [lab.oscar.email, lab.ada.email],
        ...lines,
      },
    ],
    groups: [{ name: 'Cold team', told: [{ rota: 'Nights' }] }],
    services: [{ name: 'Freezer 1', notifications: { group: 'Cold team', send_critical: true } }],
  });
  return lab;
}

describe('a shift of a rota that asks for it', () => {
  test('begins with a message; its receipt page needs no session, acknowledges nothing, and counts once', async () => {
    goTo('2027-02-02T06:59:00Z');
    const lab = await openRota({ confirm: true });
    goTo('2027-02-02T07:00:30Z');
    await look();
    await look();
    expect(await remindersOf(lab)).toEqual(['shift to Oscar: You are on call: Nights']);
    const [row] = await server.db.query<{ token: string }>(sql`
      select token from reminder where organization_id = ${lab.organization}`);
    const link = `${server.url}/receipt/${row?.token}`;
    expect((await fetch(`${server.url}/receipt/${'x'.repeat(32)}`)).status).toBe(404);
    expect(await (await fetch(link)).text()).toContain('I have it');
    const nothing = await server.db.query(sql`
      select from reminder where organization_id = ${lab.organization} and confirmed_at is not null`);
    expect(nothing).toEqual([]);
    const said = await fetch(link, { method: 'POST', redirect: 'manual' });
    expect(said.status).toBe(303);
    expect(await (await fetch(link)).text()).toContain('Thank you, Oscar');
    server.clock.advance(minutes(45));
    await look();
    expect(await remindersOf(lab)).toHaveLength(1);
    expect(await (await lab.vera.get('/on-call')).text()).toContain('confirmed');
  });

  test('without a receipt in half an hour tells whoever was on call before, and the administrators', async () => {
    goTo('2027-02-05T06:59:00Z');
    const lab = await openRota({ confirm: true });
    goTo('2027-02-05T07:00:30Z');
    await look();
    server.clock.advance(minutes(29));
    await look();
    expect(await remindersOf(lab)).toEqual(['shift to Ada: You are on call: Nights']);
    server.clock.advance(minutes(2));
    await look();
    await look();
    expect((await remindersOf(lab)).slice(1).sort()).toEqual([
      'unconfirmed to Ada: Ada has not confirmed the shift: Nights',
      'unconfirmed to Oscar: Ada has not confirmed the shift: Nights',
    ]);
    expect(await (await lab.vera.get('/on-call')).text()).toContain('has not confirmed the shift yet');
  });

  test('says nothing where the rota does not ask', async () => {
    const lab = await openRota({});
    await look();
    expect(await remindersOf(lab)).toEqual([]);
  });
});

test('gaps of the next eight weeks are mailed to administrators on Monday morning, once', async () => {
  goTo('2027-03-07T12:00:00Z');
  const lab = await openRota({ from: '2027-03-20' });
  await look();
  expect(await remindersOf(lab)).toEqual([]);
  goTo('2027-03-08T06:59:00Z');
  await look();
  expect(await remindersOf(lab)).toEqual([]);
  goTo('2027-03-08T07:00:00Z');
  await look();
  await look();
  expect(await remindersOf(lab)).toEqual(['gaps to Ada: 1 gap in the next 8 weeks']);
  const mailer = openMailer({ settings: settled(), db: server.db });
  const publicUrl = () => 'https://tocsin.example';
  const log = pino({ level: 'silent' });
  await sendReminders({ db: server.db, mailer, log, publicUrl }, server.clock.read());
  const [mail] = await server.db.query<{ subject: string; text: string }>(sql`
    select subject, text_body as "text" from kept_mail where organization_id = ${lab.organization} order by id desc limit 1`);
  expect(mail?.subject).toContain('1 gap in the next 8 weeks');
  expect(mail?.text).toContain(
    'Cold team, 2027-03-08 08:00 (Europe/Berlin) to 2027-03-20 07:45 (Europe/Berlin)',
  );
  expect(mail?.text).toContain('https://tocsin.example/settings/groups');
});

test('where people change very often, mail and doctor say alike until when was looked', async () => {
  goTo('2027-03-07T12:00:00Z');
  const lab = await openRota({ from: '2027-03-20' });
  const first = new Date('2027-03-20T07:00:00Z');
  await server.db.query(sql`
    insert into rota_stand_in (rota_id, start_at, end_at, account_id, author_id, author_name, created_at)
    select rota.id, ${first}::timestamptz + n * interval '20 minutes', ${first}::timestamptz + (n + 1) * interval '20 minutes',
      (array[${lab.ada.id}, ${lab.oscar.id}]::int[])[1 + n % 2], ${lab.ada.id}, 'Ada', ${server.clock.read()}
    from rota, generate_series(0, 1500) n where organization_id = ${lab.organization}`);
  goTo('2027-03-08T07:00:00Z');
  await look();
  const [reminder] = await server.db.query<{ lines: string[] }>(sql`
    select content->'lines' as "lines" from reminder where kind = 'gaps' and organization_id = ${lab.organization}`);
  expect(reminder?.lines.at(-1)).toMatch(
    /^Cold team was looked at until 2027-04-\d\d \d\d:\d\d \(Europe\/Berlin\) only: people change very often there\.$/,
  );
  const lines: string[] = [];
  const { db, clock } = server;
  const config = readEnvironment({});
  const deps = { db, log: pino({ level: 'silent' }), config, clock: clock.read, clusterDir: null };
  const out = { stdout: (line: string) => void lines.push(line), stderr: () => {} };
  await examine(deps, { isJson: false, config, nodeVersion: 'v24.0.0' }, out, clock.read());
  expect(lines.find((line) => line.includes('Cold team was looked at'))).toMatch(
    /^! on call: Cold team was looked at until 2027-04-\d\d \d\d:\d\d UTC only: people change very often there\.$/,
  );
  expect(lines).not.toContain('All is well.');
});

test('an organization whose gaps cannot be found keeps nobody else from hearing of theirs', async () => {
  goTo('2027-03-14T12:00:00Z');
  const [damaged, lab] = [await openRota({ from: '2027-03-27' }), await openRota({ from: '2027-03-27' })];
  await server.db.query(sql`
    insert into lab_hours (organization_id, timezone, weekly)
    values (${damaged.organization}, 'Nowhere/Nothing', '[{"days": [1], "from": "08:00", "to": "18:00"}]')`);
  goTo('2027-03-15T07:00:00Z');
  await expect(look()).rejects.toThrow('not everybody could be reminded');
  expect(await remindersOf(damaged)).toEqual([]);
  expect(await remindersOf(lab)).toEqual(['gaps to Ada: 1 gap in the next 8 weeks']);
  await server.db.query(sql`delete from lab_hours where organization_id = ${damaged.organization}`);
  await look();
  expect(await remindersOf(damaged)).toEqual(['gaps to Ada: 1 gap in the next 8 weeks']);
});

describe('a mute', () => {
  test('with minutes ends by itself, and what holds is told then; without them it stands', async () => {
    const lab = await openLab(server);
    await lab.group({ name: 'Cold team', emails: ['cold@lab.example'] });
    const freezer = await lab.freezer(watchedBy('Cold team'));
    const other = await lab.freezer(watchedBy('Cold team'));
    await lab.oscar.post(`/api/v1/services/${freezer.id}/mute`, { minutes: '30', reason: 'Defrost' });
    await lab.oscar.post(`/api/v1/services/${other.id}/mute`);
    await freezer.reads(HOT);
    await other.reads(HOT);
    server.clock.advance(minutes(29));
    await endDueMutes(server.db, server.clock.read());
    await lab.tick();
    expect(await toldOf(server, freezer)).toEqual([]);
    server.clock.advance(minutes(1));
    await endDueMutes(server.db, server.clock.read());
    await lab.tick();
    expect(await toldOf(server, freezer)).toEqual(['critical']);
    expect(await toldOf(server, other)).toEqual([]);
  });

  test.each(['0', '43201', 'soon', '-5'])('refuses %s minutes', async (wanted) => {
    const lab = await openLab(server);
    const freezer = await lab.freezer();
    const answer = await lab.oscar.post(`/api/v1/services/${freezer.id}/mute`, { minutes: wanted });
    expect(answer.status).toBe(422);
  });

  test('that still stands is said every morning to whoever muted it and to administrators', async () => {
    goTo('2027-04-06T12:00:00Z');
    const lab = await openLab(server);
    const freezer = await lab.freezer();
    await lab.oscar.post(`/api/v1/services/${freezer.id}/mute`, { reason: 'Defrost' });
    goTo('2027-04-07T06:00:00Z');
    await look();
    await look();
    const lines = await remindersOf(lab);
    expect(lines.map((line) => line.split(':')[0]).sort()).toEqual(['muted to Ada', 'muted to Oscar']);
    expect(lines[0]).toContain('is still muted');
    server.clock.advance(hours(24));
    await look();
    expect(await remindersOf(lab)).toHaveLength(4);
    await lab.ada.post(`/api/v1/services/${freezer.id}/unmute`);
    server.clock.advance(hours(24));
    await look();
    expect(await remindersOf(lab)).toHaveLength(4);
  });
});

test('where a group says how long, an acknowledgement ends by itself and the ladder begins anew', async () => {
  const lab = await openLab(server);
  await lab.group({
    name: 'Cold team',
    emails: ['cold@lab.example'],
    steps: [{ step: 1, after_minutes: 10 }],
    told: [{ step: 1, email: 'second@lab.example' }],
    acknowledged_minutes: 60,
  });
  const freezer = await lab.freezer(watchedBy('Cold team', { repeat_interval_minutes: 0 }));
  await freezer.reads(HOT);
  await lab.tick();
  await sendAll(server);
  await lab.oscar.post(`/api/v1/alarms/${freezer.id}/acknowledge`);
  const passOn = async (count: number) => {
    for (let minute = 0; minute < count; minute += 1) {
      await expireAcknowledgements(server.db, server.clock.read());
      await pass(lab, 1);
      await sendAll(server);
    }
  };
  await passOn(59);
  expect(await toldOf(server, freezer)).toEqual(['critical', 'acknowledgement']);
  await passOn(15);
  expect(await toldOf(server, freezer)).toEqual(['critical', 'acknowledgement', 'critical']);
  const [ended] = await server.db.query<{ reason: string }>(sql`
    select end_reason as "reason" from acknowledgement where service_id = ${freezer.id}`);
  expect(ended?.reason).toBe('expired');
});

test('two weeks before downtimes that come again end, whoever planned them and administrators hear of it once', async () => {
  const lab = await openLab(server);
  const freezer = await lab.freezer();
  const dayIn = (days: number) =>
    new Date(server.clock.read().getTime() + days * hours(24)).toISOString().slice(0, 10);
  const plan = (until: string, reason: string) =>
    lab.oscar.post('/downtimes/series', {
      service_id: String(freezer.id),
      first_day: dayIn(1),
      start: '03:00',
      duration: '120',
      interval: '1',
      unit: 'week',
      until_day: until,
      reason,
    });
  const until = dayIn(60);
  expect((await plan(until, 'Defrost')).status).toBe(303);
  expect((await plan(dayIn(10), 'Moving house')).status).toBe(303);
  const lookAt = async (day: string) => {
    goTo(`${day}T12:00:00Z`);
    await look();
    await look();
  };
  await lookAt(dayIn(44));
  expect(await remindersOf(lab)).toEqual([]);
  await lookAt(dayIn(3));
  const [freezerName] = (
    await server.db.query<{ name: string }>(sql`select name from service where id = ${freezer.id}`)
  ).map(({ name }) => name);
  const said = `${freezerName}: its downtimes end on ${until}`;
  const expected = [`series_ends to Ada: ${said}`, `series_ends to Oscar: ${said}`];
  expect((await remindersOf(lab)).sort()).toEqual(expected);
  await lookAt(dayIn(1));
  expect((await remindersOf(lab)).sort()).toEqual(expected);
});

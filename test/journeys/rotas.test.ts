// Who is on call, told by the alarms that reach them.

import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Freezer, type Lab, openLab } from '../support/lab.ts';
import { speakMadeUp } from '../support/made-up-language.ts';
import { minutes } from '../support/movable-clock.ts';
import { HOT, NORMAL, pass, sendAll, watchedBy } from '../support/notification-desk.ts';
import type { Person } from '../support/people.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});

/** A rota of Oscar and Ada, a day each, in Berlin. */
async function open(handover: string, from: string) {
  const lab = await openLab(server);
  await lab.organizationEntry({
    rotas: [
      {
        name: 'Nights',
        timezone: 'Europe/Berlin',
        handover,
        every: 'day',
        from,
        members: [lab.oscar.email, lab.ada.email],
      },
    ],
    groups: [{ name: 'Cold team', told: [{ rota: 'Nights' }] }],
  });
  const freezer = await lab.freezer(watchedBy('Cold team', { repeat_interval_minutes: 0 }));
  return { lab, freezer };
}

const goTo = (text: string) => server.clock.advance(Date.parse(text) - server.clock.read().getTime());

async function toldOf(freezer: Freezer): Promise<string[]> {
  const rows = await server.db.query<{ at: Date; kind: string; name: string | null; recipient: string }>(sql`
    select delivery.created_at as "at", kind, account_name as "name", recipient from delivery
    join notification on notification.id = notification_id
    where delivery.service_id = ${freezer.id} and delivery.state <> 'dropped' order by delivery.id`);
  return rows.map(
    ({ at, kind, name, recipient }) => `${at.toISOString().slice(5, 16)} ${kind} ${name ?? recipient}`,
  );
}

async function passAndSend(lab: Lab, count: number): Promise<void> {
  for (let minute = 0; minute < count; minute += 1) {
    await pass(lab, 1);
    await sendAll(server);
  }
}

async function begin(lab: Lab, freezer: Freezer): Promise<void> {
  await freezer.reads(HOT);
  await lab.tick();
  await sendAll(server);
}

describe('a handover during an alarm', () => {
  test('tells who comes on duty at once, in the hour that is skipped', async () => {
    goTo('2027-03-28T00:50:00Z');
    const { lab, freezer } = await open('02:30', '2027-03-27');
    await begin(lab, freezer);
    await passAndSend(lab, 60);
    // 02:30 does not exist that night: 03:30 is the handover.
    expect(await toldOf(freezer)).toEqual(['03-28T00:50 critical Oscar', '03-28T01:30 critical Ada']);
    await freezer.reads(NORMAL);
    await passAndSend(lab, 1);
    expect((await toldOf(freezer)).slice(2).sort()).toEqual([
      `03-28T01:51 recovery ${lab.ada.email}`,
      `03-28T01:51 recovery ${lab.oscar.email}`,
    ]);
  });

  test('once only in the hour that is repeated, at the first of the two', async () => {
    goTo('2027-10-31T00:20:00Z');
    const { lab, freezer } = await open('02:30', '2027-10-30');
    await begin(lab, freezer);
    await passAndSend(lab, 90);
    expect(await toldOf(freezer)).toEqual(['10-31T00:20 critical Oscar', '10-31T00:30 critical Ada']);
  });
});

describe('a stand-in', () => {
  test('who takes over during an alarm is told at once, and others hear of the end', async () => {
    goTo('2027-11-10T12:00:00Z');
    const { lab, freezer } = await open('08:00', '2027-11-09');
    await begin(lab, freezer);
    const [rota] = await server.db.query<{ id: number }>(sql`
      select id from rota where organization_id = ${lab.organization}`);
    const path = `/on-call/${rota?.id}/take-over`;
    expect((await lab.vera.post(path)).status).toBe(403);
    expect((await lab.olga.post(path)).status).toBe(404);
    expect((await lab.oscar.post(path)).status).toBe(303);
    await passAndSend(lab, 2);
    expect(await toldOf(freezer)).toEqual(['11-10T12:00 critical Ada', '11-10T12:01 critical Oscar']);
    const page = await (await lab.vera.get('/on-call')).text();
    expect(page).toContain('On call now: <strong>Oscar</strong>');
    const [audit] = await server.db.query<{ action: string }>(sql`
      select action from audit where organization_id = ${lab.organization} order by id desc limit 1`);
    expect(audit?.action).toBe('rota.stand_in');
  });

  test('an administrator appoints anybody of the organization, and nobody else', async () => {
    const { lab } = await open('08:00', '2027-11-09');
    const [rota] = await server.db.query<{ id: number }>(sql`
      select id from rota where organization_id = ${lab.organization}`);
    const form = { start: '2027-12-01T08:00', end: '2027-12-02T08:00' };
    const path = `/on-call/${rota?.id}/appoint`;
    expect((await lab.oscar.post(path, { ...form, account_id: String(lab.vera.id) })).status).toBe(403);
    expect((await lab.ada.post(path, { ...form, account_id: String(lab.olga.id) })).status).toBe(422);
    expect((await lab.ada.post(path, { ...form, account_id: String(lab.vera.id) })).status).toBe(303);
    expect(await (await lab.ada.get('/on-call')).text()).toContain('Vera instead of');
  });
});

test('the page foretells who would be told, at any time', async () => {
  const { lab, freezer } = await open('08:00', '2027-11-09');
  const ask = async (at: string) => (await lab.ada.get(`/on-call?service=${freezer.id}&at=${at}`)).text();
  const listOf = (page: string) => page.slice(page.indexOf('aria-label="Who would be notified"'));
  expect(listOf(await ask('2027-11-20T07:00'))).toContain('Oscar');
  expect(listOf(await ask('2027-11-20T09:00'))).toContain('Ada');
  expect(await (await lab.olga.get(`/on-call?service=${freezer.id}`)).text()).not.toContain(
    'Who would be notified"',
  );
});

test('a calendar is opened by its link, and by nothing else', async () => {
  const { lab } = await open('08:00', '2027-11-09');
  const [rota] = await server.db.query<{ id: number }>(sql`
    select id from rota where organization_id = ${lab.organization}`);
  expect((await lab.olga.post('/settings/rotas/feed', { rota_id: String(rota?.id) })).status).toBe(404);
  expect((await lab.ada.post('/settings/rotas/feed', { rota_id: String(rota?.id) })).status).toBe(303);
  const addressFor = async ({ get }: Person) =>
    /href="(\/rota\/[^"]+\.ics)"/.exec(await (await get('/on-call')).text())?.[1] ?? '';
  const [ours, theirs] = [await addressFor(lab.ada), await addressFor(lab.vera)];
  expect(theirs).not.toBe(ours);
  const follow = (address: string) => fetch(server.url + address);
  const answer = await follow(ours);
  expect(answer.headers.get('content-type')).toContain('text/calendar');
  const calendar = await answer.text();
  expect(calendar).toContain('SUMMARY:Nights: Oscar');
  expect(calendar.split('\r\n').every((line) => Buffer.byteLength(line) <= 75)).toBe(true);
  expect((await follow(`/rota/${'a'.repeat(32)}.ics`)).status).toBe(404);
  expect((await follow('/rota/a%00b.ics')).status).toBe(404);

  const [stored] = await server.db.query<{ token: string }>(sql`
    select feed_token as "token" from rota where id = ${rota?.id}`);
  expect((await follow(`/rota/${stored?.token}.ics`)).status).toBe(404);
  expect((await follow(theirs)).status).toBe(200);
  expect((await follow(theirs.replace(`.${lab.vera.id}.`, `.${lab.ada.id}.`))).status).toBe(404);
  expect((await lab.ada.post(`/settings/members/${lab.vera.id}/remove`)).status).toBe(303);
  expect((await follow(theirs)).status).toBe(404);
  expect((await follow(ours)).status).toBe(200);
  await lab.ada.post('/settings/rotas/feed', { rota_id: String(rota?.id) });
  expect((await follow(ours)).status).toBe(404);
  expect((await follow(await addressFor(lab.ada))).status).toBe(200);
});

test('a calendar speaks the language of the account whose feed it is, else of its organization', async () => {
  const { lab } = await open('08:00', '2027-12-06');
  for (const [tag, nobody] of [
    ['eo', 'neniu'],
    ['la', 'nemo'],
  ] as const)
    speakMadeUp(tag, { '{rota}: nobody': [{ fact: 'rota' }, `: ${nobody}`] });
  const [rota] = await server.db.query<{ id: number }>(sql`
    select id from rota where organization_id = ${lab.organization}`);
  await lab.ada.post('/settings/rotas/feed', { rota_id: String(rota?.id) });
  const page = await (await lab.ada.get('/on-call')).text();
  const address = /href="(\/rota\/[^"]+\.ics)"/.exec(page)?.[1] ?? '';
  const read = async () => (await fetch(server.url + address)).text();
  expect(await read()).toContain('SUMMARY:Nights: nobody');
  await server.db.query(sql`update organization set language = 'la' where id = ${lab.organization}`);
  expect(await read()).toContain('SUMMARY:Nights: nemo');
  await server.db.query(sql`update account set language = 'eo' where id = ${lab.ada.id}`);
  expect(await read()).toContain('SUMMARY:Nights: neniu');
});

test('who leaves passes the shift on, and a change begins with the next handover', async () => {
  goTo('2027-12-10T12:00:00Z');
  const { lab, freezer } = await open('08:00', '2027-12-09');
  expect((await lab.ada.post(`/settings/members/${lab.oscar.id}/deactivate`)).status).toBe(303);
  goTo('2027-12-11T12:00:00Z');
  await begin(lab, freezer);
  expect(await toldOf(freezer)).toEqual(['12-11T12:00 critical Ada']);
  const change = { handover: '08:00', every: 'week', length: '1', member_0: String(lab.vera.id) };
  const [rota] = await server.db.query<{ id: number }>(sql`
    select id from rota where organization_id = ${lab.organization}`);
  expect(
    (await lab.ada.post('/settings/rotas/change', { ...change, rota_id: String(rota?.id) })).status,
  ).toBe(303);
  await passAndSend(lab, 1);
  expect(await toldOf(freezer)).toHaveLength(1);
  server.clock.advance(minutes(20 * 60));
  await passAndSend(lab, 1);
  expect((await toldOf(freezer)).at(-1)).toBe('12-12T08:02 critical Vera');
});

test('two shifts are swapped: each of their people takes the other', async () => {
  goTo('2028-01-10T12:00:00Z');
  const { lab } = await open('08:00', '2028-01-01');
  const [rota] = await server.db.query<{ id: number }>(sql`
    select id from rota where organization_id = ${lab.organization}`);
  const path = `/on-call/${rota?.id}/swap`;
  const form = { one: '2028-01-12T07:00:00Z', other: '2028-01-13T07:00:00Z' };
  expect((await lab.oscar.post(path, form)).status).toBe(403);
  expect((await lab.ada.post(path, { ...form, other: '2028-01-14T07:00:00Z' })).status).toBe(422);
  expect((await lab.ada.post(path, { ...form, other: '2028-01-13T09:00:00Z' })).status).toBe(422);
  expect((await lab.ada.post(path, form)).status).toBe(303);
  const standIns = await server.db.query<{ line: string }>(sql`
    select account.name || ' instead of ' || other.name || ' from ' || to_char(start_at at time zone 'UTC', 'DD HH24:MI')
      as "line"
    from rota_stand_in join account on account.id = account_id join account other on other.id = instead_of_id
    where rota_id = ${rota?.id} order by rota_stand_in.id`);
  expect(standIns.map(({ line }) => line)).toEqual([
    'Oscar instead of Ada from 12 07:00',
    'Ada instead of Oscar from 13 07:00',
  ]);
});

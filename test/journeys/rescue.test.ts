// Where what is in a failing unit goes: room that is known to be well, reserved by one press, by one of two who press.
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type DeliveryDesk, openDeliveryDesk, type ToldFreezer } from '../support/delivery-desk.ts';
import { hours, minutes } from '../support/movable-clock.ts';
import { textOf } from '../support/page.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import { openVisitor, signedIn, type VisitorBrowser } from '../support/visitor.ts';

let server: TestServer;
let desk: DeliveryDesk;
let failing: ToldFreezer;
let refuge: ToldFreezer;
let ada: VisitorBrowser;
let oscar: VisitorBrowser;

beforeAll(async () => {
  server = await startServer();
});
beforeEach(async () => {
  desk = await openDeliveryDesk(server);
  [failing, refuge] = (await desk.freezers(2)) as [ToldFreezer, ToldFreezer];
  await failing.cools();
  await refuge.cools();
  server.clock.advance(minutes(1));
  ada = await signedIn(server, desk.lab.ada);
  oscar = await signedIn(server, desk.lab.oscar);
  await says(failing, { temperature_class: 'ultra_low', racks: '6', danger_value: '-20' });
  await says(refuge, { temperature_class: 'ultra_low', free_racks: '10' });
});

const says = (unit: ToldFreezer, form: Record<string, string>, who = ada) =>
  who.send(`/services/${unit.id}/rescue`, form);
const plan = async (unit = failing) => textOf(await oscar.read(`/alarms/${unit.id}/rescue`));
const reserves = async (who: VisitorBrowser, unit = failing, where = refuge) => {
  const answer = await who.send(`/alarms/${unit.id}/reserve-refuge`, { refuge: String(where.id) });
  return answer.headers.get('location') ?? String(answer.status);
};
const reserved = () =>
  server.db.query<{ racks: number; by: string }>(sql`
    select racks, reserved_by as "by" from rescue_reservation where refuge_id = ${refuge.id} and ended_at is null`);

describe('what is offered', () => {
  test('on the unit, after acknowledging and on a page of its own: the nearest room that is known to be well', async () => {
    expect(textOf(await oscar.read(`/services/${failing.id}`))).not.toContain('Nearest free');
    await failing.warms();
    for (const path of [`/services/${failing.id}`, `/alarms/${failing.id}/taken`])
      expect(textOf(await oscar.read(path))).toContain(
        `Nearest free: ${refuge.name}, 10 racks free, −80 °C, never an alarm.`,
      );
    expect(await plan()).toContain('Reserve 6 racks');
  });

  const NOWHERE = 'There is none: every other unit is full';
  test.each<[string, () => Promise<unknown>]>([
    ['is in alarm', () => refuge.warms()],
    ['is muted', () => desk.lab.oscar.post(`/api/v1/services/${refuge.id}/mute`, {})],
    ['is archived', () => ada.send(`/settings/services/${refuge.id}/archive`, { sure: 'yes' })],
    ['has too little room', () => says(refuge, { temperature_class: 'ultra_low', free_racks: '5' })],
    ['is too warm', () => says(refuge, { temperature_class: 'freezer', free_racks: '10' })],
    ['is no refuge', () => says(refuge, { temperature_class: 'ultra_low' })],
    [
      'has no limits',
      () =>
        server.db.query(sql`update limits_version set retired_at = now() where service_id = ${refuge.id}`),
    ],
    [
      'is silent',
      () =>
        server.db.query(
          sql`update alarm_state set stale_since = ${server.clock.read()} where service_id = ${refuge.id}`,
        ),
    ],
    [
      'was in alarm an hour ago',
      async () => {
        await refuge.warms();
        server.clock.advance(minutes(1));
        await refuge.cools();
        server.clock.advance(hours(1));
      },
    ],
  ])('none that %s', async (_why, happens) => {
    await failing.warms();
    expect(await plan()).toContain('Reserve 6 racks');
    await happens();
    expect(await plan()).toContain(NOWHERE);
    expect(await reserves(oscar)).toContain('refused=refuge_taken');
    expect(await reserved()).toEqual([]);
  });

  test('none of another organization', async () => {
    const other = await openDeliveryDesk(server);
    const theirs = await other.freezer();
    await theirs.cools();
    const ida = await signedIn(server, other.lab.ada);
    await says(theirs, { temperature_class: 'ultra_low', free_racks: '100' }, ida);
    await failing.warms();
    await says(refuge, {});
    expect(await plan()).toContain(NOWHERE);
    expect(await reserves(oscar, failing, theirs)).toContain('refused=refuge_taken');
    expect((await ida.open(`/alarms/${failing.id}/rescue`)).status).toBe(404);
    expect(await reserves(ida)).toBe('404');
  });

  test('in the mail of the alarm too', async () => {
    await failing.warms();
    await desk.strike();
    await desk.strike(3_000);
    const [told] = desk.postbox.arrivals.filter(({ letter }) => letter.notices[0].serviceId === failing.id);
    const sentence = `Nearest free: ${refuge.name}, 10 racks free, −80 °C, never an alarm.`;
    expect(told?.letter.notices[0].rescue).toEqual([sentence]);
  });

  test('how long it takes until what is inside suffers, where the readings make it clear', async () => {
    for (let minute = 0; minute <= 120; minute += 1) {
      server.clock.advance(minutes(1));
      await desk.lab.post([
        {
          device: failing.device,
          time: server.clock.read().getTime(),
          values: { temperature: -80 + minute / 4 },
        },
      ]);
    }
    expect(textOf(await oscar.read(`/services/${failing.id}`))).toContain(
      'About 2 hours to −20 °C at its own rate.',
    );
  });
});

describe('reserving', () => {
  test('one press takes the room and the alarm, with where it goes; it can be given back', async () => {
    await failing.warms();
    expect(await reserves(oscar)).toContain('done=reserve-refuge');
    expect(await reserved()).toEqual([{ racks: 6, by: 'Oscar' }]);
    const [taken] = await server.db.query<{ comment: string; by: string }>(sql`
      select comment, account_name as "by" from acknowledgement where service_id = ${failing.id} and ended_at is null`);
    expect(taken).toEqual({ by: 'Oscar', comment: `Moved to ${refuge.name}: 6 racks` });
    expect(textOf(await oscar.read(`/services/${failing.id}`))).toContain(
      `Room is reserved in ${refuge.name}.`,
    );
    const page = await oscar.read(`/alarms/${failing.id}/rescue`);
    const reservation = /name="reservation" value="(\d+)"/.exec(page)?.[1] ?? '';
    // Four of ten are left.
    expect(textOf(page)).toContain('There is none');
    await oscar.send(`/alarms/${failing.id}/release-refuge`, { reservation });
    expect(await plan()).toContain('Reserve 6 racks');
    const again = await oscar.send(`/alarms/${failing.id}/release-refuge`, { reservation });
    expect(again.headers.get('location')).toContain('refused=no_reservation');
    const records = await server.db.query<{ action: string }>(sql`
      select action from audit where service_id = ${failing.id} and action like 'rescue.%' order by id`);
    expect(records.map(({ action }) => action)).toEqual(['rescue.reserve', 'rescue.release']);
  });

  test('of ten who take the last room at once one has it', async () => {
    const [other] = (await desk.freezers(1)) as [ToldFreezer];
    await other.cools();
    await says(other, { temperature_class: 'ultra_low', racks: '6' });
    server.clock.advance(minutes(1));
    await desk.warmAll([failing, other]);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        reserves(index % 2 === 0 ? ada : oscar, index < 5 ? failing : other),
      ),
    );
    expect(answers.filter((answer) => answer.includes('done=')).length).toBe(1);
    expect(await reserved()).toHaveLength(1);
  });

  test('pressed twice it is reserved once, however much room there is', async () => {
    await says(refuge, { temperature_class: 'ultra_low', free_racks: '30' });
    await failing.warms();
    const answers = await Promise.all([reserves(oscar), reserves(oscar), reserves(ada)]);
    expect(answers.filter((answer) => answer.includes('done=reserve-refuge'))).toHaveLength(1);
    expect(answers.filter((answer) => answer.includes('refused=reserved_already'))).toHaveLength(2);
    expect(await reserved()).toHaveLength(1);
  });

  test('whoever has the alarm keeps it when somebody else reserves, and that is what is said', async () => {
    await failing.warms();
    await desk.lab.ada.post(`/api/v1/alarms/${failing.id}/acknowledge`, { comment: 'On my way' });
    expect(await reserves(oscar)).toContain('done=reserve-refuge-alone');
    const taken = await server.db.query(sql`
      select comment, account_name as "by" from acknowledgement where service_id = ${failing.id} and ended_at is null`);
    expect(taken).toEqual([{ by: 'Ada', comment: 'On my way' }]);
  });

  test('room is free again when its time is over', async () => {
    await failing.warms();
    await reserves(oscar);
    expect(await plan()).toContain('There is none');
    server.clock.advance(hours(24 * 7));
    await refuge.cools();
    oscar = await signedIn(server, desk.lab.oscar);
    expect(await plan()).toContain('Reserve 6 racks');
  });

  test('without an alarm nothing is reserved, and viewers reserve nothing', async () => {
    expect(await reserves(oscar)).toContain('refused=no_active_alarm');
    await failing.warms();
    const vera = await signedIn(server, desk.lab.vera);
    expect((await vera.open(`/alarms/${failing.id}/rescue`)).status).toBe(404);
    expect(await reserves(vera)).toContain('refused=viewer_only');
    expect(await reserves(openVisitor(server))).toContain('/login');
  });
});

describe('what is said of a unit', () => {
  test('in the lab file, which leaves alone what it leaves out', async () => {
    const entry = (rescue: object) =>
      desk.lab.organizationEntry({ services: [{ name: failing.name, rescue }] });
    await entry({ racks: 8, danger_value: null });
    const api = () =>
      desk.lab.vera.get(`/api/v1/services/${failing.id}/rescue`).then((answer) => answer.json());
    const said = {
      service_id: failing.id,
      temperature_class: 'ultra_low',
      free_racks: null,
      rescue_order: null,
      preferred_refuges: [],
    };
    expect(await api()).toEqual({ ...said, racks: 8, danger_value: null });
    const put = await desk.lab.ada.put(`/api/v1/services/${failing.id}/rescue`, {
      temperature_class: 'ultra_low',
      racks: '2',
      danger_value: '-50',
    });
    expect(put.status).toBe(200);
    expect(await api()).toEqual({ ...said, racks: 2, danger_value: -50 });
  });

  test('is changed by administrators, on record, and a fault stands beside its field', async () => {
    const page = await oscar.read(`/services/${failing.id}/rescue`);
    expect(page).toMatch(/name="racks"[^>]*disabled/);
    expect((await says(failing, { racks: '1' }, oscar)).headers.get('location')).toContain('refused=');
    const refused = await says(failing, { racks: 'many', danger_value: '-50' });
    expect(refused.status).toBe(422);
    const text = await refused.text();
    expect(text).toContain('Give a whole number from 0 to 10000');
    expect(text).toContain('value="many"');
    const [record] = await server.db.query<{ detail: unknown }>(sql`
      select detail from audit where service_id = ${failing.id} and action = 'service.rescue' order by id desc limit 1`);
    expect(record?.detail).toMatchObject({ changes: { racks: { before: null, after: 6 } } });
  });
});

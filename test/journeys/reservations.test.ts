// What becomes of room that was reserved, and what its refuge says and does meanwhile.
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { keepDoorsTight } from '../../src/engine/rescue/keep-doors-tight.ts';
import { doorPath } from '../../src/engine/services/doors.ts';
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
  await ada.send(`/services/${failing.id}/rescue`, { temperature_class: 'ultra_low', racks: '6' });
  await ada.send(`/services/${refuge.id}/rescue`, { temperature_class: 'ultra_low', free_racks: '10' });
  await failing.warms();
});

const reserve = async (who = oscar) => {
  await who.send(`/alarms/${failing.id}/reserve-refuge`, { refuge: String(refuge.id) });
  const [row] = await server.db.query<{ id: string }>(
    sql`select id from rescue_reservation where service_id = ${failing.id} order by id desc limit 1`,
  );
  return row?.id ?? '';
};
const act = async (word: string, reservation: string, who = oscar, more: Record<string, string> = {}) =>
  (await who.send(`/alarms/${failing.id}/${word}`, { reservation, ...more })).headers.get('location') ?? '';
const free = async () =>
  (
    await server.db.query<{ free: number | null }>(
      sql`select free_racks as free from rescue where service_id = ${refuge.id}`,
    )
  )[0]?.free;
const plan = async () => textOf(await oscar.read(`/alarms/${failing.id}/rescue`));

describe('free racks', () => {
  test('are counted down when it was moved in, and up when it is back; each can be undone', async () => {
    const reservation = await reserve();
    expect(await plan()).toContain('Moved in Not needed');
    expect(await act('moved-in', reservation)).toBe(`/alarms/${failing.id}/rescue?done=moved-in`);
    expect(await free()).toBe(4);
    expect(await plan()).toContain('moved in by Oscar');
    await act('undo-moved-in', reservation);
    expect(await free()).toBe(10);
    await act('moved-in', reservation);
    await act('back-again', reservation);
    expect(await free()).toBe(10);
    expect(await plan()).toContain('back again');
    await act('undo-back-again', reservation);
    expect(await free()).toBe(4);
    await act('back-again', reservation);
    server.clock.advance(minutes(11));
    expect(await plan()).not.toContain('back again');
    const records = await server.db.query<{ action: string; detail: unknown }>(sql`
      select action, detail from audit where service_id = ${failing.id} and action like 'rescue.%' order by id`);
    expect(records.map(({ action }) => action)).toEqual([
      'rescue.reserve',
      'rescue.moved_in',
      'rescue.moved_in_undone',
      'rescue.moved_in',
      'rescue.back_again',
      'rescue.back_again_undone',
      'rescue.back_again',
    ]);
    expect(records[1]?.detail).toMatchObject({ changes: { freeRacks: { before: 10, after: 4 } } });
  });

  test('are never below 0, and what was not taken off does not come back', async () => {
    const reservation = await reserve();
    await ada.send(`/services/${refuge.id}/rescue`, { temperature_class: 'ultra_low', free_racks: '2' });
    await act('moved-in', reservation);
    expect(await free()).toBe(0);
    await act('back-again', reservation);
    expect(await free()).toBe(2);
  });

  test('are counted once, whoever presses at the same moment', async () => {
    const reservation = await reserve();
    const words = ['moved-in', 'release-refuge', 'moved-in', 'release-refuge', 'moved-in', 'moved-in'];
    const answers = await Promise.all(
      words.map((word, index) => act(word, reservation, index % 2 === 0 ? ada : oscar)),
    );
    const done = answers.filter((answer) => answer.includes('done='));
    expect(done).toHaveLength(1);
    expect(await free()).toBe(done[0]?.includes('moved-in') ? 4 : 10);
    await Promise.all([1, 2, 3].map(() => act('back-again', reservation, ada)));
    expect(await free()).toBe(10);
  });

  test('of what was moved nothing is asked to be moved again, and the refuge has more to lose', async () => {
    const reservation = await reserve();
    await act('moved-in', reservation);
    const needs = async (unit: ToldFreezer) => textOf(await oscar.read(`/alarms/${unit.id}/rescue`));
    expect(await needs(failing)).toContain('All that was inside is moved.');
    expect(await needs(failing)).not.toContain('Reserve 6 racks');
    const third = await desk.freezer();
    await third.cools();
    await ada.send(`/services/${third.id}/rescue`, { temperature_class: 'ultra_low', free_racks: '30' });
    await refuge.warms();
    // The one that it counts for itself, as nobody said how many, and six guests.
    expect(await needs(refuge)).toContain('Reserve 7 racks');
  });
});

describe('who and where', () => {
  test('at the refuge too, with the unit archived, and after its week is over', async () => {
    const reservation = await reserve();
    await ada.send(`/settings/services/${failing.id}/archive`, { sure: 'yes' });
    server.clock.advance(hours(24 * 8));
    oscar = await signedIn(server, desk.lab.oscar);
    const page = textOf(await oscar.read(`/services/${refuge.id}/rescue`));
    expect(page).toContain('it keeps no room any more. Was it moved?');
    const where = await act('moved-in', reservation, oscar, { refuge: String(refuge.id) });
    expect(where).toBe(`/services/${refuge.id}/rescue?done=moved-in`);
    expect(textOf(await oscar.read(where))).toContain('Moved in. The refuge has so many free racks less.');
    expect(await free()).toBe(4);
  });

  test('viewers change nothing, and other organizations find nothing', async () => {
    const reservation = await reserve();
    const vera = await signedIn(server, desk.lab.vera);
    expect(textOf(await vera.read(`/services/${refuge.id}/rescue`))).not.toContain('Not needed');
    expect(await act('moved-in', reservation, vera)).toContain('refused=viewer_only');
    const other = await openDeliveryDesk(server);
    const theirs = await other.freezer();
    const ida = await signedIn(server, other.lab.ada);
    expect((await ida.send(`/alarms/${failing.id}/moved-in`, { reservation })).status).toBe(404);
    const stolen = await ida.send(`/alarms/${theirs.id}/moved-in`, { reservation });
    expect(stolen.headers.get('location')).toContain('refused=no_reservation');
    expect(await free()).toBe(10);
  });
});

describe('meanwhile the refuge', () => {
  const NOTE = () => `Takes 6 racks of ${failing.name} since`;
  const atRefuge = async () => textOf(await oscar.read(`/services/${refuge.id}`));

  test('says that it takes in racks, on its page and its door card, until it does not', async () => {
    expect(await atRefuge()).not.toContain('Takes 6 racks');
    const reservation = await reserve();
    expect(await atRefuge()).toContain(NOTE());
    expect(await atRefuge()).toContain('keep the door shut');
    await ada.send('/settings/door-cards/save', { open: 'yes' });
    const passing = openVisitor(server);
    const card = async () =>
      textOf(await passing.read(doorPath(server.signer, { serviceId: refuge.id, generation: 0 })));
    expect(await card()).toContain(NOTE());
    await act('release-refuge', reservation);
    for (const look of [atRefuge, card]) expect(await look()).not.toContain('Takes 6 racks');
  });

  test('has half the time for its door; edits made meanwhile stay, and all of it ends with the reservation', async () => {
    const says = (door: number) =>
      desk.lab.post([{ device: refuge.device, time: server.clock.read().getTime(), values: { door } }]);
    await says(0);
    await server.db.query(
      sql`update channel set kind = 'state' where service_id = ${refuge.id} and name = 'door'`,
    );
    const limit = (sustained: number) =>
      desk.lab.organizationEntry({
        services: [
          {
            name: refuge.name,
            limits: [{ channel: 'door', bands: { CRITICAL_HIGH: { limit: 0.5, sustained } } }],
          },
        ],
      });
    await limit(20);
    const round = () => keepDoorsTight(server.db, server.clock.read());
    const open = async (forMinutes: number) => {
      await says(1);
      server.clock.advance(minutes(forMinutes));
      await server.road.sweep(server.clock.read());
      const [row] = await server.db.query<{ severity: string }>(
        sql`select severity from alarm_state where service_id = ${refuge.id}`,
      );
      await says(0);
      server.clock.advance(minutes(1));
      return row?.severity;
    };
    expect(await open(11)).toBe('normal');
    const reservation = await reserve();
    await Promise.all([round(), round(), round()]);
    expect(await atRefuge()).toContain('its open door is an alarm after half the time');
    expect(await open(9)).toBe('normal');
    expect(await open(11)).toBe('critical');
    await limit(40);
    expect(await open(19)).toBe('normal');
    expect(await open(21)).toBe('critical');
    await act('moved-in', reservation);
    await round();
    expect(await open(39)).toBe('normal');
    expect(await open(41)).toBe('critical');
    const [stored] = await server.db.query<{ minutes: number }>(sql`
      select sustained_minutes as minutes from limits_band join limits_version on limits_version.id = limits_version_id
      where service_id = ${refuge.id} and channel = 'door' and retired_at is null`);
    expect(stored?.minutes).toBe(40);
    const records = await server.db.query<{ action: string; by: string }>(sql`
      select action, account_name as "by" from audit where service_id = ${refuge.id} and action like 'rescue.door%' order by id`);
    expect(records).toEqual([
      { action: 'rescue.door_tightened', by: 'Tocsin' },
      { action: 'rescue.door_restored', by: 'Tocsin' },
    ]);
  });

  test('has its own time again once the week is over, and an alarm that only half the time made ends', async () => {
    await desk.lab.post([
      { device: refuge.device, time: server.clock.read().getTime(), values: { door: 0 } },
    ]);
    await server.db.query(
      sql`update channel set kind = 'state' where service_id = ${refuge.id} and name = 'door'`,
    );
    await desk.lab.organizationEntry({
      services: [
        {
          name: refuge.name,
          stale_after_minutes: 0,
          limits: [{ channel: 'door', bands: { CRITICAL_HIGH: { limit: 0.5, sustained: 60 * 24 } } }],
        },
      ],
    });
    await reserve();
    await keepDoorsTight(server.db, server.clock.read());
    server.clock.advance(hours(24 * 7 - 13));
    await desk.lab.post([
      { device: refuge.device, time: server.clock.read().getTime(), values: { door: 1 } },
    ]);
    const severity = async () =>
      (
        await server.db.query<{ severity: string }>(
          sql`select severity from alarm_state where service_id = ${refuge.id}`,
        )
      )[0]?.severity;
    server.clock.advance(hours(12.5));
    await server.road.sweep(server.clock.read());
    expect(await severity()).toBe('critical');
    server.clock.advance(hours(1));
    await keepDoorsTight(server.db, server.clock.read());
    expect(await severity()).toBe('normal');
  });
});

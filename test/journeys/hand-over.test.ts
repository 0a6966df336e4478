// Whoever has an alarm hands it to somebody else: told at once by all their ways, mine until they take it.
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { tellOverdueHandOvers } from '../../src/engine/services/overdue-hand-overs.ts';
import { type DeliveryDesk, openDeliveryDesk, type ToldFreezer } from '../support/delivery-desk.ts';
import { minutes } from '../support/movable-clock.ts';
import { textOf } from '../support/page.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import { signedIn } from '../support/visitor.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});

let desk: DeliveryDesk;
let freezer: ToldFreezer;
/** Oscar has it. Ada is in no group, and has a Telegram chat beside her mail. */
beforeEach(async () => {
  desk = await openDeliveryDesk(server, { emails: ['cold@lab.example'] });
  const { lab } = desk;
  const now = server.clock.read();
  await server.db.query(sql`
    insert into contact_method (account_id, kind, address, verified_at, created_at, only_critical)
    values (${lab.ada.id}, 'telegram', ${String(lab.ada.id)}, ${now}, ${now}, true)`);
  freezer = await desk.freezer({ send_acknowledgements: false });
  await freezer.warms();
  await desk.strike();
  await desk.strike(3_000);
  await lab.oscar.post(`/api/v1/alarms/${freezer.id}/acknowledge`);
  await desk.strike(3_000);
  desk.postbox.arrivals.length = 0;
});

const handsTo = async (to: number, by: 'oscar' | 'ada' | 'vera' | 'olga' = 'oscar') => {
  const answer = await desk.lab[by].post(`/alarms/${freezer.id}/hand-over`, { to: String(to) });
  return answer.headers.get('location') ?? String(answer.status);
};
const takes = async (who: 'oscar' | 'ada') => {
  const answer = await desk.lab[who].post(`/alarms/${freezer.id}/take-over`);
  return answer.headers.get('location') ?? String(answer.status);
};
const holder = async () =>
  (
    await server.db.query<{ by: string }>(sql`
      select account_name as "by" from acknowledgement where service_id = ${freezer.id} and ended_at is null`)
  ).map(({ by }) => by);
const told = () =>
  desk.postbox.arrivals
    .filter(({ letter }) => letter.notices[0].serviceId === freezer.id)
    .map(({ to, letter }) => `${to}: ${letter.notices[0].said}`)
    .sort();

test('the other one is told at once by every way, in no group or not, and nobody else is', async () => {
  expect(await handsTo(desk.lab.ada.id)).toContain('done=hand-over');
  await desk.strike();
  const lines = told();
  expect(lines).toHaveLength(2);
  expect(lines[0]).toContain(desk.lab.ada.email);
  expect(lines[1]).toContain('telegram');
  for (const line of lines) {
    expect(line).toContain('Oscar hands this alarm to you');
    expect(line).toContain('Temperature −40 °C is above the critical limit of −60 °C');
  }
  expect(await holder()).toEqual(['Oscar']);
});

test('one press takes it: theirs from then on, with both on record', async () => {
  await handsTo(desk.lab.ada.id);
  await desk.strike();
  const link = new URL(desk.postbox.arrivals[0]?.letter.notices[0].acknowledgeUrl ?? '').pathname;
  const ada = await signedIn(server, desk.lab.ada);
  const page = await ada.open(link);
  expect(page.status).toBe(409);
  const text = textOf(await page.text());
  expect(text).toContain('Oscar hands this alarm to you');
  expect(text).toContain('I take it');
  expect(await holder()).toEqual(['Oscar']);
  expect(await takes('ada')).toContain('done=take-over');
  expect(await holder()).toEqual(['Ada']);
  const records = await server.db.query(sql`
    select account_name as "by", action from audit
    where service_id = ${freezer.id} and action in ('alarm.hand_over', 'alarm.take_over') order by id`);
  expect(records).toEqual([
    { by: 'Oscar', action: 'alarm.hand_over' },
    { by: 'Ada', action: 'alarm.take_over' },
  ]);
  const history = textOf(await ada.read(`/services/${freezer.id}`));
  expect(history).toContain('Handed to Ada');
  expect(await takes('ada')).toContain('refused=nothing_offered');
});

test('not taken within a quarter of an hour, whoever has it is told so, once', async () => {
  await handsTo(desk.lab.ada.id);
  await desk.strike();
  desk.postbox.arrivals.length = 0;
  await tellOverdueHandOvers(server.db, server.clock.read());
  await desk.strike(minutes(15));
  expect(told()).toEqual([]);
  for (let i = 0; i < 2; i += 1) {
    await tellOverdueHandOvers(server.db, server.clock.read());
    await desk.strike(3_000);
  }
  const lines = told();
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain(desk.lab.oscar.email);
  expect(lines[0]).toContain('Ada has not taken this alarm over within 15 minutes: it is still yours');
  // Late is better than never.
  expect(await takes('ada')).toContain('done=take-over');
  expect(await holder()).toEqual(['Ada']);
});

describe('nothing is offered any more', () => {
  test.each<[what: string, act: () => Promise<unknown>]>([
    ['once it was given back', () => desk.lab.oscar.post(`/alarms/${freezer.id}/cannot-go`)],
    ['once it was undone', () => desk.lab.oscar.post(`/api/v1/alarms/${freezer.id}/unacknowledge`)],
    ['once the alarm is over', () => freezer.cools()],
    ['once it was handed to somebody else', () => handsTo(desk.lab.oscar.id)],
  ])('%s', async (what, act) => {
    await handsTo(desk.lab.ada.id);
    if (what.endsWith('else')) {
      const [row] = await server.db.query<{ id: number }>(sql`
        update membership set role = 'operator' where account_id = ${desk.lab.vera.id} returning account_id as id`);
      await handsTo(row?.id ?? 0);
    } else await act();
    expect(await takes('ada')).toContain('refused=nothing_offered');
    server.clock.advance(minutes(20));
    await tellOverdueHandOvers(server.db, server.clock.read());
  });
});

test('pressed twice it is told once, and of one alarm ten times an hour', async () => {
  const { lab } = desk;
  await Promise.all([handsTo(lab.ada.id), handsTo(lab.ada.id)]);
  await desk.strike();
  expect(told()).toHaveLength(2);
  await server.db.query(sql`update membership set role = 'operator' where account_id = ${lab.vera.id}`);
  for (let turn = 0; turn < 9; turn += 1)
    expect(await handsTo(turn % 2 === 0 ? lab.vera.id : lab.ada.id)).toContain('done=hand-over');
  expect(await handsTo(lab.ada.id)).toContain('refused=offered_too_often');
  server.clock.advance(minutes(61));
  expect(await handsTo(lab.ada.id)).toContain('done=hand-over');
});

test('only what one has is handed over, and only to those who can operate here', async () => {
  const { lab } = desk;
  for (const to of [lab.oscar.id, lab.vera.id, lab.olga.id, lab.nora.id, 0])
    expect(await handsTo(to)).toContain('refused=nobody_to_hand_to');
  expect(await handsTo(lab.oscar.id, 'ada')).toContain('refused=not_yours_to_give');
  expect(await handsTo(lab.oscar.id, 'vera')).toContain('refused=viewer_only');
  expect(await handsTo(lab.oscar.id, 'olga')).toBe('404');
  expect(await takes('ada')).toContain('refused=nothing_offered');
  await desk.strike(3_000);
  expect(told()).toEqual([]);
});

test('the page after acknowledging says what each of its buttons does, and undoing does not acknowledge again', async () => {
  const oscar = await signedIn(server, desk.lab.oscar);
  const text = textOf(await oscar.read(`/alarms/${freezer.id}/taken`));
  expect(text).toContain('−40 °C');
  expect(text).toContain('cold@lab.example is notified again at once');
  expect(text).toContain('Hand it over');
  const [link] = await server.db.query<{ token: string }>(
    sql`select token from acknowledge_link where service_id = ${freezer.id}`,
  );
  const referer = `${server.url}/acknowledge/${link?.token}`;
  const undone = await oscar.send(`/alarms/${freezer.id}/unacknowledge`, {}, { referer });
  expect(undone.headers.get('location')).toBe(`/alarms/${freezer.id}/taken?done=unacknowledge`);
  expect(await holder()).toEqual([]);
  const after = textOf(await oscar.read(`/alarms/${freezer.id}/taken`));
  expect(after).toContain('Nobody has acknowledged it');
});

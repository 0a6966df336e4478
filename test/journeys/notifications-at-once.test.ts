// Readings, people and programs at the same moment, on connections of their own: in the end everybody knows what they must.

import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { COMMAND_LINE } from '../../src/domain/accounts/requester.ts';
import { setActive } from '../../src/engine/accounts/accounts.ts';
import { formLetters } from '../../src/engine/delivery/form-letters.ts';
import { changeGroup } from '../../src/engine/groups/change-group.ts';
import { addAccounts, addEmails, removeEmail } from '../../src/engine/groups/group-recipients.ts';
import { decideDue } from '../../src/engine/outbox/decide.ts';
import { RECIPIENTS } from '../../src/engine/outbox/recipients.ts';
import type { Database, Tx } from '../../src/platform/db/database.ts';
import { type DeliveryDesk, openDeliveryDesk, type ToldFreezer } from '../support/delivery-desk.ts';
import { minutes, seconds } from '../support/movable-clock.ts';
import { refused } from '../support/postbox.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});

const SERVICES = 80;
const COLD = -80;
const WARM = -65;
const HOT = -40;

const chance = (share: number) => Math.random() < share;
const anyOf = <One>(...all: [One, ...One[]]) => all[Math.floor(Math.random() * all.length)] as One;

const readings = (freezers: ToldFreezer[], temperature: () => number) =>
  freezers.map(({ device }) => ({
    device,
    time: server.clock.read().getTime(),
    values: { temperature: temperature() },
  }));

/** Each does its work over and over until the others are done. */
function keepDoing(...works: (() => Promise<unknown>)[]) {
  let isOver = false;
  const doing = works.map(async (work) => {
    while (!isOver) await work();
  });
  return async () => {
    isOver = true;
    await Promise.all(doing);
  };
}

const decide = () => decideDue(server.db, server.clock.read());

/** Time passes, and everything arrives: storms end, so do the pauses before other attempts, and unsteady warnings are told. */
async function calmDown(desk: DeliveryDesk) {
  desk.postbox.answer = null;
  for (const ms of [2, 31, 31, 31].map(seconds)) await desk.strike(ms);
  for (const ms of [11, 1, 31, 1].map(minutes)) await desk.strike(ms);
}

/** Who does not know of an alarm that holds, at its severity, though neither mute nor acknowledgement stands against it. */
const selectUntold = ({ lab }: DeliveryDesk) =>
  server.db.query<{ service: string; recipient: string; severity: string; decisions: string[] }>(sql`
    select service.name as "service", reached.recipient, severity,
      array(select concat_ws(' ', id, episode_id, state, kind, reason) from notification
        where service_id = service.id order by id) as "decisions"
    from alarm_state state join service on service.id = service_id
    join service_settings settings using (service_id)
    join ${RECIPIENTS} as reached on group_id = notification_group_id and only_step is null
    where state.organization_id = ${lab.organization} and severity <> 'normal'
      and not exists (select from mute where mute.service_id = state.service_id and ended_at is null)
      and not exists (select from acknowledgement given
        where given.service_id = state.service_id and ended_at is null
          and (given.severity = 'CRITICAL' or lower(given.severity) = state.severity))
      and state.severity is distinct from (
        select kind from delivery join notification on notification.id = notification_id
        where notification.service_id = state.service_id and notification.episode_id = state.episode_id
          and delivery.recipient = reached.recipient and delivery.state = 'sent' and kind in ('critical', 'warning')
        order by delivery.id desc limit 1)`);

/**
 * Whether who was in the group all the time heard last of an alarm that is over. Under a mute the next alarm may come and go
 * before its end can be told.
 */
const selectUnended = ({ lab }: DeliveryDesk) =>
  server.db.query<{ service: string; recipient: string }>(sql`
    select service.name as "service", recipient from alarm_state state join service on service.id = service_id
    cross join lateral (
      select distinct on (recipient) recipient, kind from delivery join notification on notification.id = notification_id
      where notification.service_id = state.service_id and delivery.state = 'sent'
        and kind in ('critical', 'warning', 'recovery') and recipient = 'cold@lab.example'
      order by recipient, delivery.id desc) heard
    where state.organization_id = ${lab.organization} and state.severity = 'normal' and heard.kind <> 'recovery'
      and not exists (select from mute where mute.service_id = state.service_id)`);

const countDecisions = async () =>
  (await server.db.query<{ count: number }>(sql`select count(*)::int as "count" from notification`))[0]
    ?.count;

test('of alarms that recover and come back in a burst, none is left untold', async () => {
  const desk = await openDeliveryDesk(server);
  const freezers = await desk.freezers(SERVICES);
  const finish = keepDoing(decide, decide, decide);
  const gateway = async (own: ToldFreezer[]) => {
    for (const freezer of own)
      for (const temperature of [HOT, COLD, HOT]) {
        server.clock.advance(10);
        await desk.lab.post(readings([freezer], () => temperature));
      }
  };
  await Promise.all([0, 1, 2, 3].map((part) => gateway(freezers.filter((_, index) => index % 4 === part))));
  await finish();
  await calmDown(desk);
  expect(await desk.lab.alarms()).toHaveLength(SERVICES);
  expect(await selectUntold(desk)).toEqual([]);
});

test('whatever happens at the same moment, in the end nobody is left untold, and nothing goes round in circles', async () => {
  const desk = await openDeliveryDesk(server);
  const { lab, postbox, groupId } = desk;
  const freezers = await desk.freezers(40);
  await lab.group({ name: 'Day team', emails: ['day@lab.example'] });
  await server.db.transaction((tx) =>
    changeGroup(tx, server.clock.read(), (changing) => addAccounts(changing, groupId, [lab.vera.id])),
  );
  postbox.answer = () => (chance(0.2) ? refused('451 try later') : { isSent: true });
  const programs = [desk.hire(), desk.hire()];
  const finish = keepDoing(
    decide,
    decide,
    ...programs.map((program) => async () => {
      await formLetters(server.db, server.clock.read());
      await program.work();
      await program.settle();
    }),
  );
  const gateway = async () => {
    for (let round = 0; round < 40; round += 1) {
      server.clock.advance(seconds(1));
      const some = freezers.filter(() => chance(0.4));
      expect((await lab.post(readings(some, () => anyOf(COLD, WARM, HOT)))).status).toBe(200);
    }
  };
  const person = async ({ post }: typeof lab.oscar, verbs: [string, ...string[]], whose: ToldFreezer[]) => {
    for (let round = 0; round < 100; round += 1) {
      const { id } = anyOf(...(whose as [ToldFreezer]));
      expect((await post(`/api/v1/${anyOf(...verbs).replace('ID', String(id))}`)).status).toBeLessThan(500);
    }
  };
  const atSomeTime = async (changes: ((tx: Tx, now: Date) => Promise<unknown>)[]) => {
    for (let round = 0; round < 20; round += 1)
      for (const change of changes) {
        await server.db.transaction((tx) => change(tx, server.clock.read()));
        await new Promise((resolve) => setTimeout(resolve, 100 * Math.random()));
      }
  };
  const moving = async () => {
    for (let round = 0; round < 10; round += 1) {
      const { name, device } = anyOf(...(freezers.slice(0, 20) as [ToldFreezer]));
      const notifications = { group: anyOf('Cold team', 'Day team') };
      await lab.apply({ name, device: { key: device }, notifications });
    }
  };
  const acknowledging: [string, string] = ['alarms/ID/acknowledge', 'alarms/ID/unacknowledge'];
  const muting: [string, string] = ['services/ID/mute', 'services/ID/unmute'];
  await Promise.all([
    gateway(),
    gateway(),
    person(lab.oscar, acknowledging, freezers),
    person(lab.ada, muting, freezers.slice(20)),
    person(lab.oscar, muting, freezers.slice(20)),
    atSomeTime([
      (tx, now) => changeGroup(tx, now, (changing) => addEmails(changing, groupId, ['night@lab.example'])),
      (tx, now) => changeGroup(tx, now, (changing) => removeEmail(changing, groupId, 'night@lab.example')),
    ]),
    atSomeTime([
      (tx, now) => setActive(tx, COMMAND_LINE, { accountId: lab.vera.id, isActive: false }, now),
      (tx, now) => setActive(tx, COMMAND_LINE, { accountId: lab.vera.id, isActive: true }, now),
    ]),
    moving(),
  ]);
  await finish();
  await calmDown(desk);
  expect(await selectUntold(desk)).toEqual([]);
  expect(await selectUnended(desk)).toEqual([]);
  const decisions = await countDecisions();
  await calmDown(desk);
  expect(await countDecisions()).toBe(decisions);
});

describe('a program claims, and before that is committed', () => {
  /** Lets a claim do all its work, and keeps it from being committed. */
  function holdClaims() {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let isHeld = () => {};
    const held = new Promise<void>((resolve) => {
      isHeld = resolve;
    });
    const db: Database = {
      ...server.db,
      transaction: (work, access) =>
        server.db.transaction(async (tx) => {
          const value = await work(tx);
          const isClaim = typeof value === 'object' && value !== null && 'taken' in value;
          if (isClaim && (value.taken as Map<string, number>).size > 0) {
            isHeld();
            await released;
          }
          return value;
        }, access),
    };
    return { db, held, release };
  }

  async function decideAlarm(desk: DeliveryDesk) {
    const freezer = await desk.freezer();
    await freezer.warms();
    await desk.decide();
    server.clock.advance(seconds(2));
    await formLetters(server.db, server.clock.read());
    return freezer;
  }

  test('the mute it saw ends: what it drops is told all the same', async () => {
    const desk = await openDeliveryDesk(server);
    const { id } = await decideAlarm(desk);
    await desk.lab.oscar.post(`/api/v1/services/${id}/mute`);
    const { db, held, release } = holdClaims();
    const working = desk.hire({ db }).work();
    await held;
    await desk.lab.oscar.post(`/api/v1/services/${id}/unmute`);
    await desk.decide();
    release();
    await working;
    await calmDown(desk);
    expect((await desk.deliveries()).map(({ state }) => state)).toEqual(['dropped', 'sent']);
  });

  test('the alarm ends: who gets it all the same hears of its end', async () => {
    const desk = await openDeliveryDesk(server);
    const freezer = await decideAlarm(desk);
    const { db, held, release } = holdClaims();
    const program = desk.hire({ db });
    const working = program.work();
    await held;
    await freezer.cools();
    await desk.decide();
    release();
    await working;
    await program.settle();
    await calmDown(desk);
    expect(desk.postbox.arrivals.map(({ letter }) => letter.notices[0].subject)).toEqual([
      'critical',
      'recovery',
    ]);
  });

  test('the alarm ends, and the next one is told to another group: who gets it all the same hears of its end', async () => {
    const desk = await openDeliveryDesk(server);
    await desk.lab.group({ name: 'Day team', emails: ['day@lab.example'] });
    const freezer = await decideAlarm(desk);
    const { db, held, release } = holdClaims();
    const program = desk.hire({ db });
    const working = program.work();
    await held;
    await freezer.cools();
    const { name, device } = freezer;
    await desk.lab.apply({ name, device: { key: device }, notifications: { group: 'Day team' } });
    server.clock.advance(10);
    await freezer.warms();
    await desk.decide();
    release();
    await working;
    await program.settle();
    await calmDown(desk);
    expect(
      desk.postbox.arrivals.map(({ letter, to }) => `${to} ${letter.notices[0].subject}`).sort(),
    ).toEqual(['cold@lab.example critical', 'cold@lab.example recovery', 'day@lab.example critical']);
  });
});

// What one organization asks for is not paid by another: mail takes turns, and nobody is pestered through us.
import sql, { type Sql } from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { OrganizationId } from '../../src/domain/ids.ts';
import { english } from '../../src/domain/language/english.ts';
import { leaseMails } from '../../src/engine/accounts/account-mail-queries.ts';
import { claimRequest } from '../../src/engine/advice/recommendations.ts';
import { takeTurn } from '../../src/engine/journal/take-turn.ts';
import { forgetKeptMail } from '../../src/engine/mail/kept-mail.ts';
import { insertReminders, leaseReminders, type NewReminder } from '../../src/engine/reminders/reminders.ts';
import { type DeliveryDesk, openDeliveryDesk } from '../support/delivery-desk.ts';
import { type Lab, openLab } from '../support/lab.ts';
import { hours, minutes, seconds } from '../support/movable-clock.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});

test('the mail of an organization does not wait behind the storm of another', async () => {
  const emails = Array.from({ length: 300 }, (_, index) => `person-${index}@storm.example`);
  const stormy = await openDeliveryDesk(server, { emails });
  const calm = await openDeliveryDesk(server, { emails: ['calm@lab.example'] });
  const [theirs, ours] = [await stormy.freezer(), await calm.freezer()];
  await theirs.warms();
  await stormy.decide();
  server.clock.advance(seconds(5));
  await ours.warms();
  await calm.decide();
  await calm.strike(seconds(2), stormy.deliverer);

  const order = stormy.postbox.arrivals.map(({ to }) => to);
  expect(order).toHaveLength(301);
  expect(order.slice(0, 20)).toContain('calm@lab.example');
});

describe('while the work for another organization takes long', () => {
  /** Whoever wants these rows waits until it is called. */
  async function hold(rows: Sql): Promise<() => Promise<void>> {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let isHeld = () => {};
    const held = new Promise<void>((resolve) => {
      isHeld = resolve;
    });
    const holding = server.db.transaction(async (tx) => {
      await tx.query(rows);
      isHeld();
      await released;
    });
    await held;
    const letGo = async () => {
      release();
      await holding;
    };
    onTestFinished(letGo);
    return letGo;
  }

  async function openBoth() {
    const emails = Array.from({ length: 600 }, (_, index) => `person-${index}@storm.example`);
    const stormy = await openDeliveryDesk(server, { emails });
    const calm = await openDeliveryDesk(server, { emails: ['calm@lab.example'] });
    await (await stormy.freezer()).warms();
    return { stormy, calm };
  }

  const count = async (rows: Sql) => (await server.db.query(rows)).length;

  test('alarms are decided', async () => {
    const { stormy, calm } = await openBoth();
    const release = await hold(sql`
      select from notification where organization_id = ${stormy.lab.organization} for update`);
    const countDecided = ({ groupId }: DeliveryDesk) =>
      count(sql`
        select from delivery join notification on notification.id = notification_id where group_id = ${groupId}`);
    // One alarm in each of two rounds: the second finds the long work under way.
    for (const expected of [1, 2]) {
      await (await calm.freezer()).warms();
      server.clock.advance(seconds(1));
      await calm.deliverer.decide(server.clock.read());
      expect([await countDecided(calm), await countDecided(stormy)]).toEqual([expected, 0]);
    }
    await release();
    await calm.deliverer.settle();
    expect(await countDecided(stormy)).toBe(600);
  });

  test('letters are formed', async () => {
    const { stormy, calm } = await openBoth();
    await stormy.decide();
    server.clock.advance(seconds(3));
    const release = await hold(sql`
      select from delivery join notification on notification.id = notification_id
      where group_id = ${stormy.groupId} for update of delivery`);
    const countLetters = ({ groupId }: DeliveryDesk) =>
      count(sql`select from letter where group_id = ${groupId}`);
    for (const expected of [1, 2]) {
      await (await calm.freezer()).warms();
      await calm.decide();
      server.clock.advance(seconds(3));
      await calm.deliverer.form(server.clock.read());
      expect([await countLetters(calm), await countLetters(stormy)]).toEqual([expected, 0]);
    }
    await release();
    await calm.deliverer.settle();
    expect(await countLetters(stormy)).toBe(600);
  });
});

test('what is told of an organization is not decided behind a thousand of another', async () => {
  const stormy = await openDeliveryDesk(server);
  const calm = await openDeliveryDesk(server);
  const theirs = await stormy.freezers(1_100);
  const ours = await calm.freezer();
  await stormy.warmAll(theirs);
  server.clock.advance(seconds(5));
  await ours.warms();
  await calm.decide();
  const decided = await server.db.query<{ groupId: number }>(sql`
    select group_id as "groupId" from delivery join notification on notification.id = notification_id
    where group_id in (${stormy.groupId}, ${calm.groupId}) order by delivery.id`);
  expect(decided).toHaveLength(1_101);
  // One batch may have begun before.
  expect(decided.slice(0, 1_000)).toContainEqual({ groupId: calm.groupId });
});

test('time passes for an organization while that of another stands still', async () => {
  const [theirs, ours] = [await openLab(server), await openLab(server)];
  const sustained = {
    limits: [{ channel: 'temperature', bands: { CRITICAL_HIGH: { limit: -60, sustained: 5 } } }],
  };
  const [held, first, second] = [
    await theirs.freezer(sustained),
    await ours.freezer(sustained),
    await ours.freezer(sustained),
  ];
  await held.reads(-40);
  await first.reads(-40);
  server.clock.advance(minutes(1));
  await second.reads(-40);
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const holding = server.db.transaction(async (tx) => {
    await tx.query(takeTurn(theirs.organization));
    await released;
  });
  server.clock.advance(minutes(4));
  await server.road.sweep(server.clock.read(), 0);
  await expect.poll(async () => (await ours.alarms()).length).toBe(1);
  server.clock.advance(minutes(1));
  await server.road.sweep(server.clock.read(), 0);
  await expect.poll(async () => (await ours.alarms()).length).toBe(2);
  release();
  await holding;
  await server.road.sweep(server.clock.read());
  expect(await theirs.alarms()).toHaveLength(1);
});

describe('of what waits in a queue of the database', () => {
  const now = () => server.clock.read();
  const later = () => new Date(now().getTime() + minutes(5));
  let theirs: Lab;
  let ours: Lab;
  beforeEach(async () => {
    [theirs, ours] = [await openLab(server), await openLab(server)];
  });

  test('requests for limits take turns', async () => {
    for (const lab of [theirs, theirs, theirs, ours]) {
      const { id } = await lab.freezer();
      expect((await lab.ada.post(`/api/v1/services/${id}/recommend`)).status).toBe(200);
    }
    const turns: OrganizationId[] = [];
    for (let claim = 0; claim < 4; claim += 1) {
      const request = await claimRequest(server.db, now(), minutes(5), turns);
      if (request) turns.push(request.organizationId);
    }
    expect(turns).toEqual([theirs.organization, ours.organization, theirs.organization, theirs.organization]);
  });

  test('reminders take turns', async () => {
    const remind = (lab: Lab, about: string): NewReminder => ({
      accountId: lab.ada.id,
      organizationId: lab.organization,
      kind: 'muted',
      language: english,
      about,
      words: { subject: 'Muted', lines: [], button: 'Open' },
    });
    const many = Array.from({ length: 30 }, (_, index) => remind(theirs, String(index)));
    await insertReminders(server.db, [...many, remind(ours, 'one')], now());
    const leased = await leaseReminders(server.db, 10, later(), now());
    expect(leased.map(({ organizationId }) => organizationId)).toContain(ours.organization);
  });

  test('who forgot a password waits for no invitations', async () => {
    const invite = (index: number) =>
      theirs.ada.post('/settings/members/invite', {
        email: `guest-${index}@invited.example`,
        name: 'Guest',
        role: 'viewer',
      });
    for (let index = 0; index < 12; index += 1) expect((await invite(index)).status).toBe(303);
    await ours.vera.post('/forgot-password', { email: ours.vera.email });
    const leased = await server.db.transaction((tx) => leaseMails(tx, 10, later(), now()));
    expect(leased).toHaveLength(10);
    expect(leased.map(({ email }) => email)).toContain(ours.vera.email);
  });

  test('mail that is kept of one makes no room of another’s', async () => {
    const keep = (lab: Lab, count: number) =>
      server.db.query(sql`
        insert into kept_mail (mail_id, organization_id, recipient, subject, text_body, html_body, created_at)
        select ${lab.organizationName} || number, ${lab.organization}, 'cold@lab.example', 'Alarm', '', '', ${now()}
        from generate_series(1, ${count}::int) as number`);
    await keep(ours, 1);
    await keep(theirs, 2_003);
    await forgetKeptMail(server.db, now());
    const [left] = await server.db.query<{ ours: number; theirs: number }>(sql`
      select count(*) filter (where organization_id = ${ours.organization})::int as ours,
        count(*) filter (where organization_id = ${theirs.organization})::int as theirs from kept_mail`);
    expect(left).toEqual({ ours: 1, theirs: 2_000 });
  });
});

const TOO_MANY = 'Enough tests, drills and invitations went to addresses that nobody has confirmed';

describe('addresses that nobody has confirmed', () => {
  let desk: DeliveryDesk;
  let settings: string;
  beforeEach(async () => {
    desk = await openDeliveryDesk(server, { emails: ['vouched@lab.example'] });
    settings = `/settings/groups/${desk.groupId}`;
  });
  const test10 = async () => {
    for (let count = 0; count < 10; count += 1)
      expect((await desk.lab.ada.post(`${settings}/test`)).status).toBe(303);
  };

  test('get ten tests and drills in an hour; alarms leave all the same', async () => {
    const freezer = await desk.freezer();
    await desk.lab.ada.post(`${settings}/add-email`, { email: 'stranger@elsewhere.example' });
    await test10();
    const refused = await desk.lab.ada.post(`${settings}/test`);
    expect(refused.status).toBe(422);
    expect(await refused.text()).toContain(TOO_MANY);
    const drill = await desk.lab.ada.post(`/services/${freezer.id}/drill`);
    expect(drill.status).toBe(409);
    expect(await drill.text()).toContain(TOO_MANY);

    await freezer.warms();
    await desk.decide();
    expect(
      (await desk.deliveries()).filter(({ recipient }) => recipient === 'stranger@elsewhere.example'),
    ).toHaveLength(11);
    server.clock.advance(hours(1) + minutes(1));
    expect((await desk.lab.ada.post(`${settings}/test`)).status).toBe(303);
  });

  test('are not those of the lab file, nor of people who chose a password', async () => {
    await desk.lab.ada.post(`${settings}/add-email`, { email: desk.lab.vera.email });
    await test10();
    expect((await desk.lab.ada.post(`${settings}/test`)).status).toBe(303);
  });

  test('become so by the lab file', async () => {
    await desk.lab.ada.post(`${settings}/add-email`, { email: 'later@lab.example' });
    await desk.lab.group({ name: 'Cold team', emails: ['later@lab.example'] });
    await test10();
    expect((await desk.lab.ada.post(`${settings}/test`)).status).toBe(303);
  });

  test('are invited fifty times an hour, however many ask at once', async () => {
    const invite = (index: number) =>
      desk.lab.ada.post('/settings/members/invite', {
        email: `guest-${index}@crowd.example`,
        name: 'Guest',
        role: 'viewer',
      });
    const answers = await Promise.all(Array.from({ length: 60 }, (_, index) => invite(index)));
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(50);
    const [refused] = answers.filter(({ status }) => status !== 303);
    expect(await refused?.text()).toContain('Enough invitations and tests were sent for now');
    const [row] = await server.db.query<{ mails: number; invited: number }>(sql`
      select (select count(*)::int from account_mail join account on account.id = account_id
          where email like '%@crowd.example') as "mails",
        (select count(*)::int from account where email like '%@crowd.example') as "invited"`);
    expect(row).toEqual({ mails: 50, invited: 50 });
  });
});

// From the decision to tell to the recipient: letters, digests, and what is left out at the last moment.
import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import type { OrganizationId } from '../../src/domain/ids.ts';
import { forgetTold } from '../../src/engine/outbox/forget-told.ts';
import { tellTest } from '../../src/engine/outbox/send-test.ts';
import { openDeliveryDesk, type ToldFreezer } from '../support/delivery-desk.ts';
import { hours, minutes, seconds } from '../support/movable-clock.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});

const CHAT = { kind: 'generic', url: 'https://chat.example/hook' };

describe('an alarm', () => {
  test('reaches everybody in the group after two seconds, each by a letter of his own, once', async () => {
    const desk = await openDeliveryDesk(server, {
      emails: ['a@lab.example', 'b@lab.example'],
      webhooks: [CHAT],
    });
    const freezer = await desk.freezer();
    await freezer.warms();
    await desk.strike();
    await desk.strike(seconds(1.9));
    expect(desk.postbox.tellAll()).toEqual([]);
    await desk.strike(seconds(0.1));
    expect(desk.postbox.tellAll().sort()).toEqual([
      'a@lab.example: Freezer 1',
      'b@lab.example: Freezer 1',
      'https://chat.example/hook: Freezer 1',
    ]);
    expect(new Set(desk.postbox.arrivals.map(({ letter }) => letter.id)).size).toBe(3);
    expect(desk.postbox.arrivals[0]?.letter.notices[0]).toMatchObject({
      subject: 'critical',
      severity: 'critical',
      serviceUrl: `https://tocsin.lab.example/services/${freezer.id}`,
    });
    await desk.strike(seconds(60));
    await desk.strike(hours(2));
    expect(desk.postbox.arrivals).toHaveLength(3);
    for (const delivery of await desk.deliveries())
      expect(delivery).toMatchObject({ state: 'sent', attempts: 1, lastError: null });
  });

  test('is told to a member in his own name and zone', async () => {
    const desk = await openDeliveryDesk(server, {});
    await server.db.query(sql`
      insert into notification_group_account (group_id, account_id) values (${desk.groupId}, ${desk.lab.vera.id})`);
    const recipients: unknown[] = [];
    const deliverer = desk.hire({
      transports: {
        ...desk.postbox.transports,
        email: {
          async send(_, { address, account }) {
            recipients.push({ address, account });
            return { isSent: true };
          },
        },
      },
    });
    await (await desk.freezer()).warms();
    await desk.strike(0, deliverer);
    await desk.strike(seconds(2), deliverer);
    expect(recipients).toEqual([
      { address: desk.lab.vera.email, account: { name: 'Vera', timeZone: 'Europe/Berlin' } },
    ]);
  });

  test('that was acknowledged while it was held pages nobody, and the reason is on record', async () => {
    const desk = await openDeliveryDesk(server);
    const freezer = await desk.freezer();
    await freezer.warms();
    await desk.strike();
    expect((await desk.lab.oscar.post(`/api/v1/alarms/${freezer.id}/acknowledge`)).status).toBe(200);
    await desk.strike(seconds(2));
    expect(desk.postbox.arrivals).toEqual([]);
    expect(await desk.deliveries()).toMatchObject([
      { state: 'dropped', attempts: 0, dropReason: expect.stringMatching(/acknowledged/i) },
    ]);
  });

  test('that recovered while its mail could not leave is not told afterwards', async () => {
    const desk = await openDeliveryDesk(server);
    const freezer = await desk.freezer();
    desk.postbox.answer = () => ({
      isSent: false,
      error: 'down',
      retryAfterMs: null,
      isGone: false,
    });
    await freezer.warms();
    await desk.strike();
    await desk.strike(seconds(2));
    expect(desk.postbox.arrivals).toHaveLength(1);
    await freezer.cools();
    desk.postbox.answer = null;
    await desk.strike(seconds(5));
    await desk.strike(minutes(5));
    expect(desk.postbox.arrivals).toHaveLength(1);
    // Nor is the recovery, to somebody who never heard of the alarm.
    expect(await desk.deliveries()).toMatchObject([
      { state: 'dropped', attempts: 1, dropReason: 'Recovered meanwhile' },
    ]);
  });

  test('whose group is removed while it is held is dropped, and nothing waits for ever', async () => {
    const desk = await openDeliveryDesk(server);
    await (await desk.freezer()).warms();
    await desk.strike();
    await server.db.query(sql`delete from notification_group where id = ${desk.groupId}`);
    await desk.strike(seconds(2));
    expect(await desk.deliveries()).toMatchObject([{ state: 'dropped', dropReason: 'The group is gone' }]);
  });

  test('is not told to somebody who left the group meanwhile', async () => {
    const desk = await openDeliveryDesk(server, { emails: ['stays@lab.example', 'leaves@lab.example'] });
    await (await desk.freezer()).warms();
    await desk.strike();
    await server.db.query(sql`delete from notification_group_email where email = 'leaves@lab.example'`);
    await desk.strike(seconds(2));
    expect(desk.postbox.tellAll()).toEqual(['stays@lab.example: Freezer 1']);
    expect(await desk.deliveries()).toContainEqual(
      expect.objectContaining({ recipient: 'leaves@lab.example', state: 'dropped' }),
    );
  });
});

describe('who belongs to the organization no longer', () => {
  const joinVera = async () => {
    const desk = await openDeliveryDesk(server);
    await server.db.query(sql`
      insert into notification_group_account (group_id, account_id) values (${desk.groupId}, ${desk.lab.vera.id})`);
    return desk;
  };
  const dismiss = (accountId: number) =>
    server.db.query(sql`delete from membership where account_id = ${accountId}`);

  test('is not told, whatever the group says', async () => {
    const desk = await joinVera();
    await dismiss(desk.lab.vera.id);
    await (await desk.freezer()).warms();
    await desk.strike();
    await desk.strike(seconds(2));
    expect(await desk.deliveries()).toMatchObject([{ recipient: 'cold@lab.example', state: 'sent' }]);
  });

  test('is not sent what was on its way', async () => {
    const desk = await joinVera();
    await (await desk.freezer()).warms();
    await desk.strike();
    await dismiss(desk.lab.vera.id);
    await desk.strike(seconds(2));
    expect(desk.postbox.tellAll()).toEqual(['cold@lab.example: Freezer 1']);
    expect(await desk.deliveries()).toContainEqual(
      expect.objectContaining({ state: 'dropped', dropReason: 'No longer reached through the group' }),
    );
  });
});

describe('a storm', () => {
  test('five alarms are five letters', async () => {
    const desk = await openDeliveryDesk(server);
    await desk.warmAll(await desk.freezers(5));
    await desk.strike();
    await desk.strike(seconds(2));
    expect(desk.postbox.arrivals.map(({ letter }) => letter.notices.length)).toEqual([1, 1, 1, 1, 1]);
  });

  test('six are one digest for each recipient, worst first', async () => {
    const desk = await openDeliveryDesk(server, { emails: ['a@lab.example'], webhooks: [CHAT] });
    const freezers = await desk.freezers(6);
    await desk.lab.post(
      freezers.map(({ device }, index) => ({ device, values: { temperature: index < 4 ? -65 : -40 } })),
    );
    await desk.strike();
    await desk.strike(seconds(2));
    expect(desk.postbox.arrivals.map(({ to }) => to).sort()).toEqual(['a@lab.example', CHAT.url]);
    for (const { letter } of desk.postbox.arrivals) {
      expect(letter.notices.map(({ subject }) => subject)).toEqual([
        ...['critical', 'critical'],
        ...['warning', 'warning', 'warning', 'warning'],
      ]);
    }
  });

  test('takes no test along, even one that another program is just sending', async () => {
    const desk = await openDeliveryDesk(server);
    await desk.warmAll(await desk.freezers(6));
    await desk.strike();
    const { groupId } = desk;
    const [group] = await server.db.query<{ organizationId: OrganizationId }>(sql`
      select organization_id as "organizationId" from notification_group where id = ${groupId}`);
    const organizationId = group?.organizationId as OrganizationId;
    await server.db.transaction((tx) =>
      tellTest(tx, { groupId, organizationId, authorName: 'Ada' }, server.clock.read()),
    );
    const sizes = () => desk.postbox.arrivals.map(({ letter }) => letter.notices.length);
    await server.db.transaction(async (tx) => {
      await tx.query(sql`select from delivery where service_id is null for update`);
      await desk.strike(seconds(2));
      expect(sizes()).toEqual([6]);
    });
    await desk.strike();
    expect(sizes()).toEqual([6, 1]);
  });

  test('PagerDuty, which resolves alarm by alarm, gets no digest', async () => {
    const url = 'https://events.pagerduty.example/v2/enqueue';
    const desk = await openDeliveryDesk(server, {
      webhooks: [CHAT, { kind: 'pagerduty', url, secret: 'R0uting' }],
    });
    await desk.warmAll(await desk.freezers(6));
    await desk.strike();
    await desk.strike(seconds(2));
    const sizesTo = (receiver: string) =>
      desk.postbox.arrivals.flatMap(({ to, letter }) => (to === receiver ? [letter.notices.length] : []));
    expect(sizesTo(CHAT.url)).toEqual([6]);
    expect(sizesTo(url)).toEqual([1, 1, 1, 1, 1, 1]);
  });

  test('those that join later follow as one digest every 30 seconds, until it is calm', async () => {
    const desk = await openDeliveryDesk(server);
    const freezers = await desk.freezers(12);
    const sizes = () => desk.postbox.arrivals.map(({ letter }) => letter.notices.length);
    await desk.warmAll(freezers.slice(0, 6));
    await desk.strike();
    await desk.strike(seconds(2));
    await desk.warmAll(freezers.slice(6, 8));
    await desk.strike(seconds(5));
    await freezers[8]?.warms();
    await desk.strike(seconds(24));
    expect(sizes()).toEqual([6]);
    await desk.strike(seconds(1));
    expect(sizes()).toEqual([6, 3]);
    await freezers[9]?.warms();
    await desk.strike(seconds(1));
    await desk.strike(seconds(29));
    expect(sizes()).toEqual([6, 3, 1]);
    await desk.strike(seconds(30));
    await desk.warmAll(freezers.slice(10));
    await desk.strike();
    await desk.strike(seconds(2));
    expect(sizes()).toEqual([6, 3, 1, 1, 1]);
  });

  test('is a matter of one group: others are told at once', async () => {
    const [stormy, calm] = [await openDeliveryDesk(server), await openDeliveryDesk(server)];
    const freezers = await stormy.freezers(7);
    const quiet = await calm.freezer();
    await stormy.warmAll(freezers.slice(0, 6));
    await stormy.strike();
    await stormy.strike(seconds(2));
    await freezers[6]?.warms();
    await quiet.warms();
    await calm.strike();
    await calm.strike(seconds(2));
    expect(calm.postbox.tellAll()).toEqual(['cold@lab.example: Freezer 1']);
    expect(stormy.postbox.arrivals).toHaveLength(1);
  });
});

test('what was told long ago is forgotten, except what runs, waits, or was not sent yet', async () => {
  const desk = await openDeliveryDesk(server);
  const [first, second] = (await desk.freezers(2)) as [ToldFreezer, ToldFreezer];
  const relive = async (freezer: ToldFreezer, program: () => Promise<void>) => {
    for (const happens of [freezer.warms, freezer.cools, freezer.warms]) {
      server.clock.advance(seconds(10));
      await happens();
      await program();
    }
  };
  await relive(first, async () => {
    await desk.strike();
    await desk.strike(seconds(2));
  });
  await relive(second, desk.decide);
  const count = async (freezer: ToldFreezer) =>
    (
      await server.db.query(sql`
        select (select count(*) from notification where service_id = ${freezer.id})::int as "notifications",
          (select count(*) from delivery where service_id = ${freezer.id})::int as "deliveries",
          (select count(*) from letter where group_id = ${desk.groupId})::int as "letters",
          (select count(*) from acknowledge_link where service_id = ${freezer.id})::int as "links"`)
    )[0];
  expect(await count(first)).toEqual({ notifications: 3, deliveries: 3, letters: 3, links: 2 });
  // Its recovery waits to see whether the alarm arrives.
  expect(await count(second)).toMatchObject({ notifications: 3, deliveries: 2, links: 2 });

  const later = (days: number) => new Date(server.clock.read().getTime() + days * hours(24));
  await forgetTold(server.db, later(399), 400);
  expect(await count(first)).toEqual({ notifications: 3, deliveries: 3, letters: 3, links: 2 });
  while ((await forgetTold(server.db, later(401), 400)) > 0);
  expect(await count(first)).toEqual({ notifications: 1, deliveries: 1, letters: 1, links: 1 });
  expect(await count(second)).toMatchObject({ notifications: 2, deliveries: 2, links: 2 });
});

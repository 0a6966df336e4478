// Letters that do not arrive at once: when they are tried again, when they are given up, and who sees it.
import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { enrolProgram, type Program } from '../../src/engine/self-watch/programs.ts';
import { type DeliveryDesk, openDeliveryDesk } from '../support/delivery-desk.ts';
import { hours, minutes, seconds } from '../support/movable-clock.ts';
import { refused } from '../support/postbox.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
let program: Program;
beforeAll(async () => {
  server = await startServer();
  program = enrolProgram(server.db, ['engine', 'deliver'], server.clock.read());
});

async function warmOne(desk: DeliveryDesk) {
  const freezer = await desk.freezer();
  await freezer.warms();
  await desk.strike();
  await desk.strike(seconds(2));
  return freezer;
}

/** Strikes often enough that nothing that is due is missed, and tells when attempts were made, in seconds from the first. */
async function strikeFor(desk: DeliveryDesk, ms: number, step: number) {
  for (let passed = 0; passed < ms; passed += step) await desk.strike(step);
}

const attemptsOf = ({ postbox }: DeliveryDesk) => {
  const [first] = postbox.arrivals;
  return postbox.arrivals.map(({ at }) => (at.getTime() - (first?.at.getTime() ?? 0)) / 1000);
};

const outboxHealth = async (desk: DeliveryDesk) => {
  await program.beat(server.clock.read());
  const answer = await desk.lab.vera.get('/api/v1/health/detailed');
  return ((await answer.json()) as { components: { outbox: unknown } }).components.outbox;
};

test('the first retry comes after five seconds, with the same id; then it has arrived', async () => {
  const desk = await openDeliveryDesk(server);
  desk.postbox.answer = () => refused('451 try later');
  await warmOne(desk);
  expect(await desk.deliveries()).toMatchObject([
    { state: 'queued', attempts: 1, lastError: '451 try later', sentAt: null },
  ]);
  await desk.strike(seconds(4.9));
  expect(desk.postbox.arrivals).toHaveLength(1);
  desk.postbox.answer = null;
  await desk.strike(seconds(0.1));
  await desk.strike(minutes(1));
  const ids = desk.postbox.arrivals.map(({ letter }) => letter.id);
  expect(ids).toEqual([ids[0], ids[0]]);
  expect(await desk.deliveries()).toMatchObject([{ state: 'sent', attempts: 2, lastError: null }]);
});

test('a mail server that is down for an hour: nothing is lost, and health says so meanwhile', async () => {
  const desk = await openDeliveryDesk(server);
  desk.postbox.answer = () => refused('connect ECONNREFUSED');
  await warmOne(desk);
  for (let passed = 0; passed < minutes(2); passed += seconds(10)) {
    await desk.strike(seconds(10));
    await program.beat(server.clock.read());
  }
  expect(await outboxHealth(desk)).toMatchObject({
    status: 'degraded',
    reason: expect.stringContaining('No mail leaves: one has been tried in vain for 1 minute 50 seconds'),
    undelivered: 1,
    lag_seconds: 0,
  });
  await strikeFor(desk, minutes(58), minutes(1));
  desk.postbox.answer = null;
  const attempts = desk.postbox.arrivals.length;
  await strikeFor(desk, hours(1.2), minutes(1));
  expect(desk.postbox.arrivals).toHaveLength(attempts + 1);
  expect(await desk.deliveries()).toMatchObject([{ state: 'sent' }]);
  expect(await outboxHealth(desk)).toMatchObject({ status: 'ok', undelivered: 0 });
});

const HOUR = 60 * 60;

describe('an alarm', () => {
  test('is tried again for as long as it lasts, with pauses that grow to an hour, and seen to fail', async () => {
    const desk = await openDeliveryDesk(server);
    desk.postbox.answer = () => refused('403 Forbidden');
    const freezer = await warmOne(desk);
    await strikeFor(desk, minutes(3), seconds(5));
    expect(await outboxHealth(desk)).toMatchObject({ status: 'degraded', failing: 1, failed_last_24h: 0 });
    await strikeFor(desk, hours(28), minutes(10));
    const attempts = attemptsOf(desk);
    const pauses = attempts.slice(1).map((at, index) => at - (attempts[index] as number));
    expect(pauses[0]).toBe(5);
    for (const [index, pause] of pauses.slice(1).entries()) {
      expect(pause).toBeGreaterThan((pauses[index] as number) * 0.8);
      expect(pause).toBeLessThan(1.2 * HOUR);
    }
    expect(attempts.at(-1)).toBeGreaterThan(26 * HOUR);
    const page = await (await desk.lab.oscar.get(`/services/${freezer.id}/notifications`)).text();
    expect(page).toContain(`Failing after ${attempts.length} attempts: 403 Forbidden. Next attempt`);
    desk.postbox.answer = null;
    await strikeFor(desk, hours(1.2), minutes(10));
    expect(await desk.deliveries()).toMatchObject([{ state: 'sent', attempts: attempts.length + 1 }]);
    expect(await outboxHealth(desk)).toMatchObject({ failing: 0 });
  });

  test('that has not arrived yet is not repeated beside itself; repeats count from its arrival', async () => {
    const desk = await openDeliveryDesk(server);
    desk.postbox.answer = () => refused('404 Not Found');
    const freezer = await desk.freezer({ repeat_interval_minutes: 60 });
    await freezer.warms();
    await strikeFor(desk, hours(5), minutes(2));
    expect(await desk.deliveries()).toMatchObject([{ state: 'queued' }]);
    desk.postbox.answer = null;
    desk.postbox.arrivals.length = 0;
    while (desk.postbox.arrivals.length === 0) await desk.strike(minutes(2));
    const [first, ...others] = desk.postbox.arrivals;
    expect([first?.letter.notices[0].isRepeat, others]).toEqual([false, []]);
    await strikeFor(desk, hours(1.2), minutes(2));
    expect(desk.postbox.arrivals.map(({ letter }) => letter.notices[0].isRepeat)).toEqual([false, true]);
    await freezer.cools();
    await strikeFor(desk, minutes(1), seconds(10));
  });

  test('that is acknowledged is tried no more', async () => {
    const desk = await openDeliveryDesk(server);
    desk.postbox.answer = () => refused('401 Unauthorized');
    const { id } = await warmOne(desk);
    await strikeFor(desk, minutes(1), seconds(5));
    const attempts = desk.postbox.arrivals.length;
    expect((await desk.lab.oscar.post(`/api/v1/alarms/${id}/acknowledge`)).status).toBe(200);
    await strikeFor(desk, hours(3), minutes(10));
    expect(desk.postbox.arrivals).toHaveLength(attempts);
    expect(await desk.deliveries()).toMatchObject([{ state: 'dropped', attempts }]);
  });
});

describe('what is no alarm', () => {
  /** The alarm has arrived; its recovery does not. */
  async function refuseRecovery(desk: DeliveryDesk) {
    const freezer = await warmOne(desk);
    desk.postbox.answer = () => refused('404 Not Found');
    desk.postbox.arrivals.length = 0;
    await freezer.cools();
    await desk.strike();
    await desk.strike(seconds(2));
    return freezer;
  }

  test('is given up after a day, and visible; it is not made anew', async () => {
    const desk = await openDeliveryDesk(server);
    const { id } = await refuseRecovery(desk);
    await strikeFor(desk, minutes(3), seconds(5));
    await strikeFor(desk, hours(25), minutes(10));
    const attempts = attemptsOf(desk);
    expect(attempts.length).toBeLessThan(16);
    expect(attempts.at(-1)).toBeGreaterThanOrEqual(24 * HOUR);
    await desk.strike(hours(1));
    expect(await desk.deliveries()).toMatchObject([
      { state: 'sent' },
      { state: 'failed', attempts: attempts.length, lastError: '404 Not Found' },
    ]);
    expect(await outboxHealth(desk)).toMatchObject({
      status: 'degraded',
      failing: 0,
      failed_email_last_24h: 1,
    });
    const page = await (await desk.lab.oscar.get(`/services/${id}/notifications`)).text();
    expect(page).toContain(`Failed after ${attempts.length} attempts: 404 Not Found`);
    await desk.strike(hours(24));
    expect(await outboxHealth(desk)).toMatchObject({ failed_email_last_24h: 0 });
  });

  test('ends after a day also in a digest that is tried again for the alarms in it', async () => {
    const desk = await openDeliveryDesk(server);
    const one = await warmOne(desk);
    const others = await desk.freezers(6);
    desk.postbox.answer = () => refused('503');
    await desk.lab.post([
      { device: one.device, time: server.clock.read().getTime(), values: { temperature: -80 } },
      ...others.map(({ device }) => ({
        device,
        time: server.clock.read().getTime(),
        values: { temperature: -40 },
      })),
    ]);
    await strikeFor(desk, hours(26), minutes(10));
    const states = async () => (await desk.deliveries()).map(({ state }) => state);
    expect((await states()).sort()).toEqual(['failed', ...Array(6).fill('queued'), 'sent']);
    desk.postbox.answer = null;
    await strikeFor(desk, hours(1.2), minutes(10));
    expect((await states()).sort()).toEqual(['failed', ...Array(7).fill('sent')]);
  });
});

test('Retry-After is honoured', async () => {
  const desk = await openDeliveryDesk(server);
  desk.postbox.answer = () => refused('429', { retryAfterMs: seconds(90) });
  await warmOne(desk);
  await desk.strike(seconds(89));
  expect(desk.postbox.arrivals).toHaveLength(1);
  desk.postbox.answer = null;
  await desk.strike(seconds(1));
  expect(desk.postbox.arrivals).toHaveLength(2);
});

describe('a receiver that is gone', () => {
  test('disables its webhook, on record, and nobody calls it again', async () => {
    const url = 'https://gone.example/hook';
    const desk = await openDeliveryDesk(server, {
      emails: ['a@lab.example'],
      webhooks: [{ kind: 'generic', url }],
    });
    desk.postbox.answer = ({ to }) => (to === url ? refused('410 Gone', { isGone: true }) : { isSent: true });
    const [one, other] = await desk.freezers(2);
    await one?.warms();
    await desk.strike();
    await desk.strike(seconds(2));
    const [webhook] = await server.db.query<{ id: number; disabledAt: Date | null }>(sql`
      select id, disabled_at as "disabledAt" from notification_group_webhook where url = ${url}`);
    expect(webhook?.disabledAt).toEqual(server.clock.read());
    expect(await outboxHealth(desk)).toMatchObject({ status: 'degraded', failed_webhook_last_24h: 1 });
    const page = await (await desk.lab.ada.get(`/settings/groups/${desk.groupId}`)).text();
    expect(page).toContain('The receiver answered 410: it is gone for good');
    const audits = await server.db.query(sql`
      select account_name, detail from audit where action = 'group.webhook.disable'`);
    expect(audits).toEqual([
      {
        account_name: 'delivery',
        detail: expect.objectContaining({ webhook: webhook?.id, kind: 'generic', group: 'Cold team' }),
      },
    ]);
    await other?.warms();
    await desk.strike();
    await desk.strike(seconds(2));
    expect(desk.postbox.arrivals.filter(({ to }) => to === url)).toHaveLength(1);
    expect(desk.postbox.arrivals.filter(({ to }) => to === 'a@lab.example')).toHaveLength(2);
  });
});

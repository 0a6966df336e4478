// Letters that do not arrive at once: when they are tried again, when they are given up, and who sees it.
import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { type DeliveryDesk, openDeliveryDesk } from '../support/delivery-desk.ts';
import { hours, minutes, seconds } from '../support/movable-clock.ts';
import { refused } from '../support/postbox.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ dataDir: '/' });
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

const outboxHealth = async (desk: DeliveryDesk) =>
  ((await (await desk.lab.vera.get('/api/v1/health/detailed')).json()) as { components: { outbox: unknown } })
    .components.outbox;

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
  await strikeFor(desk, minutes(6), seconds(10));
  expect(await outboxHealth(desk)).toMatchObject({
    status: 'degraded',
    reason: 'No mail leaves: see the last errors of the deliveries',
    undelivered: 1,
    lag_seconds: 0,
  });
  await strikeFor(desk, minutes(54), minutes(1));
  desk.postbox.answer = null;
  const attempts = desk.postbox.arrivals.length;
  await strikeFor(desk, hours(1.2), minutes(1));
  expect(desk.postbox.arrivals).toHaveLength(attempts + 1);
  expect(await desk.deliveries()).toMatchObject([{ state: 'sent' }]);
  expect(await outboxHealth(desk)).toMatchObject({ status: 'ok', undelivered: 0 });
});

test('pauses grow, and after a day the letter is given up and visible', async () => {
  const desk = await openDeliveryDesk(server);
  desk.postbox.answer = () => refused('timed out');
  await warmOne(desk);
  await strikeFor(desk, minutes(3), seconds(5));
  await strikeFor(desk, hours(25), minutes(5));
  const attempts = attemptsOf(desk);
  const pauses = attempts.slice(1).map((at, index) => at - (attempts[index] as number));
  expect(pauses[0]).toBe(5);
  // The last one may be cut short by the end of the day.
  for (const [index, pause] of pauses.slice(1, -1).entries())
    expect(pause).toBeGreaterThan((pauses[index] as number) * 0.8);
  expect(attempts.length).toBeLessThan(16);
  expect(attempts.at(-1)).toBeGreaterThanOrEqual(24 * 60 * 60);
  expect(await desk.deliveries()).toMatchObject([
    { state: 'failed', attempts: attempts.length, lastError: 'timed out' },
  ]);
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

test('what can never arrive fails at once, and shows in health by transport', async () => {
  const desk = await openDeliveryDesk(server);
  const before = (await outboxHealth(desk)) as { failed_email_last_24h: number };
  desk.postbox.answer = () => refused('550 no such user', { isFinal: true });
  await warmOne(desk);
  await desk.strike(hours(1));
  expect(desk.postbox.arrivals).toHaveLength(1);
  expect(await desk.deliveries()).toMatchObject([{ state: 'failed', lastError: '550 no such user' }]);
  expect(await outboxHealth(desk)).toMatchObject({
    status: 'degraded',
    reason: 'Messages could not be delivered',
    failed_email_last_24h: before.failed_email_last_24h + 1,
  });
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

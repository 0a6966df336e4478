// One organization's receivers take as long as they like; the letters of another leave meanwhile. Real receivers.
import sql from 'sql-template-tag';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Deliverer, DelivererDeps } from '../../src/engine/delivery/deliverer.ts';
import { NO_PROVIDERS } from '../../src/engine/providers/providers.ts';
import { createMethodTransport } from '../../src/engine/transports/method/method.ts';
import { createWebhookTransport } from '../../src/engine/transports/webhook/webhook.ts';
import { type DeliveryDesk, openDeliveryDesk } from '../support/delivery-desk.ts';
import { minutes, seconds } from '../support/movable-clock.ts';
import type { Person } from '../support/people.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import {
  answers,
  neverAnswers,
  startWebhookReceiver,
  type WebhookReceiver,
} from '../support/webhook-receiver.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});

const publicUrl = () => 'https://tocsin.lab.example';
/** Nothing that hangs ends while a test runs: what is served meanwhile is served beside it. */
const timeoutMs = minutes(10);
const guard = {
  allowPrivate: true,
  // Whatever the name, it is here.
  resolve: async () => [{ address: '127.0.0.1', family: 4 }],
  timeoutMs,
};
const method = createMethodTransport({
  ...guard,
  settings: () => ({ providers: NO_PROVIDERS, publicUrl: publicUrl() }),
});

/** What is under way when the test ends is broken off. */
function hire(desk: DeliveryDesk, overrides: Partial<DelivererDeps> = {}) {
  const webhook = createWebhookTransport({ ...guard, publicUrl });
  const transports = { ...desk.postbox.transports, webhook, method };
  const program = desk.hire({ transports, finishWithinMs: 0, timeoutMs, ...overrides });
  onTestFinished(() => program.leave());
  return program;
}

const toldBy = (person: Person, addresses: string[]) =>
  server.db.query(sql`
    insert into contact_method (account_id, kind, address, verified_at, created_at)
    select ${person.id}, 'ntfy', address, ${server.clock.read()}, ${server.clock.read()}
    from unnest(${addresses}::text[]) as given (address)`);

async function openPersonDesk(topics: string[]): Promise<DeliveryDesk> {
  const desk = await openDeliveryDesk(server, {});
  await desk.lab.group({ name: 'Cold team', accounts: [desk.lab.oscar.email] });
  await toldBy(desk.lab.oscar, topics);
  return desk;
}

/** Round after round, as by the clock: one that was under way already may have looked before there was a letter. */
const untilReceived = (program: Deliverer, count: () => number) =>
  expect
    .poll(async () => {
      await program.work();
      return count();
    })
    .toBeGreaterThan(0);

/** First A's alarm, whose letters are under way; then B's, which arrives although none of A's ends. */
async function alarmBoth(
  theirs: { desk: DeliveryDesk; receiver: WebhookReceiver },
  ours: { desk: DeliveryDesk; receiver: WebhookReceiver },
) {
  const program = hire(ours.desk);
  for (const { desk, receiver } of [theirs, ours]) {
    await (await desk.freezer()).warms();
    await desk.decide();
    server.clock.advance(seconds(2));
    await program.form(server.clock.read());
    await untilReceived(program, () => receiver.received.length);
  }
}

test('people of A chose receivers that do not answer: who is told of B by the same kind hears of it', async () => {
  const slow = await startWebhookReceiver(neverAnswers);
  const quick = await startWebhookReceiver(answers(200));
  const theirs = await openPersonDesk(Array.from({ length: 20 }, (_, index) => `${slow.url}/topic-${index}`));
  const ours = await openPersonDesk([`${quick.url}/cold-team`]);
  await alarmBoth({ desk: theirs, receiver: slow }, { desk: ours, receiver: quick });
  expect(quick.received).toHaveLength(1);
});

test('A has webhooks on more hosts than there are slots, none of which answers: that of B is told', async () => {
  const slow = await startWebhookReceiver(neverAnswers);
  const quick = await startWebhookReceiver(answers(200));
  const port = new URL(slow.url).port;
  const webhooks = Array.from({ length: 260 }, (_, index) => ({
    kind: 'generic',
    url: `http://host-${index}.example:${port}/hook`,
  }));
  const theirs = await openDeliveryDesk(server, { webhooks });
  const ours = await openDeliveryDesk(server, { webhooks: [{ kind: 'generic', url: quick.url }] });
  await alarmBoth({ desk: theirs, receiver: slow }, { desk: ours, receiver: quick });
  expect(quick.received).toHaveLength(1);
});

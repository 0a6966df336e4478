// Providers that do not call back are asked, against servers that answer as Pushover, Telegram and Twilio document it.
import type { ServerResponse } from 'node:http';
import { pino } from 'pino';
import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { leasePoll } from '../../src/engine/outbox/provider-polls.ts';
import { NO_PROVIDERS, type ProviderSettings } from '../../src/engine/providers/providers.ts';
import { receipts as pushoverReceipts } from '../../src/engine/providers/pushover/receipts.ts';
import { readProviderSettings } from '../../src/engine/providers/read-provider-settings.ts';
import { updates as telegramUpdates } from '../../src/engine/providers/telegram/hear-updates.ts';
import { receipts as twilioReceipts } from '../../src/engine/providers/twilio/receipts.ts';
import { createMethodTransport } from '../../src/engine/transports/method/method.ts';
import { pollReceipts } from '../../src/features/hooks/polls/poll-receipts.ts';
import { pollUpdates } from '../../src/features/hooks/polls/poll-updates.ts';
import { type DeliveryDesk, openDeliveryDesk, type ToldFreezer } from '../support/delivery-desk.ts';
import { minutes } from '../support/movable-clock.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import { type ReceivedWebhook, startWebhookReceiver } from '../support/webhook-receiver.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});

const signal = new AbortController().signal;
const log = pino({ level: 'silent' });
const seconds = (count: number) => count * 1000;

type Says = Record<string, unknown> | { status: number; body?: unknown; headers?: Record<string, string> };
/** By method and path, each answered by what it says; `count`: how often it was asked before. */
type Script = Record<string, (received: ReceivedWebhook, count: number) => Says>;

async function startProvider(script: Script) {
  const counts = new Map<string, number>();
  const receiver = await startWebhookReceiver((response: ServerResponse, received) => {
    const path = received.path.split('?')[0] as string;
    const name = Object.keys(script).find((key) => {
      const [method, pattern] = key.split(' ') as [string, string];
      return method === received.method && new RegExp(`^${pattern}$`).test(path);
    });
    if (name === undefined) return response.writeHead(404).end('{}');
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    const said = (script[name] as Script[string])(received, count);
    const {
      status = 200,
      body = said,
      headers = {},
    } = 'status' in said && typeof said.status === 'number' && said.status >= 100
      ? (said as { status: number; body?: unknown; headers?: Record<string, string> })
      : {};
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  });
  return { ...receiver, asked: (name: string) => counts.get(name) ?? 0 };
}

interface Told {
  desk: DeliveryDesk;
  freezer: ToldFreezer;
  methodId: number;
  strike: (ms: number) => Promise<void>;
  delivery: () => Promise<{ state: string; received: boolean; how: string | null } | undefined>;
  acknowledgedBy: () => Promise<string[]>;
}

/** Oscar is told of a freezer by a method of that kind, and the message has left. */
async function tell(kind: string, address: string, providers: ProviderSettings): Promise<Told> {
  const desk = await openDeliveryDesk(server, {});
  const now = server.clock.read();
  const { lab } = desk;
  await lab.group({ name: 'Cold team', accounts: [lab.oscar.email] });
  await server.db.query(sql`delete from contact_method where address = ${address}`);
  const [made] = await server.db.query<{ id: number }>(sql`
    insert into contact_method (account_id, kind, address, verified_at, created_at)
    values (${lab.oscar.id}, ${kind}, ${address}, ${now}, ${now}) returning id`);
  const method = createMethodTransport({
    settings: () => ({ providers, publicUrl: 'https://tocsin.lab.example' }),
    allowPrivate: true,
  });
  const deliverer = desk.hire({ transports: { ...desk.postbox.transports, method } });
  const freezer = await desk.freezer();
  await freezer.warms();
  const strike = async (ms: number) => {
    await desk.strike(ms, deliverer);
  };
  for (let turn = 0; turn < 3; turn += 1) await strike(seconds(2));
  return {
    desk,
    freezer,
    methodId: made?.id ?? 0,
    strike,
    delivery: async () =>
      (
        await server.db.query<{ state: string; received: boolean; how: string | null }>(sql`
          select state, received_at is not null as "received", confirmed_how as "how" from delivery
          where service_id = ${freezer.id} and via = ${kind} order by id limit 1`)
      )[0],
    acknowledgedBy: async () =>
      (
        await server.db.query<{ by: string }>(sql`
          select account_name as "by" from acknowledgement where service_id = ${freezer.id} and ended_at is null`)
      ).map(({ by }) => by),
  };
}

describe('Pushover', () => {
  const USER = 'u'.repeat(30);
  const RECEIPT = 'r'.repeat(30);
  const taken = { status: 1, request: '5042853c-402d-4a18-abcb-168734a801de', receipt: RECEIPT };
  const receipts = `GET /1/receipts/${RECEIPT}.json`;
  const open = { status: 1, acknowledged: 0, last_delivered_at: 1_424_305_421, expired: 0 };
  const openPushover = async (script: Script) => {
    // What other tests left open is nobody's question here.
    await server.db.query(sql`update delivery set receipt_ask_at = 'infinity' where via = 'pushover'`);
    await server.db.query(sql`delete from provider_poll where kind = 'pushover'`);
    const provider = await startProvider({
      'POST /1/messages.json': () => ({ status: 200, body: taken }),
      [`POST /1/receipts/${RECEIPT}/cancel.json`]: () => ({ status: 200, body: { status: 1 } }),
      ...script,
    });
    const pushover = { url: provider.url, token: 'application-token' };
    const told = await tell('pushover', USER, { ...NO_PROVIDERS, pushover });
    const poll = () =>
      pollReceipts(
        { db: server.db, receipts: pushoverReceipts, settings: pushover, signal },
        server.clock.read(),
      );
    return { provider, poll, ...told };
  };

  test('says that somebody confirmed a message: that acknowledges nothing', async () => {
    const { provider, poll, delivery, acknowledgedBy } = await openPushover({
      [receipts]: (_, count) => ({ status: 200, body: { ...open, acknowledged: count === 0 ? 0 : 1 } }),
    });
    await poll();
    expect(await delivery()).toEqual({ state: 'sent', received: true, how: null });
    await poll();
    expect(provider.asked(receipts), 'asked again only after a while').toBe(1);
    server.clock.advance(seconds(10));
    await poll();
    expect(await delivery()).toEqual({ state: 'sent', received: true, how: 'Pushover' });
    expect(await acknowledgedBy()).toEqual([]);
    server.clock.advance(minutes(5));
    await poll();
    expect(provider.asked(receipts), 'nothing more to learn').toBe(2);
    expect(provider.received.at(-1)?.path).toContain('token=application-token');
  });

  test('is asked to stop ringing once the alarm is acknowledged, and only once', async () => {
    const { provider, poll, desk, freezer } = await openPushover({
      [receipts]: () => ({ status: 200, body: open }),
    });
    await poll();
    const cancel = `POST /1/receipts/${RECEIPT}/cancel.json`;
    expect(provider.asked(cancel)).toBe(0);
    await desk.lab.ada.post(`/api/v1/alarms/${freezer.id}/acknowledge`);
    for (let turn = 0; turn < 3; turn += 1) {
      server.clock.advance(seconds(15));
      await poll();
    }
    expect(provider.asked(cancel)).toBe(1);
  });

  test('that wants a pause (429) gets it', async () => {
    const { provider, poll } = await openPushover({
      [receipts]: () => ({ status: 429, body: {}, headers: { 'retry-after': '120' } }),
    });
    await poll();
    server.clock.advance(seconds(100));
    await poll();
    expect(provider.asked(receipts)).toBe(1);
    server.clock.advance(seconds(30));
    await poll();
    expect(provider.asked(receipts)).toBe(2);
  });

  test('that is down, or does not know the message, holds up nothing', async () => {
    const { provider, poll, delivery } = await openPushover({
      [receipts]: (_, count) => (count === 0 ? { status: 500, body: {} } : { status: 404, body: {} }),
    });
    await poll();
    server.clock.advance(seconds(30));
    await poll();
    server.clock.advance(minutes(5));
    await poll();
    expect(provider.asked(receipts)).toBe(2);
    expect((await delivery())?.state).toBe('sent');
  });

  test('is asked by one program at a time; one that is gone is not waited for', async () => {
    const { provider, poll } = await openPushover({ [receipts]: () => ({ status: 200, body: open }) });
    const now = server.clock.read();
    expect(await leasePoll(server.db, 'pushover', new Date(now.getTime() + minutes(2)), now)).not.toBeNull();
    await poll();
    expect(provider.asked(receipts)).toBe(0);
    server.clock.advance(minutes(2));
    await Promise.all([poll(), poll(), poll()]);
    expect(provider.asked(receipts)).toBe(1);
  });
});

describe('Twilio, where it cannot call back', () => {
  const status = 'GET /2010-04-01/Accounts/AC1/Messages/SM1.json';
  const openTwilio = async (script: Script) => {
    const provider = await startProvider({
      'POST /2010-04-01/Accounts/AC1/Messages.json': () => ({
        status: 201,
        body: { sid: 'SM1', status: 'queued' },
      }),
      ...script,
    });
    const providers = readProviderSettings(
      `sms: { gateway: twilio, user: AC1, password: secret, from: "+4930", url: "${provider.url}/2010-04-01/Accounts/{user}/Messages.json" }`,
    );
    if (typeof providers === 'string' || !providers.sms) throw new Error(String(providers));
    const { sms } = providers;
    const told = await tell('sms', '+491512345678', providers);
    return {
      provider,
      poll: () =>
        pollReceipts({ db: server.db, receipts: twilioReceipts, settings: sms, signal }, server.clock.read()),
      ...told,
    };
  };

  test('is asked until it says that an SMS arrived', async () => {
    const { provider, poll, delivery } = await openTwilio({
      [status]: (_, count) => ({
        status: 200,
        body: { sid: 'SM1', status: count < 2 ? 'sent' : 'delivered' },
      }),
    });
    for (let turn = 0; turn < 5; turn += 1) {
      await poll();
      server.clock.advance(seconds(20));
    }
    expect(await delivery()).toMatchObject({ state: 'sent', received: true });
    expect(provider.asked(status)).toBe(3);
    expect(provider.received.at(-1)?.headers.authorization).toMatch(/^Basic /);
  });

  test('says that it will not arrive: it counts as failed', async () => {
    const { poll, delivery } = await openTwilio({
      [status]: () => ({ status: 200, body: { sid: 'SM1', status: 'undelivered', error_code: 30003 } }),
    });
    await poll();
    expect(await delivery()).toMatchObject({ state: 'failed', received: false });
  });
});

describe('Telegram', () => {
  const CHAT = '4711';
  const bot = '/bot123:token';
  const updates = `POST ${bot}/getUpdates`;
  const openTelegram = async (script: (letterId: () => Promise<string>) => Script) => {
    let told: Told | undefined;
    const letterId = async () =>
      (
        await server.db.query<{ id: string }>(sql`
          select letter_id as id from delivery where service_id = ${told?.freezer.id ?? 0} and via = 'telegram' limit 1`)
      )[0]?.id ?? '';
    const queue: Record<string, unknown>[] = [];
    const provider = await startProvider({
      [`POST ${bot}/sendMessage`]: () => ({
        status: 200,
        body: { ok: true, result: { message_id: 99, chat: { id: Number(CHAT), type: 'private' } } },
      }),
      [`POST ${bot}/answerCallbackQuery`]: () => ({ status: 200, body: { ok: true, result: true } }),
      [updates]: ({ body }) => {
        const { offset = 0 } = body as { offset?: number };
        return {
          status: 200,
          body: { ok: true, result: queue.filter((one) => (one.update_id as number) >= offset) },
        };
      },
      ...script(letterId),
    });
    const telegram = { url: provider.url, token: '123:token' };
    told = await tell('telegram', CHAT, { ...NO_PROVIDERS, telegram });
    // Updates are numbered by Telegram, across all tests of this file.
    const [{ position } = { position: '1' }] = await server.db.query<{ position: string }>(sql`
      select coalesce(position, 1) as position from provider_poll where kind = 'telegram'`);
    let next = Number(position);
    const poll = () =>
      pollUpdates(
        {
          db: server.db,
          log,
          updates: telegramUpdates,
          settings: telegram,
          signal,
          waitSeconds: 0,
        },
        server.clock.read(),
      );
    const says = (update: Record<string, unknown>) => {
      queue.push({ update_id: next, ...update });
      next += 1;
    };
    const answersOf = (verb: string) =>
      provider.received
        .filter(({ path }) => path === `${bot}/${verb}`)
        .map(({ body }) => body as { text?: string });
    return { provider, poll, says, letterId, answersOf, ...told };
  };
  const none = () => ({});
  /** What a button hangs on. */
  const message = { message_id: 99, chat: { id: Number(CHAT), type: 'private' } };

  test('the button below an alarm acknowledges it in the name of its owner, pressed any number of times', async () => {
    const { poll, says, letterId, answersOf, acknowledgedBy, delivery, desk } = await openTelegram(none);
    expect(answersOf('sendMessage')[0]).toMatchObject({
      reply_markup: {
        inline_keyboard: [
          [
            { text: 'Acknowledge', callback_data: `ack ${await letterId()}` },
            { text: 'I cannot go', callback_data: `pass ${await letterId()}` },
            { text: 'Open Tocsin' },
          ],
        ],
      },
    });
    const data = `ack ${await letterId()}`;
    says({ callback_query: { id: 'q1', from: { id: Number(CHAT) }, message, data } });
    says({ callback_query: { id: 'q2', from: { id: Number(CHAT) }, message, data } });
    await poll();
    expect(await acknowledgedBy()).toEqual([desk.lab.oscar.name]);
    expect(await delivery()).toMatchObject({ how: 'button' });
    expect(answersOf('answerCallbackQuery')).toEqual([
      { callback_query_id: 'q1', text: 'Acknowledged.' },
      { callback_query_id: 'q2', text: 'There is nothing to acknowledge any more.' },
    ]);
    await poll();
    expect(answersOf('answerCallbackQuery'), 'taken once').toHaveLength(2);
  });

  test('the other button, or a reply of NO, says that its owner cannot go', async () => {
    const { poll, says, letterId, answersOf, acknowledgedBy, desk } = await openTelegram(none);
    says({
      callback_query: { id: 'q1', from: { id: Number(CHAT) }, message, data: `ack ${await letterId()}` },
    });
    await poll();
    expect(await acknowledgedBy()).toEqual([desk.lab.oscar.name]);
    says({
      callback_query: { id: 'q2', from: { id: Number(CHAT) }, message, data: `pass ${await letterId()}` },
    });
    await poll();
    expect(await acknowledgedBy()).toEqual([]);
    expect(answersOf('answerCallbackQuery').at(-1)?.text).toContain('Passed on');
  });

  test('is not by phone: no PIN is asked for', async () => {
    const { poll, says, letterId, acknowledgedBy, desk } = await openTelegram(none);
    await desk.lab.organizationEntry({ phone_pin_required: true });
    const data = `ack ${await letterId()}`;
    says({ callback_query: { id: 'q1', from: { id: Number(CHAT) }, message, data } });
    await poll();
    expect(await acknowledgedBy()).toEqual([desk.lab.oscar.name]);
  });

  test('a button of somebody else’s message, or pressed by somebody else, acknowledges nothing', async () => {
    const { poll, says, letterId, acknowledgedBy } = await openTelegram(none);
    const from = { id: Number(CHAT) };
    says({ callback_query: { id: 'q1', from: { id: 666 }, message, data: `ack ${await letterId()}` } });
    says({ callback_query: { id: 'q2', from, message, data: 'ack 1' } });
    says({ callback_query: { id: 'q3', from, message, data: 'drop table' } });
    says({
      message: {
        message_id: 5,
        chat: { id: 666, type: 'private' },
        text: 'OK',
        reply_to_message: { message_id: 99 },
      },
    });
    says({ edited_message: {} });
    await poll();
    expect(await acknowledgedBy()).toEqual([]);
  });

  test.each([
    ['in a group', { message_id: 7, chat: { id: -100_4711, type: 'supergroup' } }],
    ['in a small group', { message_id: 7, chat: { id: -4711, type: 'group' } }],
    ['of nobody knows which chat', undefined],
  ])('a press %s does nothing, not even of who may', async (_where, where) => {
    const { poll, says, letterId, acknowledgedBy, answersOf, delivery } = await openTelegram(none);
    const data = `ack ${await letterId()}`;
    says({
      callback_query: { id: 'q1', from: { id: Number(CHAT) }, data, ...(where && { message: where }) },
    });
    await poll();
    expect(await acknowledgedBy()).toEqual([]);
    expect(await delivery()).toMatchObject({ how: null });
    expect(answersOf('answerCallbackQuery')).toEqual([]);
  });

  test('a viewer gets no button that would be refused', async () => {
    const { answersOf, desk, freezer, strike } = await openTelegram(none);
    await desk.lab.ada.post(`/api/v1/alarms/${freezer.id}/acknowledge`);
    await server.db.query(sql`
      update membership set role = 'viewer' where account_id = ${desk.lab.oscar.id}`);
    const other = await desk.freezer();
    await other.warms();
    for (let turn = 0; turn < 3; turn += 1) await strike(seconds(2));
    const alarm = answersOf('sendMessage').findLast(({ text }) => text?.includes(other.name));
    expect(alarm).toMatchObject({
      reply_markup: { inline_keyboard: [[{ text: 'I cannot go' }, { text: 'Open Tocsin' }]] },
    });
  });

  test('a reply of OK acknowledges, anything else explains itself, STOP ends it', async () => {
    const { poll, says, acknowledgedBy, answersOf, desk, methodId } = await openTelegram(none);
    const chat = { id: Number(CHAT), type: 'private' };
    says({ message: { message_id: 5, chat, text: 'what is this?' } });
    says({ message: { message_id: 6, chat, text: 'OK', reply_to_message: { message_id: 99 } } });
    says({ message: { message_id: 7, chat, text: '/stop' } });
    await poll();
    expect(await acknowledgedBy()).toEqual([desk.lab.oscar.name]);
    expect(
      answersOf('sendMessage')
        .map(({ text }) => text)
        .slice(-3),
    ).toEqual([
      'Press Acknowledge below an alarm, or reply to it with OK; with NO if you cannot go. STOP ends these messages.',
      'Acknowledged.',
      'You get no more messages here. Your profile in Tocsin puts it to use again.',
    ]);
    const [method] = await server.db.query<{ off: boolean }>(sql`
      select disabled_at is not null as off from contact_method where id = ${methodId}`);
    expect(method?.off).toBe(true);
  });

  test.each([
    ['wants a pause', { status: 429, body: { ok: false, parameters: { retry_after: 30 } } }, 30],
    ['tells another program (409)', { status: 409, body: { ok: false } }, 60],
    ['is down', { status: 502, body: {} }, 10],
  ])('that %s is not asked before its time', async (_name, answer, pause) => {
    const { provider, poll } = await openTelegram(() => ({ [updates]: () => answer }));
    await poll();
    server.clock.advance(seconds(pause - 1));
    await poll();
    expect(provider.asked(updates)).toBe(1);
    server.clock.advance(seconds(2));
    await poll();
    expect(provider.asked(updates)).toBe(2);
    server.clock.advance(minutes(2));
  });

  test('an update that is too long to be read is passed, not asked for for ever', async () => {
    const { poll, says, answersOf, provider } = await openTelegram(none);
    says({ message: { message_id: 5, chat: { id: 1, type: 'private' }, text: 'x'.repeat(70_000) } });
    says({ message: { message_id: 6, chat: { id: Number(CHAT), type: 'private' }, text: 'hello' } });
    await poll();
    await poll();
    expect(answersOf('sendMessage').at(-1)?.text).toMatch(/^Press Acknowledge/);
    expect(provider.asked(updates)).toBe(2);
  });
});

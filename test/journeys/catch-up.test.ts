// What The Things Stack stored while we could not be reached is fetched from there.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import pino from 'pino';
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openCodecs } from '../../src/engine/codecs/codecs.ts';
import { openUplinkDecoder } from '../../src/engine/codecs/uplink-decoder.ts';
import { openSourceLedger } from '../../src/engine/sources/source-ledger.ts';
import { openCatchUp } from '../../src/features/telemetry/catch-up/catch-up.ts';
import { type Freezer, type Lab, openLab } from '../support/lab.ts';
import { minutes } from '../support/movable-clock.ts';
import { listStored } from '../support/stored-readings.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import { signedIn } from '../support/visitor.ts';
import { neverAnswers, startWebhookReceiver } from '../support/webhook-receiver.ts';
import { whenFileIsDone } from '../support/when-file-is-done.ts';

/** As the storage integration is documented: bearer key, event stream of one JSON object a line, after, order and limit. */
const storage = { messages: [] as { received_at: string }[], asked: [] as URLSearchParams[], status: 200 };
const KEY = 'NNSXS.SECRET';

function answer(request: IncomingMessage, response: ServerResponse): void {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://storage');
  const isRight =
    pathname === '/api/v3/as/applications/cold-room/packages/storage/uplink_message' &&
    request.headers.accept === 'text/event-stream';
  if (!isRight) return void response.writeHead(404).end();
  if (request.headers.authorization !== `Bearer ${KEY}`) return void response.writeHead(401).end();
  storage.asked.push(searchParams);
  if (storage.status !== 200) return void response.writeHead(storage.status).end();
  const after = Date.parse(searchParams.get('after') ?? '');
  const found = storage.messages
    .filter(({ received_at: at }) => Date.parse(at) > after)
    .sort((one, other) => Date.parse(one.received_at) - Date.parse(other.received_at));
  if (searchParams.get('order') !== 'received_at') found.reverse();
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const result of found.slice(0, Number(searchParams.get('limit'))))
    response.write(`${JSON.stringify({ result })}\n\n`);
  response.end();
}

let server: TestServer;
let lab: Lab;
let freezer: Freezer;
let url = '';
beforeAll(async () => {
  server = await startServer();
  const receiver = createServer(answer).listen(0, '127.0.0.1');
  await new Promise((resolve) => receiver.once('listening', resolve));
  whenFileIsDone(() => receiver.close());
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
});
beforeEach(async () => {
  Object.assign(storage, { messages: [], asked: [], status: 200 });
  await server.db.query(sql`delete from source_catch_up`);
  await server.db.query(sql`update source set settings = '{}' where kind = 'tts'`);
  lab = await openLab(server);
  await lab.source({ kind: 'tts', settings: { storage: { url, application: 'cold-room', key: KEY } } });
  freezer = await lab.freezer({
    limits: [{ channel: 'temperature', bands: { CRITICAL_HIGH: { limit: -60 } } }],
  });
});

const codecs = openCodecs();
whenFileIsDone(() => codecs.close());
const open = (allowPrivate = true) =>
  openCatchUp({
    db: server.db,
    clock: server.clock.read,
    take: server.road.take,
    ledger: openSourceLedger(server.db, pino({ level: 'silent' })),
    codecs: openUplinkDecoder(server.db, codecs),
    log: pino({ level: 'silent' }),
    outbound: { allowPrivate },
  });
const catchUp = async (program = open()) => {
  await program.round(server.clock.read());
  await program.settle();
};
const store = (minutesAgo: number, temperature: number, device = freezer.device) =>
  storage.messages.push({
    received_at: new Date(server.clock.read().getTime() - minutes(minutesAgo)).toISOString(),
    ...{ end_device_ids: { dev_eui: device }, uplink_message: { decoded_payload: { temperature } } },
  });
const temperatures = async () => (await listStored(server.db, freezer.id)).map(({ value }) => value);
const refusals = async () =>
  (
    await server.db.query<{ reason: string }>(sql`
      select reason from source_refusal join source on source.id = source_id
      where organization_id = ${lab.organization}`)
  ).map(({ reason }) => reason);

test('what was missed is stored once, in its order, and judged', async () => {
  store(30, -80);
  store(20, -79);
  store(1, -40);
  await catchUp();
  expect(await temperatures()).toEqual([-80, -79, -40]);
  expect(await lab.alarms()).toMatchObject([{ service_id: freezer.id, severity: 'critical' }]);
  server.clock.advance(minutes(11));
  store(1, -80);
  await catchUp();
  expect(await temperatures()).toEqual([-80, -79, -40, -80]);
});

test('it is asked every ten minutes, from where it was left, and a day back at most', async () => {
  await catchUp();
  await catchUp();
  expect(storage.asked).toHaveLength(1);
  server.clock.advance(minutes(10));
  await catchUp();
  server.clock.advance(minutes(60 * 72));
  await catchUp();
  const back = storage.asked.map((asked) => Date.parse(asked.get('after') ?? ''));
  const now = server.clock.read().getTime();
  expect(back.map((at) => Math.round((now - at) / minutes(1)))).toEqual([
    60 * 24 + 10 + 60 * 72,
    60 * 72 + 10 + 5,
    60 * 24,
  ]);
});

test('more than one page of it', async () => {
  for (let minute = 250; minute > 0; minute -= 1) store(minute, -80 - minute / 1000);
  await catchUp();
  expect(await temperatures()).toHaveLength(250);
  expect(storage.asked).toHaveLength(3);
});

test('of two programs one does it, and another one goes on where a program died', async () => {
  store(5, -80);
  await Promise.all([catchUp(open()), catchUp(open()), catchUp(open())]);
  expect(storage.asked).toHaveLength(1);
  server.clock.advance(minutes(11));
  // Claimed, and never heard of again.
  const claimed = new Date(server.clock.read().getTime() + minutes(5));
  await server.db.query(sql`update source_catch_up set claimed_until = ${claimed}`);
  await catchUp();
  expect(storage.asked).toHaveLength(1);
  server.clock.advance(minutes(6));
  await catchUp();
  expect(storage.asked).toHaveLength(2);
});

test('what goes wrong stands on the page of the source, and nothing is passed over', async () => {
  storage.status = 429;
  store(5, -80);
  await catchUp();
  await expect.poll(refusals).toEqual(['The storage of The Things Stack answered 429']);
  storage.status = 200;
  server.clock.advance(minutes(10));
  await catchUp();
  expect(await temperatures()).toEqual([-80]);
});

test('addresses inside are asked only where that is allowed', async () => {
  await catchUp(open(false));
  expect(storage.asked).toEqual([]);
  await expect.poll(async () => (await refusals()).join()).toContain('is in a private network');
});

test('the key stands on no page and in no record, and is kept when other settings are saved', async () => {
  const ada = await signedIn(server, lab.ada);
  const source = async () =>
    (
      await server.db.query<{ id: number; settings: { storage?: { key: string } } }>(
        sql`select id, settings from source where organization_id = ${lab.organization}`,
      )
    )[0];
  const page = `/settings/sources/${(await source())?.id}`;
  const html = await ada.read(page);
  expect(html).toContain('cold-room');
  expect(html).not.toContain(KEY);
  const settings = `storage: { url: "${url}", application: cold-room, key: (kept) }\nignore: [rssi]`;
  expect((await ada.send(`${page}/change`, { kind: 'tts', settings })).status).toBe(303);
  expect((await source())?.settings).toMatchObject({ storage: { key: KEY }, ignore: ['rssi'] });
  const records = await server.db.query(sql`
    select detail from audit where organization_id = ${lab.organization}`);
  expect(JSON.stringify(records)).not.toContain(KEY);
});

test('storages of another organization that do not answer hold up nobody', async () => {
  store(5, -80);
  const slow = await startWebhookReceiver(neverAnswers);
  const other = await openLab(server);
  const settings = { storage: { url: slow.url, application: 'cold-room', key: KEY } };
  const sources = Array.from({ length: 12 }, (_, index) => ({
    name: `slow ${index}`,
    secret: `secret of the slow storage ${index}`,
    kind: 'tts',
    settings,
  }));
  await other.organizationEntry({ sources });
  // They have waited for longer.
  await server.db.query(sql`
    insert into source_catch_up (source_id, next_at, claimed_until)
    select id, '2026-01-01', '2026-01-01' from source where organization_id = ${other.organization} and kind = 'tts'`);
  const program = open();
  await program.round(server.clock.read());
  await expect.poll(temperatures).toEqual([-80]);
  expect(slow.received.length).toBeLessThanOrEqual(4);
  await program.leave();
});

describe('the key that is kept', () => {
  const OTHER = 'https://elsewhere.example';
  const source = async () =>
    (
      await server.db.query<{ id: number; settings: { storage?: { url: string; key: string } } }>(
        sql`select id, settings from source where organization_id = ${lab.organization}`,
      )
    )[0];
  const write = (address: string, key: string) =>
    `storage: { url: "${address}", application: cold-room, key: ${key} }`;

  test('goes to no other address than it was given for: it has to be typed again', async () => {
    const ada = await signedIn(server, lab.ada);
    const change = async (settings: string) =>
      ada.send(`/settings/sources/${(await source())?.id}/change`, { kind: 'tts', settings });
    for (const address of [OTHER, url.replace('http:', 'https:'), 'http://127.0.0.1:9']) {
      const refused = await change(write(address, '(kept)'));
      expect(refused.status).toBe(422);
      expect(await refused.text()).toContain('Write its key again in place of (kept)');
    }
    expect((await source())?.settings.storage).toMatchObject({ url, key: KEY });
    expect((await change(write(OTHER, 'new-key'))).status).toBe(303);
    expect((await source())?.settings.storage).toMatchObject({ url: OTHER, key: 'new-key' });
    expect((await change(write(`${OTHER}/`, '(kept)'))).status).toBe(303);
    expect((await source())?.settings.storage).toMatchObject({ key: 'new-key' });
  });

  test('nor by the lab file, where nothing is kept that was never there', async () => {
    const apply = (address: string) =>
      lab.source({ settings: { storage: { url: address, application: 'cold-room', key: '(kept)' } } });
    await expect(apply(OTHER)).rejects.toThrow('key again in place of (kept)');
    await apply(url);
    expect((await source())?.settings.storage).toMatchObject({ url, key: KEY });
    const sources = [
      {
        name: 'new',
        secret: 'secret of a new source',
        kind: 'tts',
        settings: { storage: { url, application: 'x', key: '(kept)' } },
      },
    ];
    await expect(lab.organizationEntry({ sources })).rejects.toThrow('key again in place of (kept)');
  });
});

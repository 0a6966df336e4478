// The database server crashes and comes back in the middle of every kind of write, and at the very end of it. What was
// answered as done is there, what was not is done by trying again, and the program is never restarted.

import pg from 'pg';
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { COMMAND_LINE } from '../../src/domain/accounts/requester.ts';
import { formLetters } from '../../src/engine/delivery/form-letters.ts';
import { decideDue } from '../../src/engine/outbox/decide.ts';
import { applyLabFile } from '../../src/features/lab-file/apply-lab-file.ts';
import { openPool } from '../../src/platform/db/database.ts';
import { migrate } from '../../src/platform/db/migrate.ts';
import { retryHelps } from '../../src/platform/db/passing-fault.ts';
import { type DatabaseProxy, openDatabaseProxy } from '../support/database-proxy.ts';
import { type DeliveryDesk, openDeliveryDesk, type ToldFreezer } from '../support/delivery-desk.ts';
import { BLANK_EDIT, bandsInForce } from '../support/limits-desk.ts';
import { minutes, STORY_BEGINS_AT, seconds } from '../support/movable-clock.ts';
import { readPostgresKind } from '../support/postgres-binaries.ts';
import { startPostgres } from '../support/postgres-server.ts';
import { countStored } from '../support/stored-readings.ts';
import { startServerOn, type TestServer } from '../support/test-server.ts';
import { whenFileIsDone } from '../support/when-file-is-done.ts';

let administrator: pg.ClientConfig;
let proxy: DatabaseProxy;
let server: TestServer;
let desk: DeliveryDesk;
let freezer: ToldFreezer;
let news = 0;
beforeAll(async () => {
  const postgres = await startPostgres(readPostgresKind(process.env.TOCSIN_TEST_POSTGRES ?? '18'));
  whenFileIsDone(postgres.stop);
  administrator = { ...postgres.connection, user: 'postgres', database: 'postgres' };
  proxy = await openDatabaseProxy(postgres.connection);
  const { password } = postgres.connection;
  const through = { host: '127.0.0.1', port: proxy.port, password, user: 'tocsin', database: 'tocsin' };
  const db = openPool(through, () => {});
  whenFileIsDone(() => db.close().catch(() => {}));
  await migrate(db, STORY_BEGINS_AT);
  server = await startServerOn(db);
  db.listen(() => {
    news += 1;
  });
  desk = await openDeliveryDesk(server);
});

beforeEach(async () => {
  const isBack = () =>
    server.db.query(sql`select 1`).then(
      () => true,
      () => false,
    );
  await expect.poll(isBack, { timeout: 30_000 }).toBe(true);
  freezer = await desk.freezer();
});

async function connectAside(): Promise<pg.Client> {
  const client = new pg.Client(administrator);
  client.on('error', () => {});
  await client.connect();
  return client;
}

/**
 * Once the server has done what carries the text, one of its processes is killed: all connections are lost, and it recovers
 * from its log. Answers with the crash. Statements are named in full on new connections only.
 */
async function crashAfter(text: string): Promise<{ crashed: Promise<void> }> {
  const [victim, witness] = [await connectAside(), await connectAside()];
  const { rows } = await victim.query('select pg_backend_pid() as pid');
  const crashed = new Promise<void>((resolve) => witness.on('end', resolve));
  const cutIdle = () => {
    // What is noted a moment after an answer may have opened another one.
    proxy.cut();
    return server.db.pressure().idle;
  };
  await expect.poll(cutIdle).toBe(0);
  proxy.onSent = (sent) => (sent.includes(text) ? 'cut_after' : 'pass');
  proxy.onSwallowed = () => {
    proxy.onSent = () => 'pass';
    // Two connections may have sent it.
    proxy.onSwallowed = () => {};
    process.kill(rows[0].pid, 'SIGKILL');
  };
  return { crashed };
}

/** Whether it was answered as done. Anything but a refusal to be tried again is a failure of the test. */
const answered = (done: Promise<unknown>): Promise<boolean> =>
  done.then(
    () => true,
    (error) => {
      if (!retryHelps(error)) throw error;
      return false;
    },
  );
const asked = async (answer: Promise<Response>, ...done: number[]): Promise<boolean> => {
  const { status } = await answer;
  expect([503, ...done]).toContain(status);
  return status !== 503;
};

/** Warm, decided and held long enough: the next to work sends it. */
async function makeDue(): Promise<void> {
  await freezer.warms();
  await desk.decide();
  server.clock.advance(seconds(2));
  await formLetters(server.db, server.clock.read());
}

const deliveries = () =>
  server.db.query<{ state: string }>(sql`
    select delivery.state, attempts from delivery join notification on notification.id = notification_id
    where notification.service_id = ${freezer.id}`);
const arrivals = () =>
  desk.postbox.arrivals.filter(({ letter }) =>
    letter.notices.some(({ serviceId }) => serviceId === freezer.id),
  );

interface Write {
  /** Where nobody heard that it was committed, it is looked for, and goes on. */
  isCertain?: true;
  prepare?(): Promise<unknown>;
  /** Whether it was answered as done. */
  attempt(): Promise<boolean>;
  verify(): Promise<unknown>;
}

const reading = () => ({
  device: freezer.device,
  time: server.clock.read().getTime(),
  values: { temperature: -40 },
});
const labFile = () =>
  JSON.stringify({
    organizations: [{ name: desk.lab.organizationName, services: [{ name: `New ${freezer.name}` }] }],
  });

const WRITES: Record<string, Write> = {
  'readings come in': {
    attempt: () => asked(desk.lab.post(reading()), 200),
    async verify() {
      expect(await countStored(server.db, [freezer.id])).toBe(1);
      expect(await desk.lab.alarms()).toContainEqual(expect.objectContaining({ service_id: freezer.id }));
    },
  },
  'somebody acknowledges': {
    prepare: () => freezer.warms(),
    // The second time it may have been done the first time.
    attempt: () => asked(desk.lab.oscar.post(`/api/v1/alarms/${freezer.id}/acknowledge`), 200, 409),
    verify: async () =>
      expect(
        await server.db.query(sql`select 1 from acknowledgement where service_id = ${freezer.id}`),
      ).toHaveLength(1),
  },
  'limits are edited': {
    async attempt() {
      const form = { ...BLANK_EDIT, ch_high: '-50' };
      const answer = await desk.lab.ada.post(`/api/v1/services/${freezer.id}/edit`, form);
      return answer.headers.get('location') === `/services/${freezer.id}`;
    },
    verify: async () =>
      expect(await bandsInForce(server, freezer)).toEqual(['CRITICAL_HIGH -50 delay 0 sustained 0']),
  },
  'what is notified is decided': {
    prepare: () => freezer.warms(),
    attempt: () => answered(decideDue(server.db, server.clock.read())),
    verify: async () => expect(await deliveries()).toMatchObject([{ state: 'queued' }]),
  },
  'messages are formed': {
    async prepare() {
      await freezer.warms();
      await desk.decide();
      server.clock.advance(seconds(2));
    },
    attempt: () => answered(formLetters(server.db, server.clock.read())),
    verify: async () => expect(await deliveries()).toMatchObject([{ state: 'queued' }]),
  },
  'a message is delivered': {
    isCertain: true,
    prepare: () => makeDue(),
    async attempt() {
      const isDone = await answered(desk.deliverer.work());
      await desk.deliverer.settle();
      return isDone && (await deliveries()).every(({ state }) => state === 'sent');
    },
    verify: async () => expect(arrivals()).toHaveLength(1),
  },
  'a lab file is applied': {
    attempt: () => {
      const input = { text: labFile(), fileName: 'lab.yaml', isDryRun: false };
      return answered(applyLabFile(server.db, COMMAND_LINE, input, server.clock.read()));
    },
    verify: () =>
      expect(
        server.db.query(sql`select 1 from service where name = ${`New ${freezer.name}`}`),
      ).resolves.toHaveLength(1),
  },
};

describe.each(Object.entries(WRITES))('while %s', (_, { isCertain, prepare, attempt, verify }) => {
  test.each([
    ['in the middle of it', 'begin\0'],
    ['when it is committed and nobody knows', 'commit\0'],
  ])('the server crashes %s', async (_moment, text) => {
    await prepare?.();
    const { crashed } = await crashAfter(text);
    expect(await attempt()).toBe(isCertain === true && text === 'commit\0');
    await crashed;
    await expect.poll(attempt, { timeout: 30_000, interval: 100 }).toBe(true);
    await verify();
  });
});

test('a message that was sent when the server crashed is marked later, and not sent again', async () => {
  await makeDue();
  desk.postbox.answer = async () => {
    desk.postbox.answer = null;
    await crashAfter('update letter set state');
    return { isSent: true };
  };
  await desk.deliverer.work();
  await desk.deliverer.settle();
  await desk.strike(minutes(2));
  expect(arrivals()).toHaveLength(1);
  expect(await deliveries()).toMatchObject([{ state: 'sent', attempts: 1 }]);
});

test('after all that, programs still wake each other', async () => {
  let changes = 0;
  await expect
    .poll(
      async () => {
        const before = news;
        changes += 1;
        // One of two in a row is news, however it stands.
        await (changes % 2 ? freezer.warms() : freezer.cools());
        await new Promise((resolve) => setTimeout(resolve, 300));
        return news > before;
      },
      { timeout: 60_000 },
    )
    .toBe(true);
});

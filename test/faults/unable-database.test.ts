// A database that is there but cannot: too slow, read-only, full. Whoever asks is told to come back, and it goes on by
// itself.
import pg from 'pg';
import { beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { type Lab, openLab } from '../support/lab.ts';
import { BLANK_EDIT } from '../support/limits-desk.ts';
import { asAdministrator, cloneDatabase, openBeside, type TestDatabase } from '../support/test-database.ts';
import { startServerOn, type TestServer } from '../support/test-server.ts';
import { signedIn, type VisitorBrowser } from '../support/visitor.ts';

const UNAVAILABLE = 'The database is not available at the moment: try again';
const TOO_LONG = 'The database took too long over this: try again later, or ask for less at a time';
const NOT_STORED = 'The readings could not be stored at the moment: send them again';

let own: TestDatabase;
let server: TestServer;
let lab: Lab;
let freezer: Awaited<ReturnType<Lab['freezer']>>;
let oscar: VisitorBrowser;
beforeAll(async () => {
  own = await cloneDatabase();
  server = await startServerOn(openBeside(own, { statement_timeout: 300 }));
});
beforeEach(async () => {
  lab = await openLab(server);
  freezer = await lab.freezer({
    limits: [{ channel: 'temperature', bands: { CRITICAL_HIGH: { limit: -60 } } }],
  });
  await freezer.reads(-40);
  oscar = await signedIn(server, lab.oscar);
});

const acknowledge = () => lab.oscar.post(`/api/v1/alarms/${freezer.id}/acknowledge`);
const edit = () => lab.ada.post(`/api/v1/services/${freezer.id}/edit`, { ...BLANK_EDIT, ch_high: '-50' });
const mute = () => lab.oscar.post(`/api/v1/services/${freezer.id}/mute`);

async function expectUnavailable(asked: Promise<Response>, detail = UNAVAILABLE): Promise<void> {
  const answer = await asked;
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
  expect(await answer.json()).toEqual({ detail });
}

async function expectUnavailablePage(path: string, words = 'Not available at the moment'): Promise<void> {
  const page = await oscar.open(path);
  expect([page.status, page.headers.get('retry-after')]).toEqual([503, '5']);
  expect(await page.text()).toContain(words);
}

/** Contract, Silent failures: these answer a failure in their own words, whatever it is. */
async function expectOwnWords(): Promise<void> {
  expect((await edit()).headers.get('location')).toContain('edit_error=Internal+error');
  expect(await (await mute()).json()).toEqual({ status: 'error', message: 'Operation failed' });
}

/** Everything works again, on the same program, once each connection has been tried. */
async function expectRecovered(): Promise<void> {
  await expect.poll(async () => (await oscar.open('/')).status).toBe(200);
  await expect.poll(async () => (await freezer.reads(-41)).status).toBe(200);
  await expect.poll(async () => (await acknowledge()).status).toBe(200);
  await expect.poll(async () => (await edit()).headers.get('location')).toBe(`/services/${freezer.id}`);
  await expect.poll(() => server.road.sweep(server.clock.read()).then(() => 'swept', String)).toBe('swept');
}

/** Somebody else's program. */
async function connectAnother(): Promise<pg.Client> {
  const other = new pg.Client({ ...own.connection, application_name: 'another' });
  other.on('error', () => {});
  await other.connect();
  onTestFinished(() => other.end());
  return other;
}

test('statements that take too long: a page, a list, a post, an acknowledgement', async () => {
  const other = await connectAnother();
  await other.query('begin; lock table alarm_state in access exclusive mode');
  server.clock.advance(1000);
  await expectUnavailablePage('/', 'Ask for less at a time, such as fewer days or a narrower search');
  await expectUnavailable(lab.vera.get('/api/v1/alarms'), TOO_LONG);
  await expectUnavailable(freezer.reads(-41), NOT_STORED);
  await expectUnavailable(acknowledge(), TOO_LONG);
  await expectOwnWords();
  await expect(server.road.sweep(server.clock.read())).rejects.toThrow('statement timeout');
  await other.end();
  await expectRecovered();
});

test('a server that only reads, such as a standby: pages are shown, writes are to be tried again', async () => {
  await setReadOnly('on');
  expect((await oscar.open('/')).status).toBe(200);
  expect((await lab.vera.get('/api/v1/alarms')).status).toBe(200);
  server.clock.advance(1000);
  await expectUnavailable(freezer.reads(-41), NOT_STORED);
  await expectUnavailable(acknowledge());
  await expectOwnWords();
  await setReadOnly('off');
  // The connections are still those that only read: each is given up when it refuses.
  await expectRecovered();
});

async function setReadOnly(mode: 'on' | 'off'): Promise<void> {
  await asAdministrator(
    `alter database ${own.connection.database} set default_transaction_read_only = ${mode}`,
  );
  if (mode === 'on') await endConnections();
}

const endConnections = (butOf = 'nobody') =>
  asAdministrator(
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity
     where datname = '${own.connection.database}' and application_name <> '${butOf}'`,
  );

test('all connections are taken by others', async () => {
  const { database } = own.connection;
  // They come first: the program is quick to connect again.
  const others = [await connectAnother(), await connectAnother(), await connectAnother()];
  await asAdministrator(`alter database ${database} connection limit 3`);
  await endConnections('another');
  server.clock.advance(1000);
  await expectUnavailablePage('/');
  await expectUnavailable(freezer.reads(-41), NOT_STORED);
  await expectUnavailable(acknowledge());
  await expectOwnWords();
  await Promise.all(others.map((other) => other.end()));
  await expectRecovered();
  await asAdministrator(`alter database ${database} connection limit -1`);
});

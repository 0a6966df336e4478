import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openPool } from '../../src/platform/db/database.ts';
import { type Lab, openLab } from '../support/lab.ts';
import { listens, openStream } from '../support/live-stream.ts';
import { minutes } from '../support/movable-clock.ts';
import { cloneDatabase } from '../support/test-database.ts';
import { PROGRAMS, startServerOn, type TestServer } from '../support/test-server.ts';

/** Two programs, each with connections of its own, on one database. */
let here: TestServer;
let there: TestServer;
let url: string;
let lab: Lab;
beforeAll(async () => {
  const database = await cloneDatabase();
  url = database.url;
  here = await startServerOn(database.db);
  there = await startServerOn(openPool({ connectionString: url }, () => {}));
});
beforeEach(async () => {
  lab = await openLab(here);
});

const LIMITS = {
  limits: [{ channel: 'temperature', bands: { CRITICAL_HIGH: { limit: -60 } } }],
};

const soon = <Value>(read: () => Value) => expect.poll(read, { interval: 20 });
/** Long enough for what would have come to be here. */
const aWhile = () => new Promise((resolve) => setTimeout(resolve, 400));

test('an alarm that one program raises reaches a page of the other', async () => {
  const freezer = await lab.freezer(LIMITS);
  await freezer.reads(-80);
  const stream = await listens(there, lab.vera);
  expect(stream.status).toBe(200);
  expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(stream.headers.get('cache-control')).toBe('no-store');
  await aWhile();
  const before = stream.changes();

  here.clock.advance(minutes(1));
  await freezer.reads(-50);
  await soon(stream.changes).toBe(before + 1);
  // Only that something changed, never what.
  expect(stream.text().replace(/^retry: \d+\n\n/, '')).toMatch(/^(event: changed\ndata:\n\n)+$/);
});

describe('every change that pages show is told', () => {
  test('acknowledgement, mute and downtime, and their ends', async () => {
    const freezer = await lab.freezer(LIMITS);
    await freezer.reads(-50);
    const stream = await listens(there, lab.vera);
    const { oscar } = lab;
    const steps: (() => Promise<Response>)[] = [
      () => oscar.post(`/api/v1/alarms/${freezer.id}/acknowledge`),
      () => oscar.post(`/api/v1/alarms/${freezer.id}/unacknowledge`),
      () => oscar.post(`/api/v1/services/${freezer.id}/mute`),
      () => oscar.post(`/api/v1/services/${freezer.id}/unmute`),
      () =>
        oscar.post('/api/v1/downtimes', {
          service_id: String(freezer.id),
          start_time: '2026-11-15T00:00',
          end_time: '2027-11-15T00:00',
          reason: 'Defrost',
        }),
    ];
    await aWhile();
    for (const step of steps) {
      const before = stream.changes();
      expect((await step()).status).toBeLessThan(400);
      await soon(stream.changes).toBe(before + 1);
    }
  });

  test('a reading that changes nothing tells nothing', async () => {
    const freezer = await lab.freezer(LIMITS);
    await freezer.reads(-80);
    const stream = await listens(there, lab.vera);
    await aWhile();
    const before = stream.changes();
    here.clock.advance(minutes(1));
    await freezer.reads(-79);
    await aWhile();
    expect(stream.changes()).toBe(before);
  });

  test('many changes at once are told together', async () => {
    const freezers = await Promise.all(Array.from({ length: 20 }, () => lab.freezer(LIMITS)));
    const stream = await listens(there, lab.vera);
    await aWhile();
    const before = stream.changes();
    await lab.post(freezers.map(({ device }) => ({ device, values: { temperature: -40 } })));
    await soon(stream.changes).toBeGreaterThan(before);
    await aWhile();
    expect(stream.changes() - before).toBeLessThanOrEqual(2);
  });
});

describe('who may listen', () => {
  test('without a session nobody', async () => {
    expect((await openStream(here, {})).status).toBe(401);
    expect((await openStream(here, { cookie: 'access_token=nonsense' })).status).toBe(401);
  });

  test('another site does not get a stream by the cookie', async () => {
    const token = await here.signer.issue({ accountId: lab.vera.id, generation: 1 }, here.clock.read());
    const headers = { cookie: `access_token=${token}` };
    expect((await openStream(here, headers)).status).toBe(200);
    const foreign = { ...headers, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' };
    expect((await openStream(here, foreign)).status).toBe(401);
  });

  test('another organization and somebody without one hear nothing', async () => {
    const freezer = await lab.freezer(LIMITS);
    const [olga, nora, vera] = [
      await listens(there, lab.olga),
      await listens(there, lab.nora),
      await listens(there, lab.vera),
    ];
    await freezer.reads(-50);
    await soon(vera.changes).toBe(1);
    await aWhile();
    expect(olga.changes()).toBe(0);
    expect(nora.changes()).toBe(0);
  });

  test('a role that is taken away is taken away from the stream', async () => {
    const freezer = await lab.freezer(LIMITS);
    const stream = await listens(there, lab.vera);
    await here.db.query(sql`delete from membership where account_id = ${lab.vera.id}`);
    await freezer.reads(-50);
    // That what she may see changed is hers to know.
    await soon(stream.changes).toBe(1);
    await lab.oscar.post(`/api/v1/alarms/${freezer.id}/acknowledge`);
    await aWhile();
    expect(stream.changes()).toBe(1);
  });

  test.each([
    ['revoked', sql`update account set token_generation = token_generation + 1`],
    ['of a deactivated account', sql`update account set is_active = false`],
  ])('a stream whose token is %s ends, and hears nothing more', async (_what, revoke) => {
    const freezer = await lab.freezer(LIMITS);
    const stream = await listens(there, lab.vera);
    await here.db.query(sql`${revoke} where id = ${lab.vera.id}`);
    await freezer.reads(-50);
    await stream.ended;
    expect(stream.changes()).toBe(0);
  });

  test('an expired token ends it', async () => {
    const freezer = await lab.freezer(LIMITS);
    const stream = await listens(there, lab.vera);
    there.clock.advance(minutes(8 * 60));
    await freezer.reads(-50);
    await stream.ended;
    expect(stream.changes()).toBe(0);
    there.clock.advance(-minutes(8 * 60));
  });

  test('one account has so many streams and no more, until it leaves one', async () => {
    const streams = await Promise.all(Array.from({ length: 20 * PROGRAMS }, () => listens(there, lab.vera)));
    expect(streams.map(({ status }) => status)).toEqual(Array(20 * PROGRAMS).fill(200));
    expect((await listens(there, lab.vera)).status).toBe(429);
    expect((await listens(there, lab.oscar)).status).toBe(200);
    streams[0]?.leave();
    await soon(async () => (await listens(there, lab.vera)).status).toBe(200);
  });
});

test('a listener whose connection breaks comes back, and tells what it may have missed', async () => {
  const freezer = await lab.freezer(LIMITS);
  const stream = await listens(there, lab.vera);
  await here.db.query(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'tocsin wire' and datname = current_database()`);
  await freezer.reads(-50);
  await expect.poll(stream.changes).toBeGreaterThanOrEqual(1);
});

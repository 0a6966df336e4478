import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import type { OrganizationId, ServiceId } from '../../src/domain/ids.ts';
import { appendHistory } from '../../src/engine/journal/inbox.ts';
import { housekeepingTasks } from '../../src/engine/program/housekeeping.ts';
import { enrolProgram } from '../../src/engine/self-watch/programs.ts';
import { createWatch } from '../../src/engine/self-watch/watch.ts';
import { createClockLoop } from '../../src/platform/clock-loop.ts';
import { openPool } from '../../src/platform/db/database.ts';
import { openLog } from '../../src/platform/log.ts';
import { hours, minutes, seconds } from '../support/movable-clock.ts';
import { invitePeople, type People } from '../support/people.ts';
import { PROGRAMS, startServer, startServerOn, type TestServer } from '../support/test-server.ts';

let server: TestServer;
let people: People;
let tick: () => Promise<void>;
/** Beats all the while. */
let live: (ms: number) => Promise<void>;
beforeAll(async () => {
  server = await startServer();
  people = await invitePeople(server);
  const { db, clock } = server;
  const log = openLog('silent');
  const program = enrolProgram(db, ['engine', 'deliver'], clock.read());
  const disk = { freeBytes: 50e9, totalBytes: 100e9 };
  const { task } = createWatch({ db, log, program, measureHost: async () => ({ clockAheadMs: 0, disk }) });
  const loop = createClockLoop({ clock: clock.read, log }, [
    task,
    ...housekeepingTasks({ db, log, retentionDays: 400 }),
  ]);
  tick = loop.tick;
  live = async (ms) => {
    for (let passed = 0; passed < ms; passed += seconds(5)) {
      clock.advance(seconds(5));
      await task.run(clock.read());
    }
  };
  await tick();
});

interface Report {
  status: string;
  degraded: string[];
  findings: { name: string }[];
  components: Record<string, { status: string; reason: string | null; [fact: string]: unknown }>;
}
const askForReport = async (): Promise<Report> =>
  (await people.nora.get('/api/v1/health/detailed')).json() as Promise<Report>;
/** Made anew: what is kept is that of another hour. */
const report = async (): Promise<Report> => {
  server.clock.advance(hours(1));
  await askForReport();
  server.clock.advance(-hours(1));
  return askForReport();
};

test('GET /api/v1/health: 200 without a token, exactly status healthy', async () => {
  const answer = await fetch(`${server.url}/api/v1/health`);
  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual({ status: 'healthy' });
});

test('GET /health: 200 without a token, status ok, service and mode live', async () => {
  const answer = await fetch(`${server.url}/health`);
  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual({
    status: 'ok',
    service: 'tocsin',
    mode: 'live',
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    started_at: '2026-11-15T03:00:00.000+00:00',
  });
});

describe('GET /api/v1/health/detailed', () => {
  test('401 Authentication required without a token', async () => {
    const answer = await fetch(`${server.url}/api/v1/health/detailed`);
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    expect(await answer.json()).toEqual({ detail: 'Authentication required' });
  });

  test('200 for any signed-in user, also one without a role', async () => {
    for (const person of [people.vera, people.nora]) {
      expect((await person.get('/api/v1/health/detailed')).status).toBe(200);
    }
  });

  test('reports on every component', async () => {
    const { status, degraded, findings, components } = await report();
    expect({ status, degraded, findings }).toEqual({ status: 'healthy', degraded: [], findings: [] });
    expect(Object.keys(components)).toEqual([
      'database',
      'migrations',
      'readings',
      'clock',
      'outbox',
      'advisor',
      'disk',
    ]);
    const [version] = await server.db.query(sql`select current_setting('server_version') as version`);
    expect(components.database).toMatchObject({ status: 'ok', kind: 'embedded', ...(version as object) });
    expect(components.disk).toMatchObject({ status: 'ok', free_bytes: 50e9, total_bytes: 100e9 });
  });

  test('names the clock when no program runs it, and recovers with the next beat', async () => {
    server.clock.advance(seconds(15));
    expect((await report()).degraded).toEqual([]);
    server.clock.advance(seconds(1));
    const late = await report();
    expect(late.status).toBe('degraded');
    expect(late.degraded).toEqual(['clock', 'outbox']);
    expect(late.findings).toMatchObject([{ name: 'no_engine' }, { name: 'no_deliverer' }]);
    expect(late.components.clock).toMatchObject({
      seconds_since_last_beat: 16,
      reason: expect.stringContaining('No program runs the clock: timers do not fire. Start one'),
    });
    await tick();
    expect((await report()).degraded).toEqual([]);
  });

  test('names migrations that are pending', async () => {
    const [last] = await server.db.query<{ name: string }>(
      sql`select name from schema_migration order by name desc limit 1`,
    );
    const removed = await server.db.query<{ name: string; checksum: string }>(
      sql`delete from schema_migration where name = ${last?.name} returning name, checksum`,
    );
    const { degraded, components } = await report();
    expect(degraded).toEqual(['migrations']);
    expect(components.migrations?.pending).toEqual([last?.name]);
    await server.db.query(
      sql`insert into schema_migration values (${removed[0]?.name}, ${removed[0]?.checksum}, ${server.clock.read()})`,
    );
  });

  test('says when a newer version changed the database beside this program', async () => {
    await server.db.query(sql`insert into schema_migration values ('9999_future.sql', 'x', '2030-01-01')`);
    const { degraded, components } = await report();
    expect(degraded).toEqual(['migrations']);
    expect(components.migrations?.reason).toBe(
      'The database has migration 9999_future.sql, which this version of Tocsin does not know: run a newer version',
    );
    await server.db.query(sql`delete from schema_migration where name = '9999_future.sql'`);
  });

  // Of each program.
  test.skipIf(PROGRAMS > 1)('is kept for five seconds, whoever asks', async () => {
    expect((await report()).degraded).toEqual([]);
    await server.db.query(sql`insert into schema_migration values ('9999_future.sql', 'x', '2030-01-01')`);
    server.clock.advance(4_999);
    expect((await askForReport()).degraded).toEqual([]);
    server.clock.advance(1);
    expect((await askForReport()).degraded).toEqual(['migrations']);
    await server.db.query(sql`delete from schema_migration where name = '9999_future.sql'`);
  });

  test('names readings that wait for more than half an hour to be packed, and those that cannot be read', async () => {
    const { db, clock } = server;
    expect((await report()).components.readings).toMatchObject({ status: 'ok', damaged: 0 });
    const one = {
      serviceIds: [1 as ServiceId],
      channelIds: [1],
      ats: [clock.read().getTime()],
      values: [-80],
    };
    await db.query(appendHistory(1 as OrganizationId, one, clock.read()));
    clock.advance(minutes(31));
    expect((await report()).components.readings).toMatchObject({
      waiting: 1,
      oldest_waiting_seconds: 1860,
      reason: 'Readings wait to be packed: pages that show them get slower',
    });
    // Where others of its kind are at work it comes a few seconds later.
    const packAndReport = async () => {
      clock.advance(seconds(6));
      await tick();
      return (await report()).components.readings;
    };
    await expect.poll(packAndReport).toMatchObject({ status: 'ok', waiting: 0 });
    await db.query(sql`insert into reading_damage values (1, 1, ${clock.read()}, 1, 'cut short')`);
    expect((await report()).components.readings).toMatchObject({
      status: 'degraded',
      reason: '1 pack of readings cannot be read: the log names them',
    });
    await db.query(sql`delete from reading_damage`);
  });

  test('names the outbox when a message is late or was given up', async () => {
    const { db, clock } = server;
    const insertNotification = (dueAt: Date) =>
      db.query<{ id: string }>(sql`
        insert into notification (service_id, organization_id, kind, severity, reason, message, state, due_at, happened_at, created_at)
        values (1, ${people.organization}, 'critical', 'critical', 'first', 'm', 'waiting', ${dueAt}, ${dueAt}, ${clock.read()})
        returning id`);
    const [notification] = await insertNotification(clock.read());
    expect((await report()).components.outbox).toMatchObject({ status: 'ok', waiting: 1, lag_seconds: 0 });
    await live(seconds(65));
    expect((await report()).components.outbox).toMatchObject({
      reason: expect.stringContaining('Notifications are decided late'),
      lag_seconds: 65,
    });

    await db.query(sql`update notification set state = 'released', decided_at = ${clock.read()}`);
    await db.query(sql`
      insert into delivery (notification_id, service_id, transport, recipient, state, next_attempt_at, created_at)
      values (${notification?.id}, 1, 'email', 'cold@lab.example', 'failed', ${clock.read()}, ${clock.read()})`);
    expect((await report()).components.outbox).toMatchObject({
      reason: 'Messages could not be delivered',
      failed_last_24h: 1,
      failed_email_last_24h: 1,
      failed_webhook_last_24h: 0,
      failed_account_mail_last_24h: 0,
    });
    server.clock.advance(hours(25));
    await tick();
    expect((await report()).degraded).toEqual([]);
    await db.query(sql`
      insert into account_mail (account_id, kind, state, next_attempt_at, created_at, finished_at)
      values (${people.ada.id}, 'activation', 'failed', ${clock.read()}, ${clock.read()}, ${clock.read()})`);
    expect((await report()).components.outbox).toMatchObject({
      reason: 'Messages could not be delivered',
      failed_last_24h: 1,
      failed_email_last_24h: 0,
      failed_account_mail_last_24h: 1,
    });
    server.clock.advance(hours(25));
    await tick();
    expect((await report()).degraded).toEqual([]);
  });

  test('names the advisor when requests wait', async () => {
    const { db, clock } = server;
    const [service] = await db.query<{ id: number }>(sql`
      insert into service (organization_id, name, created_at) values (${people.organization}, 'Freezer 1', ${clock.read()}) returning id`);
    await db.query(sql`
      insert into recommendation (service_id, state, requested_by_id, requested_by_name, requested_at)
      values (${service?.id}, 'pending', ${people.ada.id}, 'Ada', ${clock.read()})`);
    expect((await report()).components.advisor).toMatchObject({ status: 'ok', kind: 'builtin', pending: 1 });
    server.clock.advance(minutes(11));
    await tick();
    expect((await report()).degraded).toEqual(['advisor']);
  });

  describe('while the database is away', () => {
    let broken: TestServer;
    beforeAll(async () => {
      broken = await startServerOn(openPool({ host: '127.0.0.1', port: 1 }, () => {}));
    });
    const ask = (token: string | null) =>
      fetch(`${broken.url}/api/v1/health/detailed`, {
        headers: token === null ? {} : { authorization: `Bearer ${token}` },
      });

    test('200 with a valid token, and says so', async () => {
      const claims = { accountId: people.vera.id, generation: 1 };
      const answer = await ask(await broken.signer.issue(claims, broken.clock.read()));
      expect(answer.status).toBe(200);
      const { status, findings, components } = (await answer.json()) as Report;
      expect({ status, findings }).toMatchObject({
        status: 'degraded',
        findings: [{ name: 'database_away', component: 'database', severity: 'critical' }],
      });
      expect(components.database?.reason).toContain(
        'The database does not say how the service fares (ECONNREFUSED).',
      );
      expect(components.outbox).toEqual({
        status: 'degraded',
        reason: 'Unknown while the database does not answer',
      });
    });

    test('401 without a token, and with one that is not ours', async () => {
      expect((await ask(null)).status).toBe(401);
      expect((await ask('nonsense')).status).toBe(401);
    });
  });
});

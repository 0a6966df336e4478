// A real PgBouncer between programs and the database.
import sql from 'sql-template-tag';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { openPool, type PooledDatabase } from '../../src/platform/db/database.ts';
import { openStream } from '../support/live-stream.ts';
import { findPgBouncer, NO_PGBOUNCER, startPgBouncer } from '../support/pgbouncer.ts';
import { runCommand, startServing } from '../support/program.ts';
import { openSmtpReceiver } from '../support/smtp-receiver.ts';
import { createEmptyDatabase, type TestDatabase } from '../support/test-database.ts';
import { whenFileIsDone } from '../support/when-file-is-done.ts';

const isHere = findPgBouncer() !== undefined;
if (!isHere) process.stderr.write(NO_PGBOUNCER);

const SECRET = 'the secret of the gateway';
const PASSWORD = 'correct horse battery';
const LAB = JSON.stringify({
  accounts: [{ email: 'ada@lab.example', name: 'Ada', password: PASSWORD }],
  organizations: [
    {
      name: 'Cell Biology',
      members: [{ email: 'ada@lab.example', role: 'administrator' }],
      sources: [{ name: 'gateway', secret: SECRET }],
      groups: [{ name: 'Cold team', emails: ['cold@lab.example'] }],
      services: [1, 2].map((number) => ({
        name: `Freezer ${number}`,
        device: { key: `freezer-${number}` },
        limits: [{ channel: 'temperature', bands: { CRITICAL_HIGH: { limit: -60 } } }],
        notifications: { group: 'Cold team', send_critical: true, repeat_interval_minutes: 0 },
      })),
    },
  ],
});

const MODES: ['transaction' | 'session'][] = [['transaction'], ['session']];

describe.skipIf(!isHere).each(MODES)('in %s mode', (mode) => {
  let own: TestDatabase;
  let env: Record<string, string>;
  beforeAll(async () => {
    own = await createEmptyDatabase();
    const pooler = await startPgBouncer(mode, inject('cluster'));
    whenFileIsDone(pooler.stop);
    env = {
      DATABASE_URL: `postgres://tocsin@127.0.0.1:${pooler.port}/${own.connection.database}`,
      ...(mode === 'transaction' && { TOCSIN_DIRECT_URL: own.url }),
    };
  });

  test('two programs migrate, take readings, tell of alarms, wake each other; commands work beside them', async () => {
    const smtp = await openSmtpReceiver();
    expect(await runCommand(['apply', '-'], env, LAB)).toMatchObject({ code: 0, stderr: '' });
    const [here, there] = await Promise.all(
      [1, 2].map(() => startServing({ ...env, SMTP_URL: smtp.url, LOG_LEVEL: 'silent' })),
    );
    if (!here || !there) throw new Error('Two programs were to start');
    const body = new URLSearchParams({ username: 'ada@lab.example', password: PASSWORD });
    const signIn = await fetch(`${there.url}/api/v1/auth/token`, { method: 'POST', body });
    const { access_token } = (await signIn.json()) as { access_token: string };
    const headers = { authorization: `Bearer ${access_token}` };
    const stream = await openStream(there, headers);
    const post = (device: string, temperature: number, time: number) =>
      fetch(`${here.url}/api/v1/telemetry`, {
        method: 'POST',
        headers: { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' },
        body: JSON.stringify({ device, time, values: { temperature } }),
      });
    const begunAt = Date.now() - 60_000;
    const quiet = await Promise.all(
      Array.from({ length: 200 }, (_, number) => post('freezer-1', -80, begunAt + number)),
    );
    expect(new Set(quiet.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await post('freezer-2', -40, Date.now())).status).toBe(200);
    await expect.poll(stream.changes, { timeout: 10_000 }).toBeGreaterThanOrEqual(1);
    await expect.poll(() => smtp.subjects, { timeout: 60_000 }).toHaveLength(1);

    const alarms = await Promise.all(
      Array.from({ length: 40 }, () => fetch(`${there.url}/api/v1/alarms`, { headers })),
    );
    for (const answer of alarms)
      expect(await answer.json()).toMatchObject([{ service_name: 'Freezer 2', severity: 'critical' }]);
    for (const command of [['why', '1'], ['export', '-', '--service', '1'], ['backup', '-'], ['doctor']])
      expect([command, (await runCommand(command, { ...env, SMTP_URL: smtp.url })).code]).toEqual([
        command,
        0,
      ]);
    expect((await here.stop()).code).toBe(0);
    expect((await there.stop()).code).toBe(0);
  });
});

describe.skipIf(!isHere)('each transaction over another connection', () => {
  let own: TestDatabase;
  let db: PooledDatabase;
  beforeAll(async () => {
    own = await createEmptyDatabase();
    const pooler = await startPgBouncer('transaction', inject('cluster'));
    whenFileIsDone(pooler.stop);
    const { host, port } = pooler;
    db = openPool({ ...own.connection, host, port }, () => {}, own.connection);
    whenFileIsDone(() => db.close());
  });

  const SHOW = sql`
    select current_setting('jit') as jit, current_setting('statement_timeout') as longest,
      current_setting('idle_in_transaction_session_timeout') as still`;

  test.each(['as_planned', 'prepared', 'by_index', 'at_one_moment', 'briefly'] as const)(
    'limits hold for what is sent %s, and for nobody after it',
    async (access) => {
      const longest = access === 'briefly' ? '3s' : '1min';
      const isShort = access === 'by_index' || access === 'at_one_moment';
      const expected = { jit: 'off', longest, still: isShort ? '4s' : '1min' };
      expect(await db.query(SHOW, access)).toEqual([expected]);
      expect(await db.transaction((tx) => tx.query(SHOW), access)).toEqual([expected]);
      const pages = access === 'briefly' ? '3s' : '10s';
      expect(await db.forPages.query(SHOW, access)).toMatchObject([{ longest: pages, still: '4s' }]);
      // Past everything of ours, over a connection of the pooler that was ours before.
      const left = await own.db.query(sql`select 1 from pg_prepared_statements`);
      expect(left).toEqual([]);
    },
  );

  test('a statement that takes too long is given up, and the next one is answered', async () => {
    await expect(db.query(sql`select pg_sleep(4)`, 'briefly')).rejects.toMatchObject({ code: '57014' });
    expect(await db.query(sql`select 1 as one`)).toEqual([{ one: 1 }]);
  });

  test('a lock of a session, and what it listens to, go past the pooler', async () => {
    let woken = 0;
    const stop = db.listen(() => {
      woken += 1;
    });
    await expect.poll(() => woken).toBeGreaterThan(0);
    const before = woken;
    await db.transaction(async (tx) => {
      await tx.query(sql`select 1`);
      tx.announce();
    });
    await expect.poll(() => woken).toBeGreaterThan(before);
    stop();
    const alone = await db.alone((session) =>
      session.query<{ port: number }>(sql`select inet_server_port() as port`),
    );
    expect(alone).toHaveLength(1);
  });
});

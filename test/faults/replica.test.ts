// What may be a little old is read from another database, which here is a stranger: what it answers shows who was asked.
import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import type { Database } from '../../src/platform/db/database.ts';
import { openDatabaseProxy } from '../support/database-proxy.ts';
import { PASSWORD } from '../support/people.ts';
import { runCommand, startServing } from '../support/program.ts';
import { cloneDatabase } from '../support/test-database.ts';

const SECRET = 'the secret of the gateway';
const ADA = 'ada@lab.example';
const LAB = JSON.stringify({
  accounts: [{ email: ADA, name: 'Ada', password: PASSWORD }],
  organizations: [
    {
      name: 'Cell Biology',
      members: [{ email: ADA, role: 'administrator' }],
      sources: [{ name: 'gateway', secret: SECRET }],
      services: [
        {
          name: 'Freezer',
          device: { key: 'freezer' },
          limits: [{ channel: 'temperature', bands: { CRITICAL_HIGH: { limit: -60 } } }],
        },
      ],
    },
  ],
});

/** As if a program had said this long ago that it is at work. */
const beat = (replica: Database, ago: string) =>
  replica.query(sql`
    insert into program (id, host, pid, version, roles, started_at, beat_at, awake_since)
    select gen_random_uuid(), 'elsewhere', 1, '1', '{web}', at, at, at from (select now() - ${ago}::interval as at) as beaten`);

test('charts, downloads and the audit come from a replica that follows closely, all else never does', async () => {
  const [primary, replica] = [await cloneDatabase(), await cloneDatabase()];
  const proxy = await openDatabaseProxy(replica.connection);
  const { password, database } = replica.connection;
  const readUrl = `postgres://tocsin:${password}@127.0.0.1:${proxy.port}/${database}`;
  for (const { url } of [primary, replica])
    expect(await runCommand(['apply', '-'], { DATABASE_URL: url, LOG_LEVEL: 'silent' }, LAB)).toMatchObject({
      code: 0,
    });
  const { url } = await startServing({
    DATABASE_URL: primary.url,
    TOCSIN_READ_URL: readUrl,
    LOG_LEVEL: 'silent',
  });
  const body = new URLSearchParams({ username: ADA, password: PASSWORD });
  const signedIn = await fetch(`${url}/api/v1/auth/token`, { method: 'POST', body });
  const { access_token: token } = (await signedIn.json()) as { access_token: string };
  const open = async (path: string) => {
    const answer = await fetch(url + path, { headers: { cookie: `access_token=${token}` } });
    expect([path, answer.status]).toEqual([path, 200]);
    return answer.text();
  };
  const posted = await fetch(`${url}/api/v1/telemetry`, {
    method: 'POST',
    headers: { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' },
    body: JSON.stringify({ device: 'freezer', values: { temperature: -41.25 } }),
  });
  expect(posted.status).toBe(200);

  const [{ id } = { id: 0 }] = await primary.db.query<{ id: number }>(sql`select id from service`);
  /** Whether the reading, and the sign-in, are known where each was read. */
  const knows = async () => ({
    chart: (await open(`/services/${id}/series?channel=temperature`)).includes('-41.25'),
    download: (await open(`/services/${id}/readings.csv`)).includes('-41.25'),
    audit: (await open('/audit.csv')).includes('auth.token'),
    list: (await open('/api/v1/alarms')).includes('Freezer'),
    page: (await open(`/services/${id}/now`)).includes('−41.25'),
  });
  const byPrimary = { chart: true, download: true, audit: true, list: true, page: true };
  const byReplica = { ...byPrimary, chart: false, download: false, audit: false };
  const soon = { timeout: 30_000, interval: 200 };

  // Nobody ever beat there: it follows nobody.
  expect(await knows()).toEqual(byPrimary);
  await beat(replica.db, '1 second');
  await expect.poll(knows, soon).toEqual(byReplica);
  await replica.db.query(sql`update program set beat_at = now() - interval '1 minute'`);
  await expect.poll(knows, soon).toEqual(byPrimary);
  await beat(replica.db, '-1 hour');
  await expect.poll(knows, soon).toEqual(byReplica);
  proxy.target = { host: '127.0.0.1', port: 1 };
  proxy.cut();
  expect(await knows()).toEqual(byPrimary);
});

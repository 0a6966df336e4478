import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import sql from 'sql-template-tag';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Database, Tx } from '../../src/platform/db/database.ts';
import { CommitUnknown, PassingFault } from '../../src/platform/db/passing-fault.ts';
import { openDatabaseProxy } from '../support/database-proxy.ts';
import { createFreezer, setAlarm } from '../support/equipment.ts';
import { invitePeople } from '../support/people.ts';
import { cloneDatabase, openBeside, type TestDatabase } from '../support/test-database.ts';
import { startServerOn } from '../support/test-server.ts';

let own: TestDatabase;
let db: Database;
beforeAll(async () => {
  own = await cloneDatabase();
  ({ db } = own);
});

const pidOf = async (tx: Tx) =>
  (await tx.query<{ pid: number }>(sql`select pg_backend_pid() as pid`))[0]?.pid;
const kill = (pid: number | undefined) => db.query(sql`select pg_terminate_backend(${pid})`);

describe('a connection that is lost inside a transaction', () => {
  test('in the middle of a statement: the transaction fails, the program goes on', async () => {
    const failed = db.transaction(async (tx) => {
      const pid = await pidOf(tx);
      await Promise.all([tx.query(sql`select pg_sleep(20)`), sleep(100).then(() => kill(pid))]);
    });
    await expect(failed).rejects.toThrow(/terminat|connection|EPIPE|ECONNRESET/i);
    expect(await db.query(sql`select 1 as one`)).toEqual([{ one: 1 }]);
  });

  test('between two statements: the same', async () => {
    const failed = db.transaction(async (tx) => {
      await kill(await pidOf(tx));
      await sleep(100);
      await tx.query(sql`select 1`);
    });
    await expect(failed).rejects.toThrow(/terminat|connection|EPIPE|ECONNRESET/i);
    expect(await db.query(sql`select 1 as one`)).toEqual([{ one: 1 }]);
  });

  test('what was written before is gone', async () => {
    const failed = db.transaction(async (tx) => {
      await tx.query(sql`insert into organization (name, created_at) values ('Half done', '2026-11-15')`);
      await kill(await pidOf(tx));
      await sleep(100);
    });
    await expect(failed).rejects.toThrow();
    expect(await db.query(sql`select 1 from organization where name = 'Half done'`)).toEqual([]);
  });
});

/** The same database, seen through a network that fails. */
async function openBehindProxy(settings: pg.PoolConfig = {}) {
  const proxy = await openDatabaseProxy(own.connection);
  const behind = openBeside(own, { host: '127.0.0.1', port: proxy.port, ...settings });
  return { behind, proxy };
}

describe('a connection that is lost at the commit: nobody knows whether it was done, and that is said', () => {
  const carries = (sent: Buffer) => sent.includes('commit\0');

  test.each([
    ['before the server heard of it', 'cut_before', 0],
    ['after the server did it', 'cut_after', 1],
  ] as const)('%s', async (_, fate, written) => {
    for (const access of ['as_planned', 'by_index'] as const) {
      const { behind, proxy } = await openBehindProxy();
      proxy.onSent = (sent) => (carries(sent) ? fate : 'pass');
      const name = `${fate} ${access}`;
      const insert = sql`insert into organization (name, created_at) values (${name}, '2026-11-15')`;
      await expect(behind.transaction((tx) => tx.query(insert), access)).rejects.toThrow(CommitUnknown);
      proxy.onSent = () => 'pass';
      expect(await behind.query(sql`select 1 as one`, access)).toEqual([{ one: 1 }]);
      expect(await db.query(sql`select 1 from organization where name = ${name}`)).toHaveLength(written);
    }
  });

  test('before that, all is known: nothing was done', async () => {
    const { behind, proxy } = await openBehindProxy();
    const written = behind.transaction(async (tx) => {
      await tx.query(sql`select 1`);
      proxy.cut();
      await sleep(50);
    });
    await expect(written).rejects.toThrow(PassingFault);
    await expect(written).rejects.not.toThrow(CommitUnknown);
  });

  test('of what only reads, nobody asks whether it was done', async () => {
    const { behind, proxy } = await openBehindProxy();
    proxy.onSent = (sent) => (carries(sent) ? 'cut_after' : 'pass');
    const read = behind.query(sql`select 1 as one`, 'at_one_moment');
    await expect(read).rejects.toThrow(PassingFault);
    await expect(read).rejects.not.toThrow(CommitUnknown);
    proxy.onSent = () => 'pass';
    expect(await behind.query(sql`select 1 as one`, 'at_one_moment')).toEqual([{ one: 1 }]);
  });

  test('who asked over HTTP is told to look first', async () => {
    const { behind, proxy } = await openBehindProxy();
    const server = await startServerOn(behind);
    const people = await invitePeople(server);
    const freezer = await createFreezer(server, people);
    await setAlarm(server, freezer, { severity: 'critical' });
    proxy.onSent = (sent) => (carries(sent) ? 'cut_after' : 'pass');
    const answer = await people.oscar.post(`/api/v1/alarms/${freezer.id}/acknowledge`);
    proxy.onSent = () => 'pass';
    expect([answer.status, answer.headers.get('retry-after'), await answer.json()]).toEqual([
      503,
      '5',
      { detail: 'It is not known whether this was saved: look before you try again' },
    ]);
    const again = await people.oscar.post(`/api/v1/alarms/${freezer.id}/acknowledge`);
    expect(await again.json()).toEqual({ detail: 'Alarm already acknowledged at this severity' });
  });
});

test('a server that vanishes without a word is given up after a while, and found again', async () => {
  const { behind, proxy } = await openBehindProxy({
    max: 1,
    query_timeout: 500,
    connectionTimeoutMillis: 500,
  });
  await behind.query(sql`select 1`);
  proxy.isDumb = true;
  await expect(behind.transaction((tx) => tx.query(sql`select 1`))).rejects.toThrow(PassingFault);
  await expect(behind.query(sql`select 1`, 'by_index')).rejects.toThrow(PassingFault);
  proxy.isDumb = false;
  expect(await behind.query(sql`select 1 as one`)).toEqual([{ one: 1 }]);
  expect(behind.pressure()).toMatchObject({ total: 1, waiting: 0 });
});

test('a wire on which a word was lost is given up: the next one gets through', async () => {
  const { behind, proxy } = await openBehindProxy({ query_timeout: 300 });
  let heard = 0;
  const announce = async () => {
    await behind.transaction(async (tx) => tx.announce());
    return heard;
  };
  const stop = db.listen(() => {
    heard += 1;
  });
  onTestFinished(stop);
  await expect.poll(announce).toBeGreaterThan(0);
  proxy.onSent = (sent) => {
    if (!sent.includes('notify tocsin')) return 'pass';
    proxy.onSent = () => 'pass';
    return 'swallow';
  };
  const before = heard;
  await announce();
  await expect.poll(announce, { interval: 200 }).toBeGreaterThan(before);
});

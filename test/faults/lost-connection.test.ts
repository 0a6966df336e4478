import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import sql, { type Sql } from 'sql-template-tag';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { forgetActs, insertAct, settleAct } from '../../src/platform/db/acts.ts';
import type { Database, PooledDatabase, Tx } from '../../src/platform/db/database.ts';
import { CommitUnknown, PassingFault } from '../../src/platform/db/passing-fault.ts';
import { openDatabaseProxy } from '../support/database-proxy.ts';
import { createFreezer, setAlarm } from '../support/equipment.ts';
import { invitePeople } from '../support/people.ts';
import { cloneDatabase, openBeside, type TestDatabase } from '../support/test-database.ts';
import { startServerOn } from '../support/test-server.ts';
import { untilSomebodyWaits } from '../support/waiting.ts';

let own: TestDatabase;
let db: Database;
beforeAll(async () => {
  own = await cloneDatabase();
  ({ db } = own);
});

const pidOf = async (tx: Tx) =>
  (await tx.query<{ pid: number }>(sql`select pg_backend_pid() as pid`))[0]?.pid;
const kill = (pid: number | undefined) => db.query(sql`select pg_terminate_backend(${pid}::int)`);

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

const carries = (sent: Buffer) => sent.includes('commit\0');

describe('a connection that is lost at the commit: nobody knows whether it was done, and that is said', () => {
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

describe('a connection that is lost at the commit of what somebody did: it is looked whether it happened', () => {
  /** Of the first commit; what is asked afterwards passes. */
  async function openPeople(fate: 'cut_before' | 'cut_after') {
    const { behind, proxy } = await openBehindProxy();
    const server = await startServerOn((behind as PooledDatabase).forPages);
    const people = await invitePeople(server);
    const freezer = await createFreezer(server, people);
    await setAlarm(server, freezer, { severity: 'critical' });
    proxy.onSent = (sent) => {
      if (!carries(sent)) return 'pass';
      proxy.onSent = () => 'pass';
      return fate;
    };
    const acknowledge = () => people.oscar.post(`/api/v1/alarms/${freezer.id}/acknowledge`);
    const count = async () =>
      (await db.query(sql`select 1 from acknowledgement where service_id = ${freezer.id}`)).length;
    return { acknowledge, count };
  }

  test('it did: the answer is as if nothing had been lost', async () => {
    const { acknowledge, count } = await openPeople('cut_after');
    expect((await acknowledge()).status).toBe(200);
    expect(await count()).toBe(1);
  });

  test('it did not, and never will: it is to be tried again', async () => {
    const { acknowledge, count } = await openPeople('cut_before');
    const answer = await acknowledge();
    expect([answer.status, answer.headers.get('retry-after'), await answer.json()]).toEqual([
      503,
      '5',
      { detail: 'The database is not available at the moment: try again' },
    ]);
    expect(await count()).toBe(0);
    expect((await acknowledge()).status).toBe(200);
    expect(await count()).toBe(1);
  });

  test('it is still under way: who asks waits for its end', async () => {
    const act = randomUUID();
    let end = () => {};
    const underway = db.transaction(async (tx) => {
      await tx.query(sql`insert into organization (name, created_at) values ('Under way', '2026-11-15')`);
      await tx.query(insertAct(act));
      await new Promise<void>((resolve) => {
        end = resolve;
      });
    });
    await expect
      .poll(() => db.query(sql`select pid from pg_locks where locktype = 'transactionid'`))
      .not.toEqual([]);
    const settled = settleAct((statement) => db.query(statement), act, new CommitUnknown('lost'));
    await untilSomebodyWaits(db);
    end();
    await settled;
    await underway;
  });

  test('what was noted is forgotten a day after the housekeeping saw it', async () => {
    const at = (text: string) => new Date(`2026-11-${text}:00Z`);
    const ask = (statement: Sql) => db.query(statement);
    await db.transaction(async (tx) => {
      await tx.query(sql`insert into organization (name, created_at) values ('Noted', '2026-11-15')`);
      await tx.query(insertAct(randomUUID()));
    });
    const count = async () => (await db.query(sql`select 1 from act`)).length;
    await forgetActs(ask, at('15T12:00'));
    await forgetActs(ask, at('16T11:59'));
    expect(await count()).toBeGreaterThan(0);
    await forgetActs(ask, at('16T12:01'));
    expect(await count()).toBe(0);
  });

  test('what only read leaves nothing behind', async () => {
    const { behind } = await openBehindProxy();
    const before = await db.query(sql`select 1 from act`);
    await (behind as PooledDatabase).forPages.transaction((tx) => tx.query(sql`select 1`));
    expect(await db.query(sql`select 1 from act`)).toHaveLength(before.length);
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

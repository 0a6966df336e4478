// However a connection is made, nothing is compiled on it: our statements are short and many. Those of pages give up sooner.

import { pino } from 'pino';
import sql from 'sql-template-tag';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openClient } from '../../src/platform/db/connect.ts';
import { openPool, type PooledDatabase } from '../../src/platform/db/database.ts';
import { openDatabase } from '../../src/platform/db/open-database.ts';
import { cloneDatabase } from '../support/test-database.ts';
import { whenFileIsDone } from '../support/when-file-is-done.ts';

const SHOW = sql`select current_setting('jit') as jit, current_setting('work_mem') as "workMem"`;
let own: { db: PooledDatabase; url: string };
beforeAll(async () => {
  const { db, url } = await cloneDatabase();
  // As every distribution's server has it.
  await db.query(sql`
    do $$ begin execute format('alter database %I set jit = on', current_database()); end $$`);
  own = { url, db: openPool({ connectionString: url }, () => {}) };
  whenFileIsDone(own.db.close);
});

/** As a program does, with this at the end of its DATABASE_URL. */
async function openWith(parameter: string): Promise<PooledDatabase> {
  const databaseUrl = parameter && `${own.url}${own.url.includes('?') ? '&' : '?'}${parameter}`;
  const log = pino({ level: 'silent' });
  const db = await openDatabase({ databaseUrl: databaseUrl || own.url, dataDir: '' }, log);
  onTestFinished(() => db.close());
  return db;
}

describe.each([
  ['a plain DATABASE_URL', '', '4MB'],
  ['one with settings of its own', `options=${encodeURIComponent('-c work_mem=5MB')}`, '5MB'],
])('%s', (_, parameter, workMem) => {
  const expected = [{ jit: 'off', workMem }];

  test.each(['as_planned', 'by_index'] as const)('a query %s', async (access) => {
    const db = await openWith(parameter);
    expect(await db.query(SHOW, access)).toEqual(expected);
    expect(await db.forPages.query(SHOW, access)).toEqual(expected);
  });

  test.each(['as_planned', 'by_index'] as const)('a transaction %s', async (access) => {
    const db = await openWith(parameter);
    expect(await db.transaction((tx) => tx.query(SHOW), access)).toEqual(expected);
  });

  test('after a statement that failed', async () => {
    const db = await openWith(parameter);
    await expect(db.query(sql`select 1 / 0`)).rejects.toThrow('division by zero');
    expect(await db.query(SHOW)).toEqual(expected);
  });
});

describe('an idle connection that the server ends', () => {
  async function openOne() {
    const errors: object[] = [];
    const db = openPool({ connectionString: own.url, max: 1 }, (error) => void errors.push(error));
    const [row] = await db.query<{ pid: number }>(sql`select pg_backend_pid() as pid`);
    const pid = row?.pid ?? 0;
    const end = () => own.db.query(sql`select pg_terminate_backend(${pid})`);
    const isGone = () =>
      expect
        .poll(() => own.db.query(sql`select from pg_stat_activity where pid = ${pid}`), { timeout: 20_000 })
        .toEqual([]);
    return { db, errors, pid, end, isGone };
  }

  test('is told of, without all that is known of the connection', async () => {
    const { db, errors, end } = await openOne();
    onTestFinished(() => db.close());
    await end();
    await expect.poll(() => errors).toMatchObject([{ code: '57P01' }]);
    expect(errors[0]).not.toHaveProperty('client');
    expect(await db.query(sql`select 1 as one`)).toEqual([{ one: 1 }]);
  });

  test('is of no interest once the pool is closed, though the server had not heard of that', async () => {
    const { db, errors, pid, end, isGone } = await openOne();
    process.kill(pid, 'SIGSTOP');
    try {
      await db.close();
      await end();
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await isGone();
    expect(errors).toEqual([]);
  });
});

test('a pool without a DATABASE_URL', async () => {
  expect(await own.db.query(SHOW)).toMatchObject([{ jit: 'off' }]);
});

test('a connection of its own', async () => {
  const client = await openClient({ connectionString: own.url });
  onTestFinished(() => client.end());
  expect((await client.query('show jit')).rows).toEqual([{ jit: 'off' }]);
});

test.each([
  ['a plain DATABASE_URL', '', ['1min', '10s']],
  ['one that allows more', 'statement_timeout=120000', ['2min', '10s']],
  ['one that allows less', 'statement_timeout=2000', ['2s', '2s']],
  ['one without an end', 'statement_timeout=0', ['0', '10s']],
])('how long a statement of the engine and one of a page may take: %s', async (_, parameter, expected) => {
  const db = await openWith(parameter);
  const limits = [db, db.forPages].map((some) =>
    some.query<{ limit: string }>(sql`select current_setting('statement_timeout') as limit`),
  );
  expect((await Promise.all(limits)).map((rows) => rows[0]?.limit)).toEqual(expected);
});

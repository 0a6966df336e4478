import { setTimeout as sleep } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Database, Tx } from '../../src/platform/db/database.ts';
import { cloneDatabase } from '../support/test-database.ts';

let db: Database;
beforeAll(async () => {
  ({ db } = await cloneDatabase());
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

import pg from 'pg';
import sql, { raw } from 'sql-template-tag';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { COMMAND_LINE } from '../../src/domain/accounts/requester.ts';
import { writeAudit } from '../../src/engine/audit/write-audit.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { STORY_BEGINS_AT as now } from '../support/movable-clock.ts';
import { cloneDatabase } from '../support/test-database.ts';

let db: Database;
let database: string;
beforeAll(async () => {
  ({ db } = await cloneDatabase());
  const [current] = await db.query<{ name: string }>(sql`select current_database() as name`);
  database = current?.name ?? '';
  await db.transaction((tx) => writeAudit(tx, COMMAND_LINE, { action: 'account.create' }, now));
});

const CHANGES = [
  `update audit set account_name = 'somebody else'`,
  'update audit set detail = detail where false',
  'delete from audit',
  'truncate audit',
  `insert into audit (happened_at, action) values ('2026-01-01', 'a.b') on conflict (id) do update set action = 'c.d'`,
];
const REFUSAL = 'audit records cannot be changed or deleted';

describe('audit records cannot be changed or deleted', () => {
  test.each(CHANGES)('by the program: %s', async (statement) => {
    await expect(db.query(raw(statement))).rejects.toThrow(REFUSAL);
  });

  test.each(CHANGES)('by the superuser in a replica session: %s', async (statement) => {
    const superuser = new pg.Client({ ...inject('cluster'), user: 'postgres', database });
    await superuser.connect();
    try {
      await superuser.query('set session_replication_role = replica');
      await expect(superuser.query(statement)).rejects.toThrow(REFUSAL);
    } finally {
      await superuser.end();
    }
  });

  test('and the record is still there', async () => {
    expect(await db.query(sql`select action, account_name from audit`)).toEqual([
      { action: 'account.create', account_name: 'command line' },
    ]);
  });
});

test('a record commits with the change it tells of, or not at all', async () => {
  const failed = db.transaction(async (tx) => {
    await writeAudit(tx, COMMAND_LINE, { action: 'account.delete' }, now);
    throw new Error('power cut');
  });
  await expect(failed).rejects.toThrow('power cut');
  expect(await db.query(sql`select 1 from audit where action = 'account.delete'`)).toEqual([]);
});

// Statements that travel together, prepared or not: the same values, the same order, nothing kept of a failure.
import sql, { raw } from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../src/platform/db/database.ts';
import { packBigints, packFloats, packInts, packXids } from '../../src/platform/db/pack-numbers.ts';
import { cloneDatabase } from '../support/test-database.ts';

let db: Database;
beforeAll(async () => {
  ({ db } = await cloneDatabase());
  await db.query(raw('create table note (id int primary key, text text, at timestamptz, is_read bool)'));
});

const insert = (id: number, text: string | null, at: Date | null, isRead: boolean) =>
  sql`insert into note select given.id, ${text}, ${at}, ${isRead} from unnest(${[id]}::int[]) as given (id)`;

describe.each(['as_planned', 'by_index'] as const)('%s', (access) => {
  beforeAll(() => db.query(raw('truncate note')));

  test('values of every kind arrive as they are, time after time', async () => {
    const at = new Date('2026-11-15T03:00:00Z');
    for (const id of [1, 2, 3])
      await db.transaction(async (tx) => tx.later(insert(id, `it's "${id}" \\ $1`, at, true)), access);
    await db.transaction(async (tx) => tx.later(insert(4, null, null, false)), access);
    const rows = await db.query(sql`select text, at, is_read as "isRead" from note order by id`);
    expect(rows).toEqual([
      ...[1, 2, 3].map((id) => ({ text: `it's "${id}" \\ $1`, at, isRead: true })),
      { text: null, at: null, isRead: false },
    ]);
  });

  test('packed numbers arrive as they are', async () => {
    const [rows] = await db.transaction(
      (tx) =>
        tx.queryAll([
          sql`select ${packInts([1, null, -2_147_483_648, 2_147_483_647])}::int[] as ints,
            ${packXids([0, 3, 4_294_967_295])}::xid[]::text[] as xids,
            ${packFloats([-80.1, null, 5e-324, 1.7976931348623157e308, 0.1])}::float8[] as floats,
            ${packBigints([1_794_796_274_182, null, 0, -1, -5_000_000_000, Number.MAX_SAFE_INTEGER])}::bigint[]::text[] as bigints,
            ${packFloats([])}::float8[] as none`,
        ]),
      access,
    );
    expect(rows).toEqual([
      {
        ints: [1, null, -2_147_483_648, 2_147_483_647],
        xids: ['0', '3', '4294967295'],
        floats: [-80.1, null, 5e-324, 1.7976931348623157e308, 0.1],
        bigints: ['1794796274182', null, '0', '-1', '-5000000000', '9007199254740991'],
        none: [],
      },
    ]);
  });

  test('a query of its own answers, and what fails leaves its connection usable', async () => {
    const divide = (by: number) => db.query(sql`select 6 / ${by}::int as result`, access);
    expect(await divide(2)).toEqual([{ result: 3 }]);
    await expect(divide(0)).rejects.toThrow('division by zero');
    expect(await Promise.all([divide(1), divide(2), divide(3)])).toEqual([
      [{ result: 6 }],
      [{ result: 3 }],
      [{ result: 2 }],
    ]);
  });

  test('each statement sees what those before it did, and answers for itself', async () => {
    const answers = await db.transaction(async (tx) => {
      tx.later(sql`delete from note`);
      return tx.queryAll([
        sql`select count(*)::int as count from note`,
        insert(5, 'five', null, false),
        sql`select id from note where text = ${'five'}`,
      ]);
    }, access);
    expect(answers).toEqual([[{ count: 0 }], [], [{ id: 5 }]]);
  });

  test('what fails takes all of it back, and the connection goes on with the same statements', async () => {
    const write = (id: number, wrong: boolean) =>
      db.transaction(async (tx) => {
        await tx.queryAll([insert(id, 'kept', null, false), sql`select 1 / ${wrong ? 0 : 1}::int as one`]);
      }, access);
    await expect(write(6, true)).rejects.toThrow('division by zero');
    await expect(
      db.transaction((tx) => tx.queryAll([sql`select ${1} from nowhere`]), access),
    ).rejects.toThrow('nowhere');
    await write(6, false);
    expect(await db.query(sql`select id from note where text = 'kept'`)).toEqual([{ id: 6 }]);
  });
});

test('a statement whose table has changed since it was planned fails once, and is planned anew', async () => {
  const { db: own } = await cloneDatabase();
  await own.query(raw('create table thing (id int)'));
  const select = () => own.transaction((tx) => tx.query(sql`select * from thing`), 'by_index');
  expect(await select()).toEqual([]);
  await own.query(raw('alter table thing add column name text'));
  await expect(select()).rejects.toThrow('cached plan must not change result type');
  await own.query(sql`insert into thing values (1, 'one')`);
  expect(await select()).toEqual([{ id: 1, name: 'one' }]);
});

test('a value that cannot be sent fails its own statement, and the connection goes on', async () => {
  const round: Record<string, unknown> = {};
  round.self = round;
  for (const access of ['as_planned', 'by_index'] as const) {
    await expect(db.query(sql`select ${round}::jsonb`, access)).rejects.toThrow();
    expect(await db.query(sql`select ${1}::int as one`, access)).toEqual([{ one: 1 }]);
  }
});

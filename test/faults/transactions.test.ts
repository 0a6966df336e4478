// Statements that travel together, prepared or not: the same values, the same order, nothing kept of a failure.
import pg from 'pg';
import sql, { raw } from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../src/platform/db/database.ts';
import { packBigints, packFloats, packInts, packXids } from '../../src/platform/db/pack-numbers.ts';
import { openLab } from '../support/lab.ts';
import { minutes } from '../support/movable-clock.ts';
import { cloneDatabase, openBeside, type TestDatabase } from '../support/test-database.ts';
import { startServerOn } from '../support/test-server.ts';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await cloneDatabase();
  ({ db } = database);
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

  test('a failure that is swallowed still fails the transaction: the server rolled it back', async () => {
    const written = db.transaction(async (tx) => {
      await tx.query(insert(7, 'lost', null, false));
      await tx.query(sql`select 1 / ${0}::int`).catch(() => {});
      return 'written';
    }, access);
    await expect(written).rejects.toThrow('division by zero');
    expect(await db.query(sql`select id from note where id = 7`)).toEqual([]);
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

test('nothing of a transaction is done outside of it: what failed before it began ends it', async () => {
  const unwritable = { toJSON: () => BigInt(1) };
  const written = db.transaction(async (tx) => {
    await tx.query(sql`select ${unwritable}::jsonb`).catch(() => {});
    await tx.query(insert(9, 'stray', null, false));
  });
  await expect(written).rejects.toThrow('BigInt');
  expect(await db.query(sql`select 1 from note where text = 'stray'`)).toEqual([]);
});

describe('a value that cannot be sent fails its own statement, and the connection goes on', () => {
  const round: Record<string, unknown> = {};
  round.self = round;
  // Looks like bytes until they are counted: it fails when half of the message is written.
  const hollow = Object.create(Buffer.prototype);

  test.each([
    ['that cannot be written down', round],
    ['that fails on its way', hollow],
  ])('one %s', { timeout: 10_000 }, async (_, value) => {
    const own = openBeside(database, { max: 1 });
    for (const access of ['as_planned', 'by_index'] as const) {
      const isAlive = async () =>
        expect(await own.query(sql`select ${1}::int as one`, access)).toEqual([{ one: 1 }]);
      await expect(own.query(sql`select ${value}::jsonb`, access)).rejects.toThrow(TypeError);
      await isAlive();
      const written = own.transaction(async (tx) => {
        tx.later(sql`create table half_done ()`);
        return tx.queryAll([sql`select 1`, sql`select ${value}::jsonb`, sql`select 2`]);
      }, access);
      await expect(written).rejects.toThrow(TypeError);
      await isAlive();
      expect(await own.query(sql`select to_regclass('half_done') as "made"`)).toEqual([{ made: null }]);
    }
  });
});

test('a row that cannot be read fails its own statement, and the connection goes on', async () => {
  const own = openBeside(database, { max: 1 });
  const CIRCLE = 718;
  pg.types.setTypeParser(CIRCLE, () => {
    throw new RangeError('no circles');
  });
  await expect(own.query(sql`select circle '((1, 2), 3)' from generate_series(1, 3)`)).rejects.toThrow(
    'no circles',
  );
  expect(await own.query(sql`select 1 as one`)).toEqual([{ one: 1 }]);
});

describe('what a connection has prepared', () => {
  const count = async (own: Database) =>
    (await own.query<{ count: number }>(sql`select count(*)::int as count from pg_prepared_statements`))[0]
      ?.count;
  const ask = (own: Database, text: string) => own.query(raw(text), 'by_index');

  test('is bounded, however many texts there are', async () => {
    const own = openBeside(database, { max: 1 });
    for (let number = 0; number < 600; number += 1) await ask(own, `select ${number} as number`);
    expect(await count(own)).toBeLessThan(300);
    expect(await ask(own, 'select 599 as number')).toEqual([{ number: 599 }]);
    expect(await ask(own, 'select 0 as number')).toEqual([{ number: 0 }]);
  });

  test('is not added to by statements that fail, nor by the same text twice in a message', async () => {
    const own = openBeside(database, { max: 1 });
    await own.transaction((tx) => tx.query(raw('select 1 as one')), 'by_index');
    const before = await count(own);
    for (let turn = 0; turn < 20; turn += 1)
      await expect(ask(own, `select 1 / (${turn} - ${turn})`)).rejects.toThrow('division by zero');
    for (let turn = 0; turn < 20; turn += 1)
      await own.transaction(
        (tx) => tx.queryAll([raw('select 2 as two'), raw('select 2 as two')]),
        'by_index',
      );
    expect(await count(own)).toBe((before ?? 0) + 1);
  });

  test('is the same statement whether a value is there or not', async () => {
    const own = openBeside(database, { max: 1 });
    const ask = (value: number | null) => own.query(sql`select ${value}::int as value`, 'by_index');
    await ask(1);
    const before = await count(own);
    expect(await ask(null)).toEqual([{ value: null }]);
    expect(await ask(2)).toEqual([{ value: 2 }]);
    expect(await count(own)).toBe(before);
  });

  test('does not grow while readings come in, whatever their shape', async () => {
    const own = openBeside(database, { max: 1 });
    const lab = await openLab(await startServerOn(own));
    const freezers = [await lab.freezer(), await lab.freezer(), await lab.freezer()];
    const takeIn = async (turn: number) => {
      for (const [index, { device }] of freezers.entries())
        await lab.post([
          { device, values: { temperature: index === turn % 3 ? 20 : -80 - turn / 10 } },
          ...(turn % 2
            ? [{ device, values: { temperature: -81, door: true, [`extra ${turn}`]: turn } }]
            : []),
          { device: 'unknown', values: { temperature: 1 } },
        ]);
      await lab.advance(minutes(turn % 5 === 0 ? 20 : 1));
      await lab.tick();
    };
    for (let turn = 0; turn < 10; turn += 1) await takeIn(turn);
    const before = await count(own);
    expect(before).toBeLessThan(150);
    for (let turn = 10; turn < 30; turn += 1) await takeIn(turn);
    expect(await count(own)).toBe(before);
  });
});

// Changes of a schema that is in use: as long as they take, beside programs that run, broken off and begun again.
import { pino } from 'pino';
import sql, { raw } from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { housekeepingTasks } from '../../src/engine/program/housekeeping.ts';
import { createClockLoop } from '../../src/platform/clock-loop.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { migrate } from '../../src/platform/db/migrate.ts';
import {
  compareSchema,
  describeMigration,
  type Migration,
  readMigrations,
} from '../../src/platform/db/migrations.ts';
import { STORY_BEGINS_AT } from '../support/movable-clock.ts';
import {
  cloneDatabase,
  createEmptyDatabase,
  openBeside,
  type TestDatabase,
} from '../support/test-database.ts';

const IMPATIENT = { lockTimeoutMs: 100, pauseMs: 50, attempts: 100 };
const now = STORY_BEGINS_AT;

let own: TestDatabase;
let db: Database;
let known: Migration[];
beforeAll(async () => {
  own = await cloneDatabase();
  ({ db } = own);
  known = await readMigrations();
});
beforeEach(async () => {
  await db.query(raw('drop table if exists note'));
  await db.query(sql`delete from schema_migration where name > '9'`);
  await db.query(raw('create table note (id int, text text)'));
  await db.query(raw('insert into note select n, n::text from generate_series(1, 1000) n'));
});

const add = (name: string, text: string) => describeMigration(name, text);
const apply = (pending: Migration[], database = db, attempts = IMPATIENT.attempts) =>
  migrate(database, now, { migrations: [...known, ...pending], patience: { ...IMPATIENT, attempts } });
const namesAfter = async () =>
  (
    await db.query<{ name: string }>(sql`select name from schema_migration where name > '9' order by name`)
  ).map(({ name }) => name);
const indexes = () =>
  db.query(sql`
    select indexrelid::regclass::text as "name", indisvalid as "isValid" from pg_index
    where indrelid = 'note'::regclass order by 1`);
const columns = async () =>
  (
    await db.query<{ name: string }>(
      sql`select column_name as "name" from information_schema.columns where table_name = 'note'`,
    )
  ).map(({ name }) => name);

const LONG = add('9001_long.sql', 'select pg_sleep(0.5); alter table note add column author text;');
const INDEX = add(
  '9002_index.sql',
  '-- Outside a transaction: note is big.\ncreate index concurrently if not exists note_by_text on note (text);\n',
);
const LATER = add('9003_later.sql', 'alter table note add column topic text;');

test('a migration takes longer than any statement of the service may, also where DATABASE_URL sets a limit', async () => {
  const hurried = openBeside(own, { statement_timeout: 200, query_timeout: 250 });
  expect(await apply([LONG], hurried)).toEqual({ applied: [LONG.name] });
  expect(await columns()).toContain('author');
});

describe('somebody else holds the table', () => {
  test('the migration steps back again and again, others get through, and it comes to its turn', async () => {
    let isHeld = true;
    let release = () => {};
    const holding = db.transaction(async (tx) => {
      await tx.query(sql`select * from note limit 1`);
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      isHeld = false;
    });
    const applying = apply([LATER]);
    const waiting = sql`select 1 from pg_stat_activity where application_name = 'tocsin alone' and wait_event_type = 'Lock' and datname = current_database()`;
    await expect.poll(() => db.query(waiting)).toHaveLength(1);
    // Queues up behind the migration, which has to step back first.
    expect(await db.query(sql`select id from note where id = 7`)).toEqual([{ id: 7 }]);
    expect(isHeld).toBe(true);
    release();
    await holding;
    expect(await applying).toEqual({ applied: [LATER.name] });
  });

  test('it gives up in the end, in words, and the files before it stay applied', async () => {
    await db.transaction(async (tx) => {
      await tx.query(sql`select * from audit limit 1`);
      const blocked = add(
        '9004_blocked.sql',
        'create table half_done (); alter table audit add column topic text;',
      );
      await expect(apply([LATER, blocked], db, 2)).rejects.toThrow(
        'Migration 9004_blocked.sql did not get its locks in 2 attempts, and changed nothing: ' +
          'somebody holds the tables. Stop the other programs and try again.',
      );
    });
    expect(await namesAfter()).toEqual([LATER.name]);
    expect(await db.query(sql`select to_regclass('half_done') as "made"`)).toEqual([{ made: null }]);
  });
});

describe('an index is built outside a transaction', () => {
  const built = [{ name: 'note_by_text', isValid: true }];

  test('while others write, and by one of several programs', async () => {
    let finish = () => {};
    const writing = db.transaction(async (tx) => {
      await tx.query(sql`insert into note values (1001, 'new')`);
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
    });
    const applying = [apply([INDEX, LATER]), apply([INDEX, LATER]), apply([INDEX, LATER])];
    await expect.poll(indexes).toHaveLength(1);
    await db.query(sql`insert into note values (1002, 'newer')`);
    finish();
    await writing;
    const outcomes = await Promise.all(applying);
    expect(outcomes.filter(({ applied }) => applied.length > 0)).toEqual([
      { applied: [INDEX.name, LATER.name] },
    ]);
    expect(await indexes()).toEqual(built);
  });

  test('again, after the server ended it half-way', async () => {
    await db.transaction(async (tx) => {
      await tx.query(sql`insert into note values (1001, 'new')`);
      const applying = apply([INDEX]);
      await expect.poll(indexes).toEqual([{ name: 'note_by_text', isValid: false }]);
      const kill = sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'tocsin alone' and datname = current_database()`;
      await Promise.all([expect(applying).rejects.toThrow(), db.query(kill)]);
    });
    expect(await indexes()).toEqual([{ name: 'note_by_text', isValid: false }]);
    expect(await apply([INDEX])).toEqual({ applied: [INDEX.name] });
    expect(await indexes()).toEqual(built);
  });

  test('nothing else may stand in its file', async () => {
    const careless = add('9005_careless.sql', '-- Outside a transaction\nalter table note drop column text;');
    await expect(apply([careless])).rejects.toThrow('Migration 9005_careless.sql runs outside a transaction');
    expect(await columns()).toContain('text');
    expect(await namesAfter()).toEqual([]);
  });
});

describe('an empty database', () => {
  test('is set up by whoever comes first, at once or not at all', async () => {
    const { db: empty } = await createEmptyDatabase();
    const broken = add('9006_broken.sql', 'create table note (id int); select 1 / 0;');
    await expect(migrate(empty, now, { migrations: [...known, broken] })).rejects.toThrow('division by zero');
    expect((await compareSchema(empty)).applied).toBe(0);
    const table = add('9000_note.sql', 'create table note (text text);');
    const migrations = [...known, table, INDEX];
    await migrate(empty, now, { migrations, onlyIfEmpty: true });
    expect(await empty.query(sql`select 1 from pg_indexes where indexname = 'note_by_text'`)).toHaveLength(1);
    await expect(
      migrate(empty, now, { migrations: [...migrations, LATER], onlyIfEmpty: true }),
    ).rejects.toThrow('Run tocsin migrate, or start the service');
  });
});

test('a program that runs on while a newer one changes the schema says so in its log', async () => {
  await apply([LATER]);
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  const tasks = housekeepingTasks({ db, log: pino({ level: 'silent' }), retentionDays: 400 });
  await createClockLoop({ clock: () => now, log }, tasks).tick();
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { task: 'schema', err: { message: expect.stringContaining('9003_later.sql, which this version') } },
  ]);
});

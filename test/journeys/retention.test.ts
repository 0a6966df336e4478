import sql from 'sql-template-tag';
import { beforeEach, expect, test } from 'vitest';
import {
  dropExpiredWeeks,
  findMissingWeeks,
  makePartitions,
} from '../../src/engine/readings/reading-partitions.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { STORY_BEGINS_AT } from '../support/movable-clock.ts';
import { cloneDatabase } from '../support/test-database.ts';

let db: Database;
beforeEach(async () => {
  ({ db } = await cloneDatabase());
});

const daysLater = (days: number) => new Date(STORY_BEGINS_AT.getTime() + days * 24 * 60 * 60 * 1000);
const weeks = async (table: string) =>
  (
    await db.query<{ name: string }>(sql`
      select inhrelid::regclass::text as "name" from pg_inherits where inhparent = ${table}::regclass order by 1`)
  ).map(({ name }) => name);
const OLDEST = new Date('2025-10-07T00:00:00Z');

test('a week is kept to its last day, then readings and rollups go together', async () => {
  await db.query(sql`insert into reading values (1, 1, ${OLDEST}, -80)`);
  await db.query(sql`insert into reading_minute values (1, 1, ${OLDEST}, -80, -80, -80, 1)`);
  await db.query(sql`insert into reading_hour values (1, 1, ${OLDEST}, -80, -80, -80, 1)`);
  expect(await dropExpiredWeeks(db, STORY_BEGINS_AT, 400)).toBe(0);
  expect((await weeks('reading'))[0]).toBe('reading_2025_10_06');

  expect(await dropExpiredWeeks(db, daysLater(3), 400)).toBe(1);
  expect((await weeks('reading'))[0]).toBe('reading_2025_10_13');
  expect((await weeks('reading_minute'))[0]).toBe('reading_minute_2025_10_13');
  expect((await weeks('reading_hour'))[0]).toBe('reading_hour_2025_10_13');
  expect(await db.query(sql`select 1 from reading`)).toEqual([]);
  expect(await makePartitions(db, daysLater(3), 400)).toBe(1);
  expect((await weeks('reading'))[0]).toBe('reading_2025_10_13');
});

test('a shorter retention takes effect a month at a time, so that a mistake does not cost everything', async () => {
  const before = (await weeks('reading')).length;
  expect(await dropExpiredWeeks(db, STORY_BEGINS_AT, 30)).toBe(4);
  expect(await weeks('reading')).toHaveLength(before - 4);
  while ((await dropExpiredWeeks(db, STORY_BEGINS_AT, 30)) > 0);
  expect((await weeks('reading'))[0]).toBe('reading_2026_10_12');
  expect(await makePartitions(db, STORY_BEGINS_AT, 30)).toBe(0);
});

test('programs that make and drop at the same time end with the same weeks', async () => {
  const later = daysLater(21);
  const work = Array.from({ length: 3 }, () => [
    makePartitions(db, later, 400),
    dropExpiredWeeks(db, later, 400),
  ]);
  await Promise.all(work.flat());
  await dropExpiredWeeks(db, later, 400);
  expect(await findMissingWeeks(db, later, 400)).toEqual([]);
  for (const table of ['reading', 'reading_minute', 'reading_hour']) {
    expect(await weeks(table)).toHaveLength(60);
    expect((await weeks(table))[0]).toBe(`${table}_2025_10_27`);
  }
});

test('whoever still reads an old week is not interrupted, and readings keep coming in', async () => {
  const later = daysLater(3);
  await db.transaction(async (tx) => {
    await tx.query(sql`select * from reading_2025_10_06`);
    const dropping = dropExpiredWeeks(db, later, 400);
    await db.query(sql`insert into reading values (1, 1, ${STORY_BEGINS_AT}, -80)`);
    expect(await dropping).toBe(0);
    expect((await weeks('reading_hour'))[0]).toBe('reading_hour_2025_10_06');
  });
  expect(await dropExpiredWeeks(db, later, 400)).toBe(1);
});

import sql from 'sql-template-tag';
import { beforeEach, expect, test } from 'vitest';
import type { ServiceId } from '../../src/domain/ids.ts';
import { DAY_MS } from '../../src/domain/readings/span.ts';
import { dropExpiredMonths } from '../../src/engine/readings/reading-months.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { STORY_BEGINS_AT } from '../support/movable-clock.ts';
import { putReadings } from '../support/stored-readings.ts';
import { cloneDatabase } from '../support/test-database.ts';

let db: Database;
/** A reading a week, for 400 days. */
beforeEach(async () => {
  ({ db } = await cloneDatabase());
  const ats = Array.from({ length: 58 }, (_, week) => STORY_BEGINS_AT.getTime() - (57 - week) * 7 * DAY_MS);
  const channel = { serviceId: 1 as ServiceId, channelId: 1 };
  await putReadings(db, { ...channel, ats, values: ats.map(() => -80) }, STORY_BEGINS_AT);
});

const daysLater = (days: number) => new Date(STORY_BEGINS_AT.getTime() + days * DAY_MS);
const months = async () =>
  (
    await db.query<{ name: string }>(sql`
      select inhrelid::regclass::text as "name" from pg_inherits where inhparent = 'reading_pack'::regclass
      order by 1`)
  ).map(({ name }) => name);

test('a month is made when it has a reading, and kept to its last day', async () => {
  expect(await months()).toHaveLength(14);
  expect((await months())[0]).toBe('reading_pack_2025_10');
  expect(await dropExpiredMonths(db, daysLater(20), 400)).toBe(0);
  expect(await dropExpiredMonths(db, daysLater(21), 400)).toBe(1);
  expect((await months())[0]).toBe('reading_pack_2025_11');
  expect(await db.query(sql`select 1 from reading_pack where day < '2025-11-01'`)).toEqual([]);
});

test('a shorter retention takes effect two months at a time, so that a mistake does not cost everything', async () => {
  expect(await dropExpiredMonths(db, STORY_BEGINS_AT, 30)).toBe(2);
  expect(await months()).toHaveLength(12);
  while ((await dropExpiredMonths(db, STORY_BEGINS_AT, 30)) > 0);
  expect(await months()).toEqual(['reading_pack_2026_10', 'reading_pack_2026_11']);
});

test('programs that pack and drop at the same time end with the same months', async () => {
  const channel = { serviceId: 1 as ServiceId, channelId: 1 };
  const next = daysLater(60);
  const store = (more: number) =>
    putReadings(db, { ...channel, ats: [next.getTime() + more], values: [1] }, next, true);
  await Promise.all([0, 1, 2].flatMap((more) => [store(more), dropExpiredMonths(db, daysLater(45), 400)]));
  await store(3);
  // Whoever found a month in use left it for the next time.
  await dropExpiredMonths(db, daysLater(45), 400);
  expect((await months()).slice(-2)).toEqual(['reading_pack_2026_11', 'reading_pack_2027_01']);
  expect((await months())[0]).toBe('reading_pack_2025_11');
});

test('whoever still reads an old month is not interrupted, and readings keep coming in', async () => {
  const later = daysLater(21);
  await db.transaction(async (tx) => {
    await tx.query(sql`select * from reading_pack_2025_10`);
    const dropping = dropExpiredMonths(db, later, 400);
    const channel = { serviceId: 1 as ServiceId, channelId: 2 };
    await putReadings(db, { ...channel, ats: [STORY_BEGINS_AT.getTime()], values: [-80] }, later);
    expect(await dropping).toBe(0);
    expect((await months())[0]).toBe('reading_pack_2025_10');
  });
  expect(await dropExpiredMonths(db, later, 400)).toBe(1);
});

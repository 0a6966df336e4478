import sql, { type Sql } from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ServiceId } from '../../src/domain/ids.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/domain/readings/rollup.ts';
import { readSeries, type Series } from '../../src/engine/readings/read-series.ts';
import { createRollUp } from '../../src/engine/readings/roll-up.ts';
import type { Database, ReadDatabase } from '../../src/platform/db/database.ts';
import { hours, STORY_BEGINS_AT } from '../support/movable-clock.ts';
import { cloneDatabase } from '../support/test-database.ts';

const NOW = new Date(STORY_BEGINS_AT.getTime() + 7 * 60_000 + 30_000);
const FREEZER = { serviceId: 1 as ServiceId, channelId: 1 };
const BUSY = { serviceId: 1 as ServiceId, channelId: 2 };
const ago = (ms: number) => new Date(NOW.getTime() - ms);
const DAY_MS = hours(24);

let db: Database;
beforeAll(async () => {
  ({ db } = await cloneDatabase());
  await db.query(sql`insert into organization (name, created_at) values ('Cell Biology', ${NOW})`);
  await db.query(
    sql`insert into service (organization_id, name, created_at) values (1, 'Freezer 1', ${NOW})`,
  );
  await db.query(sql`
    insert into channel (service_id, name, kind, created_at)
    values (1, 'temperature', 'metric', ${NOW}), (1, 'pressure', 'metric', ${NOW})`);
  // A year, every five minutes; and a day, every second.
  await db.query(sql`
    insert into reading select 1, 1, taken_at, -80 + extract(epoch from taken_at)::int % 700 / 100.0
    from generate_series(${ago(366 * DAY_MS)}::timestamptz, ${NOW}, interval '5 minutes') as taken_at`);
  await db.query(sql`
    insert into reading select 1, 2, taken_at, extract(epoch from taken_at)::int % 60
    from generate_series(${ago(DAY_MS)}::timestamptz, ${NOW}, interval '1 second') as taken_at`);
  const rollUp = createRollUp(db, 400, Number.POSITIVE_INFINITY);
  while ((await rollUp(NOW)) !== 'caught_up');
});

interface PlanNode {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  'Relation Name'?: string;
  Plans?: PlanNode[];
}

const rowsRead = (node: PlanNode): number =>
  (node['Relation Name']
    ? (node['Actual Rows'] +
        (node['Rows Removed by Filter'] ?? 0) +
        (node['Rows Removed by Index Recheck'] ?? 0)) *
      node['Actual Loops']
    : 0) + (node.Plans ?? []).reduce((sum, child) => sum + rowsRead(child), 0);

/** The series, and how many rows the database touched for it. */
async function measure(request: Parameters<typeof readSeries>[1]): Promise<Series & { rows: number }> {
  let rows = 0;
  const counting: ReadDatabase = {
    ...db,
    async query<Row>(statement: Sql) {
      const [answer] = await db.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
        sql`explain (analyze, format json) ${statement}`,
      );
      if (answer) rows += rowsRead(answer['QUERY PLAN'][0].Plan);
      return db.query<Row>(statement);
    },
  };
  return { ...(await readSeries(counting, request)), rows };
}

const countStored = async ({ channelId }: { channelId: number }, from: Date, to: Date) =>
  (
    await db.query<{ count: number }>(sql`
      select count(*)::int as "count" from reading
      where channel_id = ${channelId} and taken_at >= ${from} and taken_at < ${to}`)
  )[0]?.count;
const total = ({ points }: Series) => points.reduce((sum, { count }) => sum + count, 0);

describe('a chart of one channel', () => {
  test('a year of it reads fewer than 10,000 rows, and not one reading is missing', async () => {
    const from = ago(365 * DAY_MS);
    const year = await measure({ ...FREEZER, from, to: NOW });
    expect(year.rows).toBeGreaterThan(8_760);
    expect(year.rows).toBeLessThan(10_000);
    expect(year.stepMs).toBe(6 * HOUR_MS);
    expect(year.points.length).toBeLessThanOrEqual(2_001);
    expect(total(year)).toBe(await countStored(FREEZER, new Date('2025-11-15T03:00:00Z'), NOW));
    expect(Math.min(...year.points.map(({ min }) => min))).toBe(-79.5);
    expect(Math.max(...year.points.map(({ max }) => max))).toBe(-73.5);
    expect(await countStored(FREEZER, from, NOW)).toBeGreaterThan(100_000);
  });

  test.each([
    ['few readings are shown one by one', FREEZER, DAY_MS, 2000, null, 400],
    ['many of a day by the minute', BUSY, DAY_MS, 2000, MINUTE_MS, 2400],
    ['a month by the hour', FREEZER, 30 * DAY_MS, 2000, HOUR_MS, 1000],
    ['a day on a narrow screen by the hour', BUSY, DAY_MS, 100, HOUR_MS, 800],
    ['half an hour of a busy channel by the reading', BUSY, hours(0.5), 2000, null, 2000],
  ])('%s', async (_, channel, span, most, stepMs, mostRows) => {
    const series = await measure({ ...channel, from: ago(span), to: NOW, most });
    expect(series.stepMs).toBe(stepMs);
    expect(series.rows).toBeLessThanOrEqual(mostRows);
    expect(series.points.length).toBeLessThanOrEqual(most + 1);
    const step = stepMs ?? 1;
    const begins = new Date(Math.floor(ago(span).getTime() / step) * step);
    expect(total(series)).toBe(await countStored(channel, begins, NOW));
  });

  test('the readings that are not rolled up yet are in it', async () => {
    const { points } = await readSeries(db, { ...BUSY, from: ago(DAY_MS), to: NOW });
    expect(points.at(-2)).toEqual({
      at: new Date('2026-11-15T03:06:00.000Z'),
      min: 0,
      max: 59,
      mean: 29.5,
      count: 60,
    });
    expect(points.at(-1)).toMatchObject({ at: new Date('2026-11-15T03:07:00.000Z'), min: 0, max: 29 });
    for (const { count } of points.slice(1, -1)) expect(count).toBe(60);
  });

  test('rollups that never ran cost detail, not the database', async () => {
    await db.query(sql`update rollup_progress set rolled_until = '-infinity'`);
    const year = await measure({ ...FREEZER, from: ago(365 * DAY_MS), to: NOW });
    expect(year.rows).toBeLessThanOrEqual(10_002);
    expect(year.points.at(-1)?.at.getTime()).toBeGreaterThan(ago(hours(6)).getTime());
  });

  test('nothing stored, nothing asked for', async () => {
    const none = { serviceId: 9 as ServiceId, channelId: 9 };
    expect(await readSeries(db, { ...none, from: ago(DAY_MS), to: NOW })).toEqual({
      stepMs: null,
      points: [],
    });
    expect((await readSeries(db, { ...FREEZER, from: NOW, to: ago(DAY_MS) })).points).toEqual([]);
  });
});

import type { Sql } from 'sql-template-tag';
import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ServiceId } from '../../src/domain/ids.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/readings/span.ts';
import { type ChartSeries, readChartSeries } from '../../src/engine/readings/read-series.ts';
import type { Database, ReadDatabase } from '../../src/platform/db/database.ts';
import type { Statements } from '../../src/platform/db/statement.ts';
import { hours, STORY_BEGINS_AT } from '../support/movable-clock.ts';
import { putReadings } from '../support/stored-readings.ts';
import { cloneDatabase } from '../support/test-database.ts';

const NOW = new Date(STORY_BEGINS_AT.getTime() + 7 * 60_000 + 30_000);
const FREEZER = { serviceId: 1 as ServiceId, channelId: 1 };
const BUSY = { serviceId: 1 as ServiceId, channelId: 2 };
const ago = (ms: number) => new Date(NOW.getTime() - ms);
/** Every five minutes for a year, and every second for three days. */
const TIMES = { [FREEZER.channelId]: [366 * DAY_MS, 5 * MINUTE_MS], [BUSY.channelId]: [3 * DAY_MS, 1000] };

const timesOf = ({ channelId }: { channelId: number }): number[] => {
  const [spanMs = 0, everyMs = 1] = TIMES[channelId] ?? [];
  return Array.from(
    { length: Math.floor(spanMs / everyMs) + 1 },
    (_, index) => NOW.getTime() - spanMs + index * everyMs,
  );
};

let db: Database;
beforeAll(async () => {
  ({ db } = await cloneDatabase());
  const freezer = timesOf(FREEZER);
  await putReadings(
    db,
    { ...FREEZER, ats: freezer, values: freezer.map((at) => -80 + ((at / 1000) % 700) / 100) },
    NOW,
  );
  const busy = timesOf(BUSY);
  await putReadings(db, { ...BUSY, ats: busy, values: busy.map((at) => (at / 1000) % 60) }, NOW, false);
});

/** The series, and how many rows the database handed over for it. */
async function measure(
  request: Parameters<typeof readChartSeries>[1],
): Promise<ChartSeries & { rows: number }> {
  let rows = 0;
  const count = <Rows extends unknown[]>(some: Rows) => {
    rows += some.length;
    return some;
  };
  const counting = {
    query: async (statement: Sql) => count(await db.query(statement)),
    async queryAll(statements: Statements) {
      const answers = await db.queryAll(statements);
      for (const answer of Object.values(answers)) count(answer as unknown[]);
      return answers;
    },
  } as unknown as ReadDatabase;
  return { ...(await readChartSeries(counting, request)), rows };
}

const countBetween = (channel: { channelId: number }, from: Date, to: Date) =>
  timesOf(channel).filter((at) => at >= from.getTime() && at < to.getTime()).length;
const total = ({ points }: ChartSeries) => points.reduce((sum, { count }) => sum + count, 0);

describe('a chart of one channel', () => {
  test('a year of it takes a pack for each day, and not one reading is missing', async () => {
    const from = ago(365 * DAY_MS);
    const year = await measure({ ...FREEZER, from, to: NOW });
    expect(year.rows).toBeLessThan(2 * 380);
    expect(year.stepMs).toBe(6 * HOUR_MS);
    expect(year.points.length).toBeLessThanOrEqual(2_001);
    const begins = new Date(Math.floor(from.getTime() / (6 * HOUR_MS)) * 6 * HOUR_MS);
    expect(total(year)).toBe(countBetween(FREEZER, begins, NOW));
    expect(Math.min(...year.points.map(({ min }) => min))).toBe(-79.5);
    expect(Math.max(...year.points.map(({ max }) => max))).toBe(-73.5);
    expect(total(year)).toBeGreaterThan(100_000);
  });

  test.each([
    ['few readings are shown one by one', FREEZER, DAY_MS, 2000, null],
    ['many of a day by the minute', BUSY, DAY_MS, 2000, MINUTE_MS],
    ['a month by the hour', FREEZER, 30 * DAY_MS, 2000, HOUR_MS],
    ['a day on a narrow screen by the hour', BUSY, DAY_MS, 100, HOUR_MS],
    ['half an hour of a busy channel by the reading', BUSY, hours(0.5), 2000, null],
  ])('%s', async (_, channel, span, most, stepMs) => {
    const series = await measure({ ...channel, from: ago(span), to: NOW, most });
    expect(series.stepMs).toBe(stepMs);
    expect(series.points.length).toBeLessThanOrEqual(most + 1);
    const step = stepMs ?? 1;
    const begins = new Date(Math.floor(ago(span).getTime() / step) * step);
    expect(total(series)).toBe(countBetween(channel, begins, NOW));
  });

  test('the readings that are not packed yet are in it', async () => {
    const { points } = await readChartSeries(db, { ...BUSY, from: ago(DAY_MS), to: NOW });
    expect(points.at(-2)).toEqual({
      at: new Date('2026-11-15T03:06:00.000Z'),
      min: 0,
      max: 59,
      mean: expect.closeTo(29.5, 9),
      count: 60,
    });
    expect(points.at(-1)).toMatchObject({ at: new Date('2026-11-15T03:07:00.000Z'), min: 0, max: 29 });
    for (const { count } of points.slice(1, -1)) expect(count).toBe(60);
  });

  test('of more readings than a chart unpacks, what the packs come to', async () => {
    const { serviceId } = BUSY;
    const times = timesOf(BUSY);
    const packed = { serviceId, channelId: 3, ats: times, values: times.map((at) => (at / 1000) % 60) };
    await putReadings(db, packed, NOW);
    const days = await readChartSeries(db, { serviceId, channelId: 3, from: ago(3 * DAY_MS), to: NOW });
    expect(days.stepMs).toBe(2 * HOUR_MS);
    expect(total(days)).toBe(countBetween(BUSY, ago(3 * DAY_MS), NOW));
    for (const { min, max, mean } of days.points.slice(1, -1)) {
      expect([min, max]).toEqual([0, 59]);
      expect(mean).toBeCloseTo(29.5, 0);
    }
  });

  test('of more readings than a chart unpacks, also those of earlier days that wait to be packed', async () => {
    const { serviceId } = BUSY;
    const times = timesOf(BUSY);
    const channel = { serviceId, channelId: 5 };
    await putReadings(db, { ...channel, ats: times, values: times.map(() => 1) }, NOW);
    const late = NOW.getTime() - 2 * DAY_MS + 500;
    await putReadings(db, { ...channel, ats: [late], values: [99] }, NOW, false);
    const days = await readChartSeries(db, { ...channel, from: ago(3 * DAY_MS), to: NOW });
    expect(total(days)).toBe(countBetween(BUSY, ago(3 * DAY_MS), NOW) + 1);
    const stepMs = days.stepMs ?? 0;
    const highest = days.points.filter(({ max }) => max === 99);
    expect(highest.map(({ at }) => at.getTime())).toEqual([Math.floor(late / stepMs) * stepMs]);
    const ats = days.points.map(({ at }) => at.getTime());
    expect(ats).toEqual([...new Set(ats)].sort((one, other) => one - other));
  });

  test('nothing stored, nothing asked for', async () => {
    const none = { serviceId: 9 as ServiceId, channelId: 9 };
    expect(await readChartSeries(db, { ...none, from: ago(DAY_MS), to: NOW })).toEqual({
      stepMs: null,
      points: [],
      damaged: [],
    });
    expect((await readChartSeries(db, { ...FREEZER, from: NOW, to: ago(DAY_MS) })).points).toEqual([]);
  });
});

test('what cannot be read is left out of the chart, named once, and the rest is shown', async () => {
  const channel = { serviceId: 2 as ServiceId, channelId: 4 };
  const ats = Array.from(
    { length: 3 * 144 },
    (_, index) => NOW.getTime() - 3 * DAY_MS + index * 10 * MINUTE_MS,
  );
  await putReadings(db, { ...channel, ats, values: ats.map((_, index) => index) }, NOW);
  const whole = await readChartSeries(db, { ...channel, from: ago(3 * DAY_MS), to: NOW });
  expect(whole).toMatchObject({ stepMs: null, damaged: [] });
  expect(whole.points).toHaveLength(ats.length);

  await db.query(sql`
    update reading_pack set data = set_byte(data, length(data) / 2, get_byte(data, length(data) / 2) # 4)
    where channel_id = ${channel.channelId} and day = '2026-11-13'`);
  for (let look = 0; look < 2; look += 1) {
    const rest = await readChartSeries(db, { ...channel, from: ago(3 * DAY_MS), to: NOW });
    const lost = ats.filter((at) => new Date(at).toISOString().startsWith('2026-11-13'));
    expect(rest.points).toHaveLength(ats.length - lost.length);
    expect(rest.damaged).toEqual([{ channelId: channel.channelId, from: lost[0], to: lost.at(-1) }]);
  }
  expect(await db.query(sql`select channel_id, day::text as day from reading_damage`)).toEqual([
    { channel_id: channel.channelId, day: '2026-11-13' },
  ]);
});

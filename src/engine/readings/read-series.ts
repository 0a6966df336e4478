// One channel as a chart shows it: each reading where there are few, else minutes or hours from the rollups.
import sql, { raw } from 'sql-template-tag';
import type { ServiceId } from '../../domain/ids.ts';
import { HOUR_MS, type Span } from '../../domain/readings/rollup.ts';
import { planSeries, type SeriesPlan } from '../../domain/readings/series.ts';
import { first, type ReadDatabase } from '../../platform/db/database.ts';
import { meanOf, selectProgress } from './rollup-queries.ts';

interface SeriesPoint {
  at: Date;
  min: number;
  max: number;
  mean: number;
  count: number;
}

export interface Series {
  /** How much time a point stands for, from `at` on; null: each point is a reading. */
  stepMs: number | null;
  points: SeriesPoint[];
}

interface SeriesRequest {
  serviceId: ServiceId;
  channelId: number;
  from: Date;
  /** Exclusive. */
  to: Date;
  /** About so many rows are read and points returned, but a long span reads its hours, never more than 10,000. */
  most?: number;
}

const DEFAULT_MOST = 2_000;
// Counting, trying single readings and reading minutes together stay below MOST_ROWS.
const HIGHEST_MOST = 4_000;

export async function readSeries(db: ReadDatabase, request: SeriesRequest): Promise<Series> {
  const most = Math.min(Math.max(Math.floor(request.most ?? DEFAULT_MOST), 1), HIGHEST_MOST);
  const span = { from: request.from.getTime(), to: request.to.getTime() };
  if (span.from >= span.to) return { stepMs: null, points: [] };
  let rowsRead = 0;
  // Counting costs a row per hour: worth it only where single readings may come of it.
  const hours = Math.ceil((span.to - span.from) / HOUR_MS);
  if (hours <= most / 4) {
    rowsRead += hours;
    if ((await countRolledUp(db, request)) <= most) {
      const points = await selectReadings(db, request, most + 1);
      if (points.length <= most) return { stepMs: null, points };
      rowsRead += points.length;
    }
  }
  const progress = await selectProgress(db);
  const plan = planSeries(span, most, progress?.rolledUntil ?? Number.NEGATIVE_INFINITY, rowsRead);
  return { stepMs: plan.stepMs, points: await selectSteps(db, request, plan) };
}

async function countRolledUp(db: ReadDatabase, { serviceId, channelId, from, to }: SeriesRequest) {
  const row = first(
    await db.query<{ count: number }>(sql`
      select coalesce(sum(count), 0)::float8 as "count" from reading_hour
      where service_id = ${serviceId} and channel_id = ${channelId} and starts_at >= ${from} and starts_at < ${to}`),
  );
  return row?.count ?? 0;
}

const selectReadings = (
  db: ReadDatabase,
  { serviceId, channelId, from, to }: SeriesRequest,
  most: number,
): Promise<SeriesPoint[]> =>
  db.query(sql`
    select taken_at as "at", value as "min", value as "max", value as "mean", 1 as "count" from reading
    where service_id = ${serviceId} and channel_id = ${channelId} and taken_at >= ${from} and taken_at < ${to}
    order by taken_at limit ${most}`);

const within = (column: 'starts_at' | 'taken_at', { from, to }: Span) =>
  sql`${raw(column)} >= ${new Date(from)} and ${raw(column)} < ${new Date(to)}`;

function selectSteps(
  db: ReadDatabase,
  { serviceId, channelId }: SeriesRequest,
  { stepMs, hours, minutes, readings, mostReadings }: SeriesPlan,
): Promise<SeriesPoint[]> {
  const isOfChannel = sql`service_id = ${serviceId} and channel_id = ${channelId}`;
  return db.query(sql`
    select date_bin(${stepMs / 1000} * interval '1 second', starts_at, 'epoch') as "at",
      min(min) as "min", max(max) as "max", ${meanOf('mean', 'count')} as "mean", sum(count)::float8 as "count"
    from (
      select starts_at, min, max, mean, count from reading_hour
      where ${isOfChannel} and ${within('starts_at', hours)}
      union all
      select starts_at, min, max, mean, count from reading_minute
      where ${isOfChannel} and ${within('starts_at', minutes)}
      union all
      (select taken_at, value, value, value, 1 from reading
      where ${isOfChannel} and ${within('taken_at', readings)}
      order by taken_at desc limit ${mostReadings})
    ) as part
    group by 1 order by 1`);
}

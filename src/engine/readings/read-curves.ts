// The last hours of a channel before it was told of, small enough for a picture in a message. They decorate it: no message
// waits for them longer than a moment, and none fails with them.
import sql from 'sql-template-tag';
import type { ServiceId } from '../../domain/ids.ts';
import { type Band, severityOfBand } from '../../domain/judging/band.ts';
import type { Curve } from '../../domain/notifications/notice.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Statement } from '../../platform/db/statement.ts';
import type { Log } from '../../platform/log.ts';
import { within } from '../../platform/within.ts';
import { BANDS, judgingVersion } from '../sql-parts/limits.ts';
import { meanOf } from './rollup-queries.ts';

const SPAN_MS = 6 * 60 * 60_000;
const STEP_SECONDS = 180;
/** Of the readings that no minute stands for yet: the newest count. */
const MOST_READINGS = 2_000;

export interface CurveRow {
  /** Of the notification. */
  id: string;
  serviceId: ServiceId | null;
  channelId: number | null;
  channel: string | null;
  toldAt: Date;
}

/** By notification. */
export type Curves = ReadonlyMap<string, Curve>;

/** How long messages wait for their curves. The database gives up sooner, so that it is not kept busy for nothing. */
const PATIENCE_MS = 1_500;
const STATEMENT_MS = 1_000;

/** Always an answer, and in time: without curves where they fail or are late. */
export function createCurveReader({ db, log }: { db: Database; log: Log }) {
  let isReading = false;
  return async (rows: readonly CurveRow[]): Promise<Curves> => {
    // While the database has not answered the last question it is asked no other.
    if (isReading) return new Map();
    isReading = true;
    const reading = readCurves(db, rows).finally(() => {
      isReading = false;
    });
    try {
      return await within(PATIENCE_MS, reading);
    } catch (error) {
      log.warn({ err: error }, 'messages leave without their curves');
      return new Map();
    }
  };
}

/** Those about no channel, or without readings, are left out. */
export async function readCurves(db: Database, rows: readonly CurveRow[]): Promise<Curves> {
  const drawn = rows.filter(({ channelId }) => channelId !== null);
  if (drawn.length === 0) return new Map();
  const [pointRows, limitRows] = await db.transaction(async (tx) => {
    tx.later(sql`select set_config('statement_timeout', ${String(STATEMENT_MS)}, true)`);
    return tx.queryAll([selectPoints(drawn), selectLimits(drawn)]);
  });
  const points = new Map<string, [number, number][]>();
  for (const { id, at, value } of pointRows) {
    const earlier = points.get(id);
    if (earlier) earlier.push([at, value]);
    else points.set(id, [[at, value]]);
  }
  const limits = new Map(limitRows.map(({ id, bands }) => [id, bands]));
  return new Map(
    drawn.flatMap(({ id, toldAt }) => {
      const curve = points.get(id);
      if (!curve) return [];
      const from = new Date(toldAt.getTime() - SPAN_MS);
      const lines = (limits.get(id) ?? [])
        .flatMap(({ band, limit }) => (limit === null ? [] : [{ severity: severityOfBand(band), limit }]))
        .sort((one, other) => one.limit - other.limit);
      return [[id, { from, to: toldAt, points: curve, limits: lines }] as const];
    }),
  );
}

interface PointRow {
  id: string;
  at: number;
  value: number;
}

/** From the minutes where they are complete, else from the readings. */
export function selectPoints(rows: readonly CurveRow[]): Statement<PointRow> {
  // Said once for all as well, so that the plan opens the weeks of these hours only.
  const tolds = rows.map(({ toldAt }) => toldAt.getTime());
  const [from, to] = [new Date(Math.min(...tolds) - SPAN_MS), new Date(Math.max(...tolds))];
  return sql`
    with progress as materialized (select rolled_until from rollup_progress)
    select given.id, drawn.at, drawn.value
    from progress, unnest(${rows.map(({ id }) => id)}::bigint[], ${rows.map(({ serviceId }) => serviceId)}::int[],
      ${rows.map(({ channelId }) => channelId)}::int[],
      ${rows.map(({ toldAt }) => new Date(toldAt.getTime() - SPAN_MS))}::timestamptz[],
      ${rows.map(({ toldAt }) => toldAt)}::timestamptz[]) as given (id, service_id, channel_id, begins_at, ends_at)
    cross join lateral (
      select round(date_part('epoch', min(part.at)) * 1000) as at, ${meanOf('mean', 'count')} as value
      from (
        select starts_at as at, mean, count from reading_minute
        where service_id = given.service_id and channel_id = given.channel_id
          and starts_at >= given.begins_at and starts_at < least(given.ends_at, rolled_until)
          and starts_at >= ${from} and starts_at < ${to}
        union all
        (select taken_at, value, 1 from reading
        where service_id = given.service_id and channel_id = given.channel_id
          and taken_at >= greatest(given.begins_at, rolled_until) and taken_at <= given.ends_at
          and taken_at >= ${from} and taken_at <= ${to}
        order by taken_at desc limit ${MOST_READINGS})) as part
      group by date_bin(${STEP_SECONDS} * interval '1 second', part.at, 'epoch')) as drawn
    order by given.id, drawn.at`;
}

interface LimitsRow {
  id: string;
  bands: Band[];
}

/** Limits in percent stand on another scale than the readings. */
const selectLimits = (rows: readonly CurveRow[]): Statement<LimitsRow> => sql`
    select given.id, version.bands
    from unnest(${rows.map(({ id }) => id)}::bigint[], ${rows.map(({ serviceId }) => serviceId)}::int[],
      ${rows.map(({ channel }) => channel)}::text[]) as given (id, service_id, channel)
    cross join lateral ${judgingVersion(sql`is_percentage, ${BANDS} as bands`, sql`given.service_id`, sql`given.channel`)} version
    where not version.is_percentage`;

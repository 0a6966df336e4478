// The last hours of a channel before it was told of, small enough for a picture in a message.
import sql from 'sql-template-tag';
import type { BandName } from '../domain/band.ts';
import type { ServiceId } from '../domain/ids.ts';
import type { Curve } from '../domain/notice.ts';
import type { ReadDatabase } from '../platform/db/database.ts';
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

/** By notification; those about no channel, or without readings, are left out. */
export async function loadCurves(db: ReadDatabase, rows: readonly CurveRow[]): Promise<Map<string, Curve>> {
  const drawn = rows.filter(({ channelId }) => channelId !== null);
  if (drawn.length === 0) return new Map();
  const points = new Map<string, [number, number][]>();
  for (const { id, at, value } of await selectPoints(db, drawn)) {
    const earlier = points.get(id);
    if (earlier) earlier.push([at, value]);
    else points.set(id, [[at, value]]);
  }
  const limits = new Map((await selectLimits(db, drawn)).map((row) => [row.id, row.bands]));
  return new Map(
    drawn.flatMap(({ id, toldAt }) => {
      const curve = points.get(id);
      if (!curve) return [];
      const from = new Date(toldAt.getTime() - SPAN_MS);
      const bands = (limits.get(id) ?? []).map(({ band, limit }) => ({
        severity: nameSeverity(band),
        limit,
      }));
      return [[id, { from, to: toldAt, points: curve, limits: bands }] as const];
    }),
  );
}

const nameSeverity = (band: BandName) =>
  band.startsWith('CRITICAL') ? ('critical' as const) : ('warning' as const);

/** From the minutes where they are complete, else from the readings. */
function selectPoints(db: ReadDatabase, rows: readonly CurveRow[]) {
  // Said once for all as well, so that the plan opens the weeks of these hours only.
  const tolds = rows.map(({ toldAt }) => toldAt.getTime());
  const [from, to] = [new Date(Math.min(...tolds) - SPAN_MS), new Date(Math.max(...tolds))];
  return db.query<{ id: string; at: number; value: number }>(sql`
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
    order by given.id, drawn.at`);
}

/** Limits in percent stand on another scale than the readings. */
const selectLimits = (db: ReadDatabase, rows: readonly CurveRow[]) =>
  db.query<{ id: string; bands: { band: BandName; limit: number }[] }>(sql`
    select given.id, (
      select coalesce(json_agg(json_build_object('band', band, 'limit', limit_value) order by limit_value), '[]')
      from limits_band where limits_version_id = version.id and limit_value is not null) as "bands"
    from unnest(${rows.map(({ id }) => id)}::bigint[], ${rows.map(({ serviceId }) => serviceId)}::int[],
      ${rows.map(({ channel }) => channel)}::text[]) as given (id, service_id, channel)
    cross join lateral (
      select id, is_percentage from limits_version
      where service_id = given.service_id and retired_at is null
        and (limits_version.channel = given.channel or limits_version.channel is null)
      order by limits_version.channel nulls last limit 1) version
    where not version.is_percentage`);

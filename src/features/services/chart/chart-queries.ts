import sql from 'sql-template-tag';
import type { ServiceId } from '../../../domain/ids.ts';
import type { Band } from '../../../domain/judging/band.ts';
import { BANDS } from '../../../engine/sql-parts/limits.ts';
import type { ReadDatabase } from '../../../platform/db/database.ts';
import type { SpanEvent } from './alarm-spans.ts';

interface Window {
  from: Date;
  to: Date;
}

const MOST_EVENTS = 4_000;

/** In order of time, with the last ones before the window: they say how it begins. */
export const selectSpanEvents = async (db: ReadDatabase, serviceId: ServiceId, { from, to }: Window) => {
  const newest = await db.query<SpanEvent>(sql`
    select kind, "to", at from (
      (select kind, to_severity as "to", extract(epoch from happened_at)::float8 * 1000 as at, id from alarm_event
        where service_id = ${serviceId} and happened_at >= ${from} and happened_at < ${to}
        order by happened_at desc, id desc limit ${MOST_EVENTS})
      union all
      (select kind, to_severity, extract(epoch from happened_at)::float8 * 1000, id from alarm_event
        where service_id = ${serviceId} and happened_at < ${from} and kind in ('raised', 'changed', 'recovered')
        order by happened_at desc, id desc limit 1)
      union all
      (select kind, to_severity, extract(epoch from happened_at)::float8 * 1000, id from alarm_event
        where service_id = ${serviceId} and happened_at < ${from} and kind in ('went_stale', 'came_back')
        order by happened_at desc, id desc limit 1)
    ) as event order by at, id`);
  return newest;
};

export const selectDowntimeSpans = (db: ReadDatabase, serviceId: ServiceId, { from, to }: Window) =>
  db.query<{ from: number; to: number }>(sql`
    select extract(epoch from start_at)::float8 * 1000 as "from", extract(epoch from end_at)::float8 * 1000 as "to"
    from downtime where service_id = ${serviceId} and end_at > ${from} and start_at < ${to}
    order by start_at limit 1000`);

interface LimitsRow {
  channel: string | null;
  isPercentage: boolean;
  setpointChannel: string | null;
  from: number;
  to: number | null;
  bands: Band[];
}

/** Every version that was in force for the channel at some time of the window; of the service-wide ones if it is a metric. */
export const selectLimitsSpans = (
  db: ReadDatabase,
  serviceId: ServiceId,
  channel: { name: string; kind: string },
  { from, to }: Window,
) =>
  db.query<LimitsRow>(sql`
    select channel, is_percentage as "isPercentage", setpoint_channel as "setpointChannel",
      extract(epoch from created_at)::float8 * 1000 as "from", extract(epoch from retired_at)::float8 * 1000 as "to",
      ${BANDS} as "bands"
    from limits_version
    where service_id = ${serviceId} and created_at < ${to} and (retired_at is null or retired_at > ${from})
      and (channel = ${channel.name} or (channel is null and ${channel.kind} = 'metric'))
    order by created_at, version limit 500`);

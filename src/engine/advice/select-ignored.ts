// What was not normal operation, as far as is on record: planned downtimes and past alarms.
import sql from 'sql-template-tag';
import type { Span } from '../../domain/advisor/history.ts';
import type { ServiceId } from '../../domain/ids.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';

// More than that is no excursion: it is how the equipment works, or limits that are too tight. The advisor has to see it.
const MOST_ALARMS = 4;
const MOST_OF_THE_TIME = 0.1;

export interface IgnoredRequest {
  serviceId: ServiceId;
  channel: string;
  from: Date;
  to: Date;
}

export async function selectIgnored(db: ReadDatabase, request: IgnoredRequest): Promise<Span[]> {
  const downtimes = await selectDowntimes(db, request);
  const alarms = await selectAlarmSpans(db, request);
  const alarmMs = alarms.reduce((sum, { from, to }) => sum + to - from, 0);
  const isRare =
    alarms.length <= MOST_ALARMS &&
    alarmMs <= (request.to.getTime() - request.from.getTime()) * MOST_OF_THE_TIME;
  return isRare ? [...downtimes, ...alarms] : downtimes;
}

const selectDowntimes = (db: ReadDatabase, { serviceId, from, to }: IgnoredRequest): Promise<Span[]> =>
  db.query(sql`
    select round(date_part('epoch', start_at) * 1000) as "from", round(date_part('epoch', end_at) * 1000) as "to"
    from downtime where service_id = ${serviceId} and end_at > ${from} and start_at < ${to} order by start_at`);

/** Episodes in which the channel was shown, within the time looked at. One that still runs lasts until its end. */
const selectAlarmSpans = (
  db: ReadDatabase,
  { serviceId, channel, from, to }: IgnoredRequest,
): Promise<Span[]> =>
  db.query(sql`
    select round(date_part('epoch', greatest(began_at, ${from})) * 1000) as "from",
      round(date_part('epoch', least(coalesce(ended_at, ${to}), ${to})) * 1000) as "to"
    from (
      select min(happened_at) as began_at, max(happened_at) filter (where kind = 'recovered') as ended_at
      from alarm_event
      where service_id = ${serviceId} and episode_id is not null and kind in ('raised', 'changed', 'recovered')
      group by episode_id having bool_or(channel = ${channel})) as episode
    where began_at < ${to} and coalesce(ended_at, ${to}) > ${from} order by 1`);

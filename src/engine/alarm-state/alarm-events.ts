import sql from 'sql-template-tag';
import { type AlarmEvent, beginsEpisode } from '../../domain/notifications/alarm-event.ts';
import type { Tx } from '../../platform/db/database.ts';

export const insertEvents = (tx: Tx, events: readonly AlarmEvent[], now: Date) =>
  tx.later(sql`
    insert into alarm_event (service_id, episode_id, kind, from_severity, to_severity, channel, band, value, limit_value,
      limits_version_id, message, over_since, happened_at, recorded_at)
    select "serviceId", "episodeId", kind, "from", "to", channel, band, value, "limit", "versionId", message, to_timestamp("overSince" / 1000.0),
      to_timestamp("at" / 1000.0), ${now}
    from json_to_recordset(${JSON.stringify(events.map((event) => ({ ...event, kind: nameStored(event) })))}) as given ("serviceId" int, "episodeId" bigint, kind text, "from" text,
      "to" text, channel text, band text, value float8, "limit" float8, "versionId" int, message text, "overSince" float8, "at" float8)`);

/** As the history of a service has it since there is one. */
function nameStored(event: AlarmEvent): string {
  if (event.subject === 'stale') return 'went_stale';
  if (event.subject === 'back') return 'came_back';
  if (event.subject === 'recovery') return 'recovered';
  return beginsEpisode(event) ? 'raised' : 'changed';
}

// Parts of statements in which the row of `alarm_state` is called `state`.
import sql, { type Sql } from 'sql-template-tag';

/** When any channel last reported; null: none has. */
export const LAST_TELEMETRY_AT = sql`(
  select to_timestamp(max(at_ms) / 1000.0) from unnest(state.channel_at_ms) as at_ms)`;

export const IS_MUTED = sql`exists (select from mute where service_id = state.service_id and ended_at is null)`;

export const isInDowntime = (now: Date): Sql => sql`exists (
  select from downtime where service_id = state.service_id and start_at <= ${now} and end_at > ${now})`;

/** At its severity. */
export const IS_ACKNOWLEDGED = sql`exists (
  select from acknowledgement
  where service_id = state.service_id and ended_at is null and severity = upper(state.severity))`;

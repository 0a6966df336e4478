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

/** In force, of any channel or of the whole service. */
export const HAS_LIMITS = sql`exists (
  select from limits_version join limits_band on limits_version_id = limits_version.id
  where limits_version.service_id = state.service_id and retired_at is null and limit_value is not null)`;

/** The first reading of a channel writes the row: none of them waits in the inbox. */
export const IS_HEARD = sql`cardinality(state.channel_ids) > 0`;

export const IS_GATEWAY = sql`exists (select from service_parent where parent_id = state.service_id)`;

/** As `findMissing` of domain/equipment/watching.ts has it. */
export const IS_UNWATCHED = sql`(not ${IS_HEARD} or not (${HAS_LIMITS} or ${IS_GATEWAY}))`;

/** As domain/equipment/unit-state.ts has it; in the order in which the wall looks. */
export const unitState = (now: Date): Sql => sql`(case
  when ${isInDowntime(now)} then 'downtime'
  when state.severity <> 'normal' then state.severity
  when state.stale_since is not null then 'stale'
  when ${IS_UNWATCHED} then 'unwatched'
  when ${IS_MUTED} then 'muted'
  else 'normal' end)`;

// Parts of statements about limits.
import sql, { type Sql } from 'sql-template-tag';

/** Of the row of `limits_version`: as the domain's bands (domain/judging/band.ts). */
export const BANDS = sql`coalesce((
  select json_agg(json_build_object('band', band, 'limit', limit_value,
    'delayMinutes', delay_minutes, 'sustainedMinutes', sustained_minutes) order by band)
  from limits_band where limits_version_id = limits_version.id), '[]')`;

/**
 * The version that a channel which is judged is judged by: its own if it has any, else the service-wide one. As
 * `findLimitsFor` of domain/judging/limits.ts has it.
 */
export const judgingVersion = (columns: Sql, serviceId: Sql, channel: Sql): Sql => sql`(
  select ${columns} from limits_version
  where limits_version.service_id = ${serviceId} and retired_at is null
    and (limits_version.channel = ${channel} or limits_version.channel is null)
  order by limits_version.channel nulls last limit 1)`;

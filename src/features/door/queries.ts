import sql from 'sql-template-tag';
import type { Watching } from '../../domain/equipment/watching.ts';
import type { ServiceId } from '../../domain/ids.ts';
import type { Severity } from '../../domain/judging/severity.ts';
import {
  HAS_LIMITS,
  IS_GATEWAY,
  IS_HEARD,
  IS_MUTED,
  isInDowntime,
} from '../../engine/sql-parts/service-state.ts';
import { first, type ReadDatabase } from '../../platform/db/database.ts';

export interface StandingUnit extends Watching {
  severity: Severity;
  since: Date | null;
  episodeId: string | null;
  staleSince: Date | null;
  isMuted: boolean;
  isInDowntime: boolean;
  /** Whoever took it last, of those who still have it. */
  takenBy: string | null;
  takenAt: Date | null;
  comment: string | null;
}

export const selectStandingUnit = async (db: ReadDatabase, serviceId: ServiceId, now: Date) =>
  first(
    await db.query<StandingUnit>(sql`
      select state.severity, severity_since as "since", state.episode_id as "episodeId", stale_since as "staleSince",
        ${IS_MUTED} as "isMuted", ${isInDowntime(now)} as "isInDowntime",
        ${HAS_LIMITS} as "hasLimits", ${IS_HEARD} as "isHeard", ${IS_GATEWAY} as "isGateway",
        taken.account_name as "takenBy", taken.created_at as "takenAt", taken.comment
      from alarm_state state
      left join lateral (
        select account_name, created_at, comment from acknowledgement
        where service_id = state.service_id and ended_at is null order by id desc limit 1) taken on state.severity <> 'normal'
      where state.service_id = ${serviceId}`),
  );

/** null: nobody has come in this alarm. */
export const selectArrivalState = async (db: ReadDatabase, serviceId: ServiceId, episodeId: string) =>
  first(
    await db.query<{ at: Date; state: 'waiting' | 'released' | 'held' | 'dropped' }>(sql`
      select happened_at as "at", state from notification
      where service_id = ${serviceId} and episode_id = ${episodeId}::bigint and subject = 'arrival'
      order by id desc limit 1`),
  );

// What decides about what is told, read for many services in a fixed number of statements.
import sql, { type Sql } from 'sql-template-tag';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import type { Severity } from '../../domain/judging/severity.ts';
import { NOBODY_KNOWS, NOTHING_CLIMBED } from '../../domain/notifications/foretell.ts';
import type { Group, NotificationSettings, Situation } from '../../domain/notifications/situation.ts';
import { type Gateway, nameStaleGateways } from '../../domain/quiet-times/gateways.ts';
import { describeBehind, describeStale } from '../../domain/words/alarm-message.ts';
import type { Statement } from '../../platform/db/statement.ts';
import { judgingVersion } from '../sql-parts/limits.ts';
import { LAST_TELEMETRY_AT } from '../sql-parts/service-state.ts';
import { SETTINGS } from '../sql-parts/settings.ts';
import { type LadderRow, ladderColumns, toLadder } from './ladders.ts';

/** A service as it stands, with what a message would say of it. */
export interface ToldService {
  serviceId: ServiceId;
  organizationId: OrganizationId;
  /** Without what people know already, and what waits. */
  situation: Situation;
  alarm: { message: string; channel: string | null; value: number | null; limit: number | null };
  staleSince: Date | null;
  /** What is said of the stale period while it lasts. */
  staleMessage: string;
}

export interface CurrentStateRow extends NotificationSettings {
  serviceId: ServiceId;
  organizationId: OrganizationId;
  isArchived: boolean;
  createdAt: Date;
  severity: Severity;
  since: Date | null;
  episodeId: string | null;
  channel: string | null;
  value: number | null;
  limit: number | null;
  message: string | null;
  staleSince: Date | null;
  lastTelemetryAt: Date | null;
  delayMinutes: number | null;
  staleEventId: string | null;
  staleNoticedAt: Date | null;
  mutedBy: string | null;
  downtimes: { start: number; end: number; by: string }[];
  acknowledgements: { severity: 'critical' | 'warning'; by: string }[];
  lastDowntimeEndAt: Date | null;
  suppressionEndedAt: Date | null;
  gateways: Gateway[];
  behindIt: number;
}

/** `serviceIds`: an array, or a query for them. */
export const selectCurrentStates = (serviceIds: Sql, now: Date): Statement<CurrentStateRow> => sql`
    select state.service_id as "serviceId", state.organization_id as "organizationId",
      service.archived_at is not null as "isArchived", service.created_at as "createdAt",
      state.severity, state.severity_since as "since", state.episode_id as "episodeId", state.channel, state.value,
      state.limit_value as "limit", state.message, state.stale_since as "staleSince",
      ${LAST_TELEMETRY_AT} as "lastTelemetryAt",
      (select delay_minutes from limits_band
        where limits_version_id = ${judgingVersion(sql`id`, sql`state.service_id`, sql`state.channel`)}
          and limits_band.band = state.band) as "delayMinutes",
      stale.id as "staleEventId", stale.recorded_at as "staleNoticedAt",
      ${SETTINGS},
      (select account_name from mute where service_id = state.service_id and ended_at is null
        order by id desc limit 1) as "mutedBy",
      (select coalesce(json_agg(json_build_object('start', date_part('epoch', start_at) * 1000,
          'end', date_part('epoch', end_at) * 1000, 'by', created_by_name)), '[]')
        from downtime where service_id = state.service_id and end_at > ${now}) as "downtimes",
      (select max(end_at) from downtime where service_id = state.service_id and end_at <= ${now}) as "lastDowntimeEndAt",
      (select coalesce(json_agg(json_build_object('severity', lower(severity), 'by', account_name)), '[]')
        from acknowledgement where service_id = state.service_id and ended_at is null) as "acknowledgements",
      schedule.suppression_ended_at as "suppressionEndedAt",
      (select coalesce(json_agg(json_build_object('name', parent.name, 'isArchived', parent.archived_at is not null,
          'isStale', gateway.stale_since is not null, 'hasGroup', notification_group_id is not null,
          'enableSystemNotifications', enable_system_notifications) order by parent.name), '[]')
        from service_parent join service parent on parent.id = parent_id
        join alarm_state gateway on gateway.service_id = parent_id
        join service_settings on service_settings.service_id = parent_id
        where service_parent.service_id = state.service_id) as "gateways",
      (select count(*)::int from service_parent join service child on child.id = service_parent.service_id
        where parent_id = state.service_id and child.archived_at is null) as "behindIt"
    from alarm_state state
    join service on service.id = state.service_id
    join notification_schedule schedule on schedule.service_id = state.service_id
    join service_settings settings on settings.service_id = state.service_id
    left join lateral (
      select id, recorded_at from alarm_event
      where alarm_event.service_id = state.service_id and kind = 'went_stale' and state.stale_since is not null
      order by id desc limit 1) stale on true
    where state.service_id = any(${serviceIds})
    order by state.service_id`;

export interface GroupRow extends LadderRow {
  id: number;
  name: string;
  serviceIds: ServiceId[];
}

/** The groups that the services tell, each with all it reaches: read at once, so that they belong together. */
export const selectGroups = (serviceIds: Sql, now: Date): Statement<GroupRow> => sql`
  select id, name, array_agg(service_id) as "serviceIds", ${ladderColumns(now)}
  from service_settings join notification_group on notification_group.id = notification_group_id
  where service_id = any(${serviceIds})
  group by id`;

/** Stops after each group: one may have many people, with many ways and many shifts. */
export function* toToldServices(rows: CurrentStateRow[], groups: GroupRow[]): Generator<void, ToldService[]> {
  const groupOf = new Map<ServiceId, Group>();
  for (const row of groups) {
    const group = toGroup(row);
    for (const id of row.serviceIds) groupOf.set(id, group);
    yield;
  }
  return rows.map((row) => toToldService(row, groupOf.get(row.serviceId) ?? null));
}

const toGroup = (row: GroupRow): Group => ({ id: row.id, name: row.name, ladder: toLadder(row) });

function toToldService(row: CurrentStateRow, group: Group | null): ToldService {
  const { serviceId, organizationId, isArchived, severity, since, episodeId, acknowledgements } = row;
  const { staleSince, lastTelemetryAt, createdAt } = row;
  const downtimes = row.downtimes.map(({ start, end, by }) => ({
    startAt: new Date(start),
    endAt: new Date(end),
    by,
  }));
  const ends = [row.lastDowntimeEndAt, row.suppressionEndedAt].flatMap((at) => at ?? []);
  return {
    serviceId,
    organizationId,
    situation: {
      isArchived,
      severity,
      since,
      episodeId,
      delayMinutes: row.delayMinutes ?? 0,
      stale: staleSince && { id: row.staleEventId ?? '0', noticedAt: row.staleNoticedAt ?? staleSince },
      settings: row,
      group,
      mutedBy: row.mutedBy,
      downtimes,
      suppressionEndedAt: ends.length > 0 ? new Date(Math.max(...ends.map((at) => at.getTime()))) : null,
      acknowledgements,
      staleGateway: nameStaleGateways(row.gateways),
      warningsTold: [],
      climbed: NOTHING_CLIMBED,
      toldBefore: NOBODY_KNOWS,
      waiting: [],
    },
    alarm: { message: row.message ?? '', channel: row.channel, value: row.value, limit: row.limit },
    staleSince,
    staleMessage: describeStale({ lastTelemetryAt, createdAt }) + describeBehind(row.behindIt),
  };
}

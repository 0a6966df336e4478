// What the page of one service reads.
import sql from 'sql-template-tag';
import type { ChannelKind } from '../../../domain/equipment/channel-kind.ts';
import type { OrganizationId, ServiceId } from '../../../domain/ids.ts';
import type { Severity } from '../../../domain/judging/severity.ts';
import { type Newest, withNewest } from '../../../engine/journal/read-newest.ts';
import { DEVICE_KEYS } from '../../../engine/sql-parts/device-keys.ts';
import { WITH_PLACE } from '../../../engine/sql-parts/place.ts';
import {
  HAS_LIMITS,
  IS_ACKNOWLEDGED,
  IS_GATEWAY,
  IS_HEARD,
  IS_MUTED,
  isInDowntime,
} from '../../../engine/sql-parts/service-state.ts';
import { first, type ReadDatabase } from '../../../platform/db/database.ts';

export interface ShownChannel {
  id: number;
  name: string;
  label: string | null;
  unit: string | null;
  kind: ChannelKind;
  offWord: string | null;
  onWord: string | null;
  /** 0: an alarm of it is over with the first reading within its limits. */
  clearMargin: number;
  clearMinutes: number;
}

export interface ShownService extends Newest {
  id: ServiceId;
  organizationId: OrganizationId;
  name: string;
  createdAt: Date;
  assetName: string | null;
  locationName: string | null;
  deviceKeys: string[];
  severity: Severity;
  severitySince: Date | null;
  message: string | null;
  /** The name of the channel whose value raised the alarm. */
  alarmChannel: string | null;
  /** As it was raised or last changed. */
  alarmValue: number | null;
  staleSince: Date | null;
  isMuted: boolean;
  isInDowntime: boolean;
  isAcknowledged: boolean;
  hasLimits: boolean;
  isHeard: boolean;
  isGateway: boolean;
  /** In the order they came up. */
  channels: ShownChannel[];
}

/** null for an archived one too, and for one of another organization. */
export const selectService = async (
  db: ReadDatabase,
  serviceId: ServiceId,
  organizationIds: OrganizationId[],
  now: Date,
): Promise<ShownService | null> =>
  first(
    await withNewest(
      db,
      await db.query<Omit<ShownService, keyof Newest>>(sql`
      select service.id, service.organization_id as "organizationId", service.name,
        service.created_at as "createdAt", asset.name as "assetName",
        location.name as "locationName", ${DEVICE_KEYS} as "deviceKeys", state.severity,
        state.severity_since as "severitySince", state.message, state.channel as "alarmChannel",
        state.value as "alarmValue", state.stale_since as "staleSince",
        ${IS_MUTED} as "isMuted",
        ${isInDowntime(now)} as "isInDowntime",
        ${IS_ACKNOWLEDGED} as "isAcknowledged",
        ${HAS_LIMITS} as "hasLimits", ${IS_HEARD} as "isHeard", ${IS_GATEWAY} as "isGateway",
        coalesce((select json_agg(json_build_object('id', id, 'name', name, 'label', label, 'unit', unit,
          'kind', kind, 'offWord', off_word, 'onWord', on_word, 'clearMargin', clear_margin, 'clearMinutes', clear_minutes) order by id) from channel where service_id = service.id), '[]') as "channels"
      from service
      join alarm_state state on state.service_id = service.id
      ${WITH_PLACE}
      where service.id = ${serviceId} and service.archived_at is null
        and service.organization_id = any(${organizationIds}::int[])`),
    ),
  );

export interface AcknowledgementRecord {
  id: number;
  severity: 'CRITICAL' | 'WARNING';
  comment: string | null;
  by: string;
  at: Date;
  endedAt: Date | null;
  endReason: 'removed' | 'recovered' | 'limits_changed' | 'archived' | 'expired' | 'handed_over' | null;
  /** null: to nobody, or what they were called is not kept. */
  handedTo: string | null;
  /** Whoever had it could not go. */
  isGivenBack: boolean;
}

/** The newest first; those that hold before all others. */
export const selectAcknowledgements = (db: ReadDatabase, serviceId: ServiceId, limit: number) =>
  db.query<AcknowledgementRecord>(sql`
    select id, severity, comment, account_name as "by", created_at as "at", ended_at as "endedAt",
      end_reason as "endReason",
      (select to_name from hand_over
        where hand_over.service_id = acknowledgement.service_id and hand_over.episode_id = acknowledgement.episode_id
          and from_id = account_id and hand_over.ended_at = acknowledgement.ended_at and hand_over.end_reason = 'accepted'
        limit 1) as "handedTo",
      exists (select from pass_on
        where pass_on.service_id = acknowledgement.service_id and pass_on.episode_id = acknowledgement.episode_id
          and pass_on.account_id = acknowledgement.account_id and passed_at = ended_at) as "isGivenBack"
    from acknowledgement where service_id = ${serviceId}
    order by ended_at is null desc, created_at desc, id desc limit ${limit}`);

export interface MuteRecord {
  id: number;
  reason: string | null;
  by: string;
  at: Date;
  endedAt: Date | null;
}

/** The newest first; those that hold before all others. */
export const selectMutes = (db: ReadDatabase, serviceId: ServiceId, limit: number) =>
  db.query<MuteRecord>(sql`
    select id, reason, account_name as "by", created_at as "at", ended_at as "endedAt"
    from mute where service_id = ${serviceId} order by ended_at is null desc, id desc limit ${limit}`);

export interface DowntimeRecord {
  id: number;
  startAt: Date;
  endAt: Date;
  reason: string;
  by: string;
}

/** What is active or coming, the first to begin first. */
export const selectOpenDowntimes = (db: ReadDatabase, serviceId: ServiceId, now: Date) =>
  db.query<DowntimeRecord>(sql`
    select id, start_at as "startAt", end_at as "endAt", reason, created_by_name as "by"
    from downtime where service_id = ${serviceId} and end_at > ${now} order by start_at, id limit 100`);

/** The last to end first. */
export const selectPastDowntimes = (db: ReadDatabase, serviceId: ServiceId, now: Date, limit: number) =>
  db.query<DowntimeRecord>(sql`
    select id, start_at as "startAt", end_at as "endAt", reason, created_by_name as "by"
    from downtime where service_id = ${serviceId} and end_at <= ${now} order by end_at desc, id desc limit ${limit}`);

export const selectGroups = (db: ReadDatabase, organizationId: OrganizationId) =>
  db.query<{ id: number; name: string }>(sql`
    select id, name from notification_group where organization_id = ${organizationId} order by name, id`);

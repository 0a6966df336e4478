import sql, { type Sql } from 'sql-template-tag';
import type { ChannelKind } from '../../domain/equipment/channel-kind.ts';
import type { AccountId, OrganizationId, ServiceId } from '../../domain/ids.ts';
import type { Severity } from '../../domain/judging/severity.ts';
import type { AcknowledgedSeverity } from '../../engine/alarm-state/acknowledgements.ts';
import { LOCATION_ID, LOCATION_NAME } from '../../engine/sql-parts/place.ts';
import { IS_ACKNOWLEDGED, isInDowntime, LAST_TELEMETRY_AT } from '../../engine/sql-parts/service-state.ts';
import { first, type ReadDatabase } from '../../platform/db/database.ts';
import type { Statement } from '../../platform/db/statement.ts';

export interface AlarmRecord {
  serviceId: ServiceId;
  organizationId: OrganizationId;
  serviceName: string;
  serviceCreatedAt: Date;
  locationId: number | null;
  locationName: string | null;
  severity: Severity;
  /** When the current severity began, or when the data went stale. */
  triggeredAt: Date;
  channel: string | null;
  channelLabel: string | null;
  /** null: the channel is gone. */
  channelKind: ChannelKind | null;
  offWord: string | null;
  onWord: string | null;
  /** As the alarm was raised or last changed. */
  alarmValue: number | null;
  /** The newest of the alarming channel, which may have moved on since the alarm began. */
  value: number | null;
  unit: string | null;
  message: string | null;
  staleSince: Date | null;
  lastTelemetryAt: Date | null;
  /** The newest active acknowledgement, of any severity. */
  acknowledgedSeverity: AcknowledgedSeverity | null;
  acknowledgedById: AccountId | null;
  acknowledgedBy: string | null;
  acknowledgedAt: Date | null;
  comment: string | null;
  isAcknowledgedAtSeverity: boolean;
  /** By the newest active mute. */
  mutedBy: string | null;
  mutedAt: Date | null;
  muteReason: string | null;
}

/** Contract, Alarms. */
export const IN_ORDER = sql`
  array_position(array['critical', 'warning', 'normal'], state.severity),
  coalesce(state.severity_since, state.stale_since) desc, state.service_id desc`;

/**
 * Every table is looked up alarm by alarm: left to itself (without `offset 0`), the planner would rather read all services
 * than look for a few hundred of them. By index also where there are few services: else each look reads all of those.
 */
const selectActive = (which: Sql): Statement<AlarmRecord> => sql`
    select state.service_id as "serviceId", state.organization_id as "organizationId",
      service.name as "serviceName", service.created_at as "serviceCreatedAt",
      ${LOCATION_ID} as "locationId", ${LOCATION_NAME} as "locationName",
      state.severity, coalesce(state.severity_since, state.stale_since) as "triggeredAt", state.channel,
      alarming.label as "channelLabel", alarming.unit, alarming.kind as "channelKind", alarming.off_word as "offWord",
      alarming.on_word as "onWord", state.value as "alarmValue",
      state.channel_values[array_position(state.channel_ids, alarming.id)] as "value", state.message, state.stale_since as "staleSince",
      ${LAST_TELEMETRY_AT} as "lastTelemetryAt",
      newest.severity as "acknowledgedSeverity", newest.account_id as "acknowledgedById", newest.account_name as "acknowledgedBy",
      newest.created_at as "acknowledgedAt", newest.comment,
      ${IS_ACKNOWLEDGED} as "isAcknowledgedAtSeverity",
      muted.account_name as "mutedBy", muted.created_at as "mutedAt", muted.reason as "muteReason"
    from alarm_state state
    cross join lateral (
      select name, created_at, archived_at, asset_id from service where id = state.service_id offset 0) service
    left join lateral (
      select severity, account_id, account_name, created_at, comment from acknowledgement
      where service_id = state.service_id and ended_at is null order by id desc limit 1) newest on true
    left join lateral (
      select account_name, created_at, reason from mute
      where service_id = state.service_id and ended_at is null order by id desc limit 1) muted on true
    left join lateral (
      select id, label, unit, kind, off_word, on_word from channel
      where service_id = state.service_id and name = state.channel offset 0) alarming on true
    where (state.severity <> 'normal' or state.stale_since is not null) and ${which}
    order by ${IN_ORDER}`;

/** Nothing that is archived, nor in downtime now. */
export const selectAlarms = (db: ReadDatabase, organizationIds: OrganizationId[], now: Date) =>
  db.query(
    selectActive(sql`
      state.organization_id = any(${organizationIds}) and service.archived_at is null and not ${isInDowntime(now)}`),
    'by_index',
  );

/** Nothing that is archived. */
export const selectAlarmsOf = (serviceIds: readonly ServiceId[]) =>
  selectActive(sql`state.service_id = any(${serviceIds}::int[]) and service.archived_at is null`);

export const selectAlarm = async (db: ReadDatabase, serviceId: ServiceId) =>
  first(await db.query(selectActive(sql`state.service_id = ${serviceId}`), 'by_index'));

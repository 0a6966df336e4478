// What decides about telling, read for many services in a fixed number of statements.
import sql from 'sql-template-tag';
import { describeSilence } from '../domain/alarm-message.ts';
import type { OrganizationId, ServiceId } from '../domain/ids.ts';
import type { Severity } from '../domain/severity.ts';
import type { Recipient, Situation, TellingSettings } from '../domain/telling/situation.ts';
import { findSuppression } from '../domain/telling/suppression.ts';
import type { Tx } from '../platform/db/database.ts';

/** A service as it stands, with what a message would say of it. */
export interface ToldService {
  serviceId: ServiceId;
  organizationId: OrganizationId;
  situation: Situation;
  alarm: { message: string; channel: string | null; value: number | null; limit: number | null };
  staleSince: Date | null;
  /** What is said of the silence while it lasts. */
  silenceMessage: string;
  /** The last alarm and the last silence that anybody was told of. */
  toldEpisodeId: string | null;
  toldSilenceId: string | null;
}

interface SituationRow extends TellingSettings {
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
  silenceId: string | null;
  silenceNoticedAt: Date | null;
  groupId: number | null;
  groupName: string | null;
  mutedBy: string | null;
  downtimes: { start: number; end: number; by: string }[];
  acknowledgements: { severity: 'critical' | 'warning'; by: string }[];
  lastDowntimeEndAt: Date | null;
  suppressionEndedAt: Date | null;
  toldEpisodeId: string | null;
  toldSilenceId: string | null;
}

export async function loadSituations(
  tx: Tx,
  serviceIds: readonly ServiceId[],
  now: Date,
): Promise<ToldService[]> {
  const rows = await selectSituations(tx, serviceIds, now);
  const recipients = await selectRecipients(
    tx,
    rows.flatMap(({ groupId }) => groupId ?? []),
  );
  return rows.map((row) => toToldService(row, recipients, now));
}

const selectSituations = (tx: Tx, serviceIds: readonly ServiceId[], now: Date) =>
  tx.query<SituationRow>(sql`
    select state.service_id as "serviceId", state.organization_id as "organizationId",
      service.archived_at is not null as "isArchived", service.created_at as "createdAt",
      state.severity, state.severity_since as "since", state.episode_id as "episodeId", state.channel, state.value,
      state.limit_value as "limit", state.message, state.stale_since as "staleSince",
      (select to_timestamp(max(at_ms) / 1000.0) from unnest(state.channel_at_ms) as at_ms) as "lastTelemetryAt",
      -- A channel is judged by its own limits if it has any version, else by the service-wide ones.
      (select delay_minutes from limits_version version
        left join limits_band on limits_version_id = version.id and limits_band.band = state.band
        where version.service_id = state.service_id and version.retired_at is null
          and (version.channel = state.channel or version.channel is null)
        order by version.channel nulls last limit 1) as "delayMinutes",
      silence.id as "silenceId", silence.recorded_at as "silenceNoticedAt",
      notification_group_id as "groupId", notification_group.name as "groupName",
      send_critical as "sendCritical", send_warning as "sendWarning",
      send_acknowledgements as "sendAcknowledgements", send_recoveries as "sendRecoveries",
      repeat_interval_minutes as "repeatIntervalMinutes",
      enable_system_notifications as "enableSystemNotifications",
      system_notification_delay_minutes as "systemNotificationDelayMinutes",
      (select account_name from mute where service_id = state.service_id and ended_at is null
        order by id desc limit 1) as "mutedBy",
      (select coalesce(json_agg(json_build_object('start', date_part('epoch', start_at) * 1000,
          'end', date_part('epoch', end_at) * 1000, 'by', created_by_name)), '[]')
        from downtime where service_id = state.service_id and end_at > ${now}) as "downtimes",
      (select max(end_at) from downtime where service_id = state.service_id and end_at <= ${now}) as "lastDowntimeEndAt",
      (select coalesce(json_agg(json_build_object('severity', lower(severity), 'by', account_name)), '[]')
        from acknowledgement where service_id = state.service_id and ended_at is null) as "acknowledgements",
      telling.suppression_ended_at as "suppressionEndedAt",
      told_episode_id as "toldEpisodeId", told_silence_id as "toldSilenceId"
    from alarm_state state
    join service on service.id = state.service_id
    join telling on telling.service_id = state.service_id
    join service_settings settings on settings.service_id = state.service_id
    left join notification_group on notification_group.id = notification_group_id
    left join lateral (
      select id, recorded_at from alarm_event
      where alarm_event.service_id = state.service_id and kind = 'went_stale' and state.stale_since is not null
      order by id desc limit 1) silence on true
    where state.service_id = any(${serviceIds}::int[])
    order by state.service_id`);

/** Whom a group reaches by account: an active one that still belongs to the organization. */
export const REACHED_ACCOUNTS = sql`(
  select group_id, account.id, account.email from notification_group_account
  join notification_group on notification_group.id = group_id
  join membership using (account_id, organization_id)
  join account on account.id = account_id
  where is_active)`;

/** By group. Nobody twice, nor one who cannot be reached: a closed account, a webhook that was switched off. */
export async function selectRecipients(
  tx: Tx,
  groupIds: readonly number[],
): Promise<Map<number, Recipient[]>> {
  const ids = [...new Set(groupIds)];
  const rows = await tx.query<Recipient & { groupId: number }>(sql`
    select group_id as "groupId", 'email' as "transport", email as "recipient"
    from ${REACHED_ACCOUNTS} as reached where group_id = any(${ids}::int[])
    union
    select group_id, 'email', email from notification_group_email where group_id = any(${ids}::int[])
    union
    select group_id, 'webhook', id::text from notification_group_webhook
    where group_id = any(${ids}::int[]) and disabled_at is null
    order by 1, 2, 3`);
  const groups = new Map<number, Recipient[]>(ids.map((id) => [id, []]));
  for (const { groupId, ...recipient } of rows) groups.get(groupId)?.push(recipient);
  return groups;
}

function toToldService(
  row: SituationRow,
  recipients: ReadonlyMap<number, Recipient[]>,
  now: Date,
): ToldService {
  const { serviceId, organizationId, isArchived, severity, since, episodeId, acknowledgements } = row;
  const { groupId, groupName, staleSince, lastTelemetryAt, createdAt } = row;
  const windows = row.downtimes.map(({ start, end, by }) => ({
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
      silence: staleSince && { id: row.silenceId ?? '0', noticedAt: row.silenceNoticedAt ?? staleSince },
      settings: row,
      group:
        groupId === null
          ? null
          : { id: groupId, name: groupName ?? '', recipients: recipients.get(groupId) ?? [] },
      suppression: findSuppression(row.mutedBy, windows, now),
      suppressionEndedAt: ends.length > 0 ? new Date(Math.max(...ends.map((at) => at.getTime()))) : null,
      acknowledgements,
    },
    alarm: { message: row.message ?? '', channel: row.channel, value: row.value, limit: row.limit },
    staleSince,
    silenceMessage: describeSilence({ lastTelemetryAt, createdAt }),
    toldEpisodeId: row.toldEpisodeId,
    toldSilenceId: row.toldSilenceId,
  };
}

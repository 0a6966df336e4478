import sql from 'sql-template-tag';
import type { AccountId, OrganizationId, ServiceId } from '../../domain/ids.ts';
import type { Severity } from '../../domain/judging/severity.ts';
import type { ToldChannel } from '../../domain/words/alarm-message.ts';
import { WITH_PLACE } from '../../engine/sql-parts/place.ts';
import { first, type ReadDatabase, type Tx } from '../../platform/db/database.ts';

export interface Link {
  serviceId: ServiceId;
  organizationId: OrganizationId;
  serviceName: string;
  locationName: string | null;
  episodeId: string;
  /** Of the drill whose message carried the link; null for a real alarm. */
  drillId: number | null;
}

export const selectLink = async (tx: Tx, token: string) =>
  first(
    await tx.query<Link>(sql`
      select link.service_id as "serviceId", service.organization_id as "organizationId",
        service.name as "serviceName", location.name as "locationName", link.episode_id as "episodeId",
        drill.id as "drillId"
      from acknowledge_link link
      join service on service.id = link.service_id
      ${WITH_PLACE}
      left join drill on drill.episode_id = link.episode_id and drill.service_id = link.service_id
      where link.token = ${token}`),
  );

export interface CurrentAlarm {
  severity: Severity;
  since: Date | null;
  message: string | null;
  /** Whose value the message is about. */
  channel: ToldChannel;
  value: number | null;
  episodeId: string | null;
}

export const selectCurrentAlarm = async (tx: ReadDatabase, serviceId: ServiceId) =>
  first(
    await tx.query<CurrentAlarm>(sql`
      select severity, severity_since as "since", message, value, episode_id as "episodeId",
        (select json_build_object('name', name, 'label', label, 'kind', kind, 'offWord', off_word, 'onWord', on_word)
          from channel where channel.service_id = alarm_state.service_id and name = alarm_state.channel) as "channel"
      from alarm_state where service_id = ${serviceId}`),
  );

export interface Earlier {
  accountId: AccountId;
  by: string;
  at: Date;
  comment: string | null;
}

/** Who acknowledged it at its current severity. */
export const selectEarlier = async (tx: ReadDatabase, serviceId: ServiceId, severity: Severity) =>
  first(
    await tx.query<Earlier>(sql`
      select account_id as "accountId", account_name as "by", created_at as "at", comment from acknowledgement
      where service_id = ${serviceId} and severity = upper(${severity}) and ended_at is null`),
  );

export const selectOwnComment = async (tx: Tx, link: Link, accountId: AccountId) =>
  first(
    await tx.query<{ comment: string }>(sql`
      select comment from acknowledgement
      where service_id = ${link.serviceId} and episode_id = ${link.episodeId} and account_id = ${accountId}
        and comment is not null
      order by id desc limit 1`),
  )?.comment ?? null;

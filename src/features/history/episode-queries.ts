// What is stored of one alarm, beside its row.
import sql from 'sql-template-tag';
import type { AlarmSeverity } from '../../domain/notifications/subject.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import type { EpisodeRow } from './queries.ts';

export interface EpisodeEvent {
  kind: 'raised' | 'changed' | 'recovered' | 'went_stale' | 'came_back';
  to: 'normal' | AlarmSeverity;
  message: string | null;
  value: number | null;
  channel: EpisodeRow['channel'];
  at: Date;
}

const MOST = 500;

/** In order; also when data stayed away meanwhile. */
export const selectEvents = (db: ReadDatabase, { id, serviceId, beganAt, endedAt }: EpisodeRow, now: Date) =>
  db.query<EpisodeEvent>(sql`
    select alarm_event.kind, to_severity as "to", message, value, happened_at as "at",
      case when channel.id is not null then json_build_object('name', channel.name, 'label', channel.label,
        'unit', channel.unit, 'kind', channel.kind, 'offWord', off_word, 'onWord', on_word) end as "channel"
    from alarm_event
    left join channel on channel.service_id = alarm_event.service_id and channel.name = alarm_event.channel
    where alarm_event.service_id = ${serviceId} and happened_at between ${beganAt} and ${endedAt ?? now}
      and (episode_id = ${id}::bigint or alarm_event.kind in ('went_stale', 'came_back'))
    order by alarm_event.id limit ${MOST}`);

export interface EpisodeAcknowledgement {
  severity: 'CRITICAL' | 'WARNING';
  comment: string | null;
  by: string;
  at: Date;
  endedAt: Date | null;
  endReason: 'removed' | 'recovered' | 'limits_changed' | 'archived' | 'expired' | 'handed_over' | null;
  handedTo: string | null;
  isGivenBack: boolean;
}

export const selectAcknowledgementsOf = (db: ReadDatabase, { id, serviceId }: EpisodeRow) =>
  db.query<EpisodeAcknowledgement>(sql`
    select severity, comment, account_name as "by", created_at as "at", ended_at as "endedAt",
      end_reason as "endReason",
      (select to_name from hand_over
        where hand_over.service_id = acknowledgement.service_id and hand_over.episode_id = acknowledgement.episode_id
          and from_id = account_id and hand_over.ended_at = acknowledgement.ended_at and hand_over.end_reason = 'accepted'
        limit 1) as "handedTo",
      exists (select from pass_on
        where pass_on.service_id = acknowledgement.service_id and pass_on.episode_id = acknowledgement.episode_id
          and pass_on.account_id = acknowledgement.account_id and passed_at = ended_at) as "isGivenBack"
    from acknowledgement where service_id = ${serviceId} and episode_id = ${id}::bigint
    order by acknowledgement.id limit ${MOST}`);

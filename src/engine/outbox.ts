// What is to be told: rows written in the transaction of the state change, and looked at by outbox-decide.ts. Whether it
// is still true is asked again in the transaction that claims a delivery.
import sql from 'sql-template-tag';
import type { ServiceId } from '../domain/ids.ts';
import { findUntruth } from '../domain/notification-policy.ts';
import type { Tx } from '../platform/db/database.ts';
import type { AlarmEvent } from './alarm-events.ts';
import { nameSubject, type WaitingRow } from './outbox-knowledge.ts';
import { loadSituations } from './outbox-situation.ts';

/** One statement, however many: what comes of them is decided within a second, off the path of the readings. */
export function noteHappenings(tx: Tx, events: readonly AlarmEvent[], now: Date): void {
  const rows = events.map((event) => ({ ...event, ...nameKind(event), message: event.message ?? '' }));
  tx.announce();
  tx.later(sql`
    insert into notification (service_id, organization_id, episode_id, kind, severity, reason, message, state, due_at,
      created_at, happened_at, channel, value, limit_value)
    select "serviceId", organization_id, "episodeId", kind, given.severity, 'Not decided yet', given.message, 'waiting',
      ${now}, ${now}, to_timestamp("at" / 1000.0), given.channel, given.value, "limit"
    from json_to_recordset(${JSON.stringify(rows)}) as given ("serviceId" int, "episodeId" bigint, kind text,
      severity text, message text, "at" float8, channel text, value float8, "limit" float8)
    join alarm_state on service_id = "serviceId"`);
}

function nameKind({ kind, to, episodeId }: AlarmEvent) {
  if (kind === 'went_stale') return { kind: 'system', severity: 'stale', episodeId: null };
  if (kind === 'came_back') return { kind: 'system', severity: 'normal', episodeId: null };
  return { kind: to === 'normal' ? 'recovery' : to, severity: to, episodeId };
}

export interface GivenAcknowledgement {
  serviceId: ServiceId;
  episodeId: string | null;
  severity: 'CRITICAL' | 'WARNING';
  comment: string | null;
  accountName: string;
}

/** Call it with the alarm state locked. */
export function noteAcknowledgement(tx: Tx, given: GivenAcknowledgement, now: Date): void {
  tx.announce();
  tx.later(sql`
    insert into notification (service_id, organization_id, episode_id, kind, severity, reason, message, state, due_at,
      created_at, since, happened_at, channel, value, limit_value, author_name, comment)
    select service_id, organization_id, ${given.episodeId}::bigint, 'acknowledgement', lower(${given.severity}),
      'Not decided yet', coalesce(nullif(message, ''), ${`Acknowledged by ${given.accountName}`}), 'waiting', ${now}, ${now}, severity_since, ${now}, channel, value,
      limit_value, ${given.accountName}, ${given.comment}
    from alarm_state where service_id = ${given.serviceId}`);
}

/**
 * Something changed that may change what is to be told: a mute, a downtime, an acknowledgement taken back, settings.
 * Every room that does so calls this, in its own transaction; the services are looked at within a second.
 */
export const lookAgain = (
  tx: Tx,
  serviceIds: readonly ServiceId[],
  now: Date,
  { isSuppressionEnded = false }: { isSuppressionEnded?: boolean } = {},
): void => {
  tx.announce();
  tx.later(sql`
    with held as materialized (
      select service_id from telling where service_id = any(${serviceIds}::int[]) order by service_id for update)
    update telling set look_at = ${now}::timestamptz,
      suppression_ended_at = case when ${isSuppressionEnded}::bool then ${now}::timestamptz else suppression_ended_at end
    from held where telling.service_id = held.service_id`);
};

/** The same for all services that tell this group: its recipients changed. */
export const lookAgainAtGroup = (tx: Tx, groupId: number, now: Date): void =>
  tx.later(sql`
    with held as materialized (
      select telling.service_id from telling join service_settings using (service_id)
      where notification_group_id = ${groupId} order by 1 for update of telling)
    update telling set look_at = ${now}::timestamptz from held where telling.service_id = held.service_id`);

export type Truth = 'still true' | { reason: string };

interface ClaimedRow extends Pick<WaitingRow, 'kind' | 'severity' | 'episodeId'> {
  id: string;
  serviceId: ServiceId | null;
  mark: 'test' | 'drill' | null;
  /** Of a recovery or data that came back: this recipient heard of what is over, or may have. */
  knewOfIt: boolean;
}

/** By delivery id, for the transaction that claims them: nobody is told what is no longer so. */
export async function recheckDeliveries(
  tx: Tx,
  deliveryIds: readonly string[],
  now: Date,
): Promise<Map<string, Truth>> {
  const rows = await selectClaimed(tx, deliveryIds);
  const serviceIds = [...new Set(rows.flatMap(({ serviceId }) => serviceId ?? []))];
  const services = new Map(
    (await loadSituations(tx, serviceIds, now)).map((one) => [one.serviceId, one.situation]),
  );
  return new Map(
    rows.map(({ id, ...row }) => {
      const situation = row.serviceId === null ? undefined : services.get(row.serviceId);
      const reason = situation ? findUntruth({ ...row, subject: nameSubject(row) }, situation) : null;
      const unheard = row.knewOfIt ? null : 'Was never told what is over now';
      const untrue = reason ?? unheard;
      return [id, untrue === null ? 'still true' : { reason: untrue }];
    }),
  );
}

/** Also a letter that somebody held when it was interrupted may have arrived. */
const selectClaimed = (tx: Tx, deliveryIds: readonly string[]) =>
  tx.query<ClaimedRow>(sql`
    select delivery.id, notification.service_id as "serviceId", kind, severity, episode_id as "episodeId", mark,
      mark is not null or not (kind = 'recovery' or (kind = 'system' and severity <> 'stale')) or exists (
        select from (
          select id from notification begun
          where begun.service_id = notification.service_id and begun.episode_id = notification.episode_id
            and begun.kind in ('critical', 'warning') and begun.state = 'released'
          union all
          select id from notification begun
          where begun.service_id = notification.service_id and begun.silence_id = notification.silence_id
            and begun.severity = 'stale' and begun.state = 'released') begun
        cross join lateral (
          select state, letter_id from delivery told
          where told.notification_id = begun.id and told.transport = delivery.transport
            and told.recipient = delivery.recipient offset 0) told
        left join letter on letter.id = told.letter_id
        where told.state = 'sent' or (told.state = 'queued' and letter.leased_until is not null)) as "knewOfIt"
    from delivery join notification on notification.id = notification_id
    where delivery.id = any(${deliveryIds}::bigint[])`);

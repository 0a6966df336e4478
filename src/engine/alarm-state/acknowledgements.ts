import sql from 'sql-template-tag';
import type { AccountId, ServiceId } from '../../domain/ids.ts';
import { first, type ReadDatabase, type Tx } from '../../platform/db/database.ts';
import type { LockedService } from '../journal/lock-alarm-states.ts';

export const endAcknowledgements = (
  tx: Tx,
  serviceIds: readonly LockedService[],
  reason: 'archived' | 'limits_changed' | 'recovered',
  now: Date,
): void =>
  tx.later(sql`
    update acknowledgement set ended_at = ${now}, end_reason = ${reason}
    where service_id = any(${serviceIds}::int[]) and ended_at is null`);

export type AcknowledgedSeverity = 'CRITICAL' | 'WARNING';

interface NewAcknowledgement {
  serviceId: LockedService;
  episodeId: string | null;
  severity: AcknowledgedSeverity;
  comment: string | null;
  accountId: AccountId;
  accountName: string;
}

/** null: one is active at this severity already. */
export const insertAcknowledgement = async (tx: Tx, given: NewAcknowledgement, now: Date) =>
  first(
    await tx.query<{ id: number }>(sql`
      insert into acknowledgement (service_id, episode_id, severity, comment, account_id, account_name, created_at)
      values (${given.serviceId}, ${given.episodeId}, ${given.severity}, ${given.comment}, ${given.accountId},
        ${given.accountName}, ${now})
      on conflict (service_id, severity) where ended_at is null do nothing
      returning id`),
  );

const hasExpired = (now: Date) => sql`
  acknowledgement.ended_at is null and acknowledged_minutes is not null
  and acknowledgement.created_at <= ${now}::timestamptz - acknowledged_minutes * interval '1 minute'`;

/** Services whose group says how long an acknowledgement stands, and has one that stands for longer. */
export const selectExpired = (db: ReadDatabase, now: Date) =>
  db.query<{ serviceId: ServiceId }>(sql`
    select distinct acknowledgement.service_id as "serviceId" from notification_group
    join service_settings settings on settings.notification_group_id = notification_group.id
    join acknowledgement on acknowledgement.service_id = settings.service_id
    where ${hasExpired(now)} order by 1 limit 500`);

export const endExpired = (tx: Tx, serviceIds: readonly LockedService[], now: Date) =>
  tx.query<{ serviceId: ServiceId }>(sql`
    update acknowledgement set ended_at = ${now}, end_reason = 'expired'
    from service_settings settings
    join notification_group on notification_group.id = settings.notification_group_id
    where acknowledgement.service_id = any(${serviceIds}::int[]) and settings.service_id = acknowledgement.service_id
      and ${hasExpired(now)}
    returning acknowledgement.service_id as "serviceId"`);

/** By id, not by time: clocks are set back now and then. */
export const endNewestAcknowledgement = async (tx: Tx, serviceId: LockedService, now: Date) =>
  first(
    await tx.query<{ severity: AcknowledgedSeverity; accountName: string }>(sql`
      update acknowledgement set ended_at = ${now}, end_reason = 'removed'
      where id = (select max(id) from acknowledgement where service_id = ${serviceId} and ended_at is null)
      returning severity, account_name as "accountName"`),
  );

/** Whether one has taken it, at whatever severity. */
export const hasAcknowledged = async (tx: ReadDatabase, serviceId: ServiceId, accountId: AccountId) =>
  (
    await tx.query(sql`
      select from acknowledgement
      where service_id = ${serviceId} and account_id = ${accountId} and ended_at is null limit 1`)
  ).length > 0;

/** Who has it at this severity or a worse one; null: nobody. */
export const selectHolder = async (tx: Tx, serviceId: ServiceId, severity: 'critical' | 'warning') =>
  first(
    await tx.query<{ by: string }>(sql`
      select account_name as "by" from acknowledgement
      where service_id = ${serviceId} and ended_at is null and severity in (upper(${severity}), 'CRITICAL')
      order by id desc limit 1`),
  )?.by ?? null;

/** All that one has taken of a service. */
export const endOwnAcknowledgements = (tx: Tx, serviceId: LockedService, accountId: AccountId, now: Date) =>
  tx.query(sql`
    update acknowledgement set ended_at = ${now}, end_reason = 'removed'
    where service_id = ${serviceId} and account_id = ${accountId} and ended_at is null`);

interface HandedOver {
  serviceId: LockedService;
  episodeId: string;
  fromId: AccountId;
  accountId: AccountId;
  accountName: string;
}

/** What one has becomes somebody else's, at the same severities. */
export const handAcknowledgementsOver = (tx: Tx, given: HandedOver, now: Date) =>
  tx.query<{ severity: 'critical' | 'warning' }>(sql`
    with ended as (
      update acknowledgement set ended_at = ${now}, end_reason = 'handed_over'
      where service_id = ${given.serviceId} and account_id = ${given.fromId} and ended_at is null
      returning severity)
    insert into acknowledgement (service_id, episode_id, severity, account_id, account_name, created_at)
    select ${given.serviceId}, ${given.episodeId}, severity, ${given.accountId}, ${given.accountName}, ${now} from ended
    returning lower(severity) as severity`);

/** One's own acknowledgement of the episode, if it says nothing yet. */
export const commentAcknowledgement = async (
  tx: Tx,
  { serviceId, episodeId, accountId }: { serviceId: LockedService; episodeId: string; accountId: AccountId },
  comment: string,
) =>
  first(
    await tx.query<{ severity: string }>(sql`
      update acknowledgement set comment = ${comment}
      where id = (select max(id) from acknowledgement
        where service_id = ${serviceId} and episode_id = ${episodeId} and account_id = ${accountId}
          and ended_at is null and comment is null)
      returning severity`),
  );

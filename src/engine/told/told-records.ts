// Of what was told: what was decided, and each message to a recipient.
import sql, { type Sql } from 'sql-template-tag';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import type { Reason } from '../../domain/notifications/reason.ts';
import type { Subject } from '../../domain/notifications/subject.ts';
import type { MethodKind } from '../../domain/on-call/contact-method.ts';
import type { TransportName } from '../../domain/on-call/recipient.ts';
import type { ToldChannel } from '../../domain/words/alarm-message.ts';
import { first, type ReadDatabase } from '../../platform/db/database.ts';
import { IS_BEGINNING } from '../sql-parts/subjects.ts';
import type { WebhookKind } from '../transports/webhook/kinds.ts';

export interface NotificationRecord {
  id: string;
  organizationId: OrganizationId;
  groupId: number | null;
  groupName: string | null;
  subject: Subject;
  mark: 'test' | 'drill' | 'hand_over' | null;
  isRepeat: boolean;
  state: 'waiting' | 'released' | 'held' | 'dropped';
  reason: Reason;
  message: string;
  /** Whose value the message is about. */
  channel: ToldChannel;
  value: number | null;
  dueAt: Date;
  decidedAt: Date | null;
  createdAt: Date;
}

const selectNotificationsWhere = (db: ReadDatabase, which: Sql) =>
  db.query<NotificationRecord>(sql`
    select notification.id, notification.organization_id as "organizationId", group_id as "groupId",
      notification_group.name as "groupName", subject, mark, is_repeat as "isRepeat", state, why as "reason", message, value,
      case when channel.id is not null then json_build_object('name', channel.name, 'label', channel.label,
        'kind', channel.kind, 'offWord', off_word, 'onWord', on_word) end as "channel", due_at as "dueAt", decided_at as "decidedAt", notification.created_at as "createdAt"
    from notification left join notification_group on notification_group.id = group_id
    left join channel on channel.service_id = notification.service_id and channel.name = notification.channel
    where ${which}`);

/** The newest first, of those before the given one. */
export const selectNotifications = (
  db: ReadDatabase,
  serviceId: ServiceId,
  { before, limit }: { before: string | null; limit: number },
) =>
  selectNotificationsWhere(
    db,
    sql`notification.service_id = ${serviceId} and (${before}::bigint is null or notification.id < ${before}::bigint)
      order by notification.id desc limit ${limit}`,
  );

export const selectNotificationsById = (db: ReadDatabase, ids: readonly string[]) =>
  selectNotificationsWhere(db, sql`notification.id = any(${ids}::bigint[])`);

export interface DeliveryRecord {
  notificationId: string;
  /** Of the ladder. */
  step: number;
  /** When it was decided. */
  toldAt: Date;
  transport: TransportName;
  recipient: string;
  accountName: string | null;
  /** What kind of contact method it was. */
  via: MethodKind | null;
  webhookKind: WebhookKind | null;
  webhookUrl: string | null;
  state: 'queued' | 'sent' | 'failed' | 'dropped';
  attempts: number;
  nextAttemptAt: Date;
  lastError: string | null;
  dropReason: Reason | null;
  sentAt: Date | null;
  handedTo: string | null;
  isKept: boolean | null;
  wasTaken: boolean;
  refusedAt: Date | null;
  /** At the device. */
  receivedAt: Date | null;
  /** By a person, with a key or an answer. */
  confirmedAt: Date | null;
  confirmedHow: string | null;
}

/**
 * Null: not noted. Only mail is ever kept; and what has no letter is of a past that was made up,
 * by whoever fills a demo.
 */
export const IS_KEPT = sql`case when delivery.transport <> 'email' or delivery.letter_id is null then false else is_kept end`;

/** An address has a name only where it belongs to a member of the organization. */
export const selectDeliveries = (db: ReadDatabase, notificationIds: readonly string[]) =>
  db.query<DeliveryRecord>(sql`
    select notification_id as "notificationId", delivery.step, coalesce(decided_at, delivery.created_at) as "toldAt",
      delivery.transport, delivery.recipient, case when delivery.transport = 'method' then coalesce(account_name, owner.name) else member.name end as "accountName",
      coalesce(via, contact_method.kind) as "via",
      webhook.kind as "webhookKind", webhook.url as "webhookUrl", delivery.state, delivery.attempts,
      delivery.next_attempt_at as "nextAttemptAt", last_error as "lastError", dropped_why as "dropReason", sent_at as "sentAt",
      handed_to as "handedTo", ${IS_KEPT} as "isKept", provider_id is not null as "wasTaken", refused_at as "refusedAt", received_at as "receivedAt", confirmed_at as "confirmedAt", confirmed_how as "confirmedHow"
    from delivery
    join notification on notification.id = notification_id
    left join lateral (
      select name from account join membership on membership.account_id = account.id
      where delivery.transport = 'email' and account.email = delivery.recipient
        and membership.organization_id = notification.organization_id) member on true
    left join letter on letter.id = letter_id
    left join notification_group_webhook webhook on delivery.transport = 'webhook' and webhook.id::text = delivery.recipient
    left join contact_method on delivery.transport = 'method' and contact_method.id::text = delivery.recipient
    left join account owner on owner.id = contact_method.account_id
    where notification_id = any(${notificationIds}::bigint[])
    order by delivery.id`);

/** Whether anybody was notified of an alarm, as far as is known, or will be in a moment. */
export const selectNotified = async (db: ReadDatabase, serviceId: ServiceId, episodeId: string) =>
  first(
    await db.query<{ wasNotified: boolean; isWaiting: boolean }>(sql`
      select exists (
          select from notification join delivery on notification_id = notification.id left join letter on letter.id = letter_id
          where ${isOfAlarm(serviceId, episodeId)} and delivery.state = 'sent' and refused_at is null and not coalesce(${IS_KEPT}, false))
          as "wasNotified",
        exists (
          select from notification left join delivery on notification_id = notification.id
          where ${isOfAlarm(serviceId, episodeId)} and (notification.state = 'waiting' or delivery.state = 'queued')) as "isWaiting"`),
  );

const isOfAlarm = (serviceId: ServiceId, episodeId: string): Sql =>
  sql`notification.service_id = ${serviceId} and notification.episode_id = ${episodeId}::bigint and ${IS_BEGINNING}
    and (mark is null or mark = 'hand_over')`;

/** Of one alarm, in order. */
export const selectNotificationsOfEpisode = (db: ReadDatabase, serviceId: ServiceId, episodeId: string) =>
  selectNotificationsWhere(
    db,
    sql`notification.service_id = ${serviceId} and notification.episode_id = ${episodeId}::bigint
      order by notification.id limit 200`,
  );

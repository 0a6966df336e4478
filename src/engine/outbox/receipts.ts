// What becomes known of a message after it was sent. Each is noted once, however often it is said.
import sql from 'sql-template-tag';
import type { ServiceId } from '../../domain/ids.ts';
import type { ReadDatabase, Tx } from '../../platform/db/database.ts';
import { noteLetterArrived } from '../first-steps/first-steps.ts';
import { IS_ALARM } from '../sql-parts/subjects.ts';
import { lookAgain } from './look-again.ts';

/** It has arrived at the device. */
export const noteReceived = (tx: Tx, providerId: string, now: Date) =>
  tx.query(sql`
    update delivery set received_at = ${now} where provider_id = ${providerId} and received_at is null`);

/** It will not arrive: whoever was to be told by it was not. */
export async function noteLost(tx: Tx, providerId: string, error: string, now: Date): Promise<void> {
  const lost = await tx.query<{ serviceId: ServiceId | null }>(sql`
    update delivery set state = 'failed', sent_at = null, last_error = ${error}
    where provider_id = ${providerId} and state = 'sent' and received_at is null and confirmed_at is null
    returning service_id as "serviceId"`);
  lookAgain(tx, [...new Set(lost.flatMap(({ serviceId }) => serviceId ?? []))], now);
}

/** Somebody has it: they pressed a key or a button, or answered. What was dropped from the letter is not in it. */
export async function noteConfirmed(tx: Tx, letterId: string, how: string, now: Date) {
  const confirmed = await tx.query<{ serviceId: ServiceId | null }>(sql`
    update delivery set received_at = coalesce(received_at, ${now}), confirmed_at = ${now}, confirmed_how = ${how}
    where letter_id = ${letterId} and confirmed_at is null and state <> 'dropped'
    returning service_id as "serviceId"`);
  noteLetterArrived(tx, letterId, now);
  return confirmed;
}

/** By its personal link the person has acknowledged, which works once. */
export const noteLinkUsed = (tx: Tx, letterId: string, now: Date) =>
  tx.query(sql`update letter set link_used_at = ${now} where id = ${letterId}`);

export interface AnsweredAlarm {
  letterId: string;
  methodId: number;
  serviceId: ServiceId;
  episodeId: string;
  groupId: number;
  severity: 'critical' | 'warning';
  message: string;
}

/** The alarms in letters to these methods that can still be answered. */
export const selectAnswerable = (tx: Tx, methodIds: readonly number[], since: Date) =>
  tx.query<AnsweredAlarm>(sql`
    select letter.id as "letterId", letter.recipient::int as "methodId", notification.service_id as "serviceId",
      episode_id as "episodeId", notification.group_id as "groupId", subject as "severity", message
    from letter join delivery on letter_id = letter.id join notification on notification.id = notification_id
    where letter.transport = 'method' and letter.recipient = any(${methodIds.map(String)}::text[])
      and letter.created_at > ${since} and ${IS_ALARM} and (mark is null or mark = 'hand_over')
      and episode_id is not null
    order by letter.id desc, delivery.id limit 500`);

/** Whether this wrong PIN of a call is counted now, and not before: its provider may tell of it again. */
export const countPinFailure = async (tx: Tx, letterId: string, attempt: number): Promise<boolean> =>
  (
    await tx.query(sql`
      update letter set pin_failures = ${attempt} where id = ${letterId}::bigint and pin_failures = ${attempt} - 1
      returning id`)
  ).length > 0;

/** Letters that left for a method since then. */
export const countSent = async (db: ReadDatabase, methodId: number, since: Date): Promise<number> => {
  const [sent] = await db.query<{ count: number }>(sql`
    select count(*)::int as count from letter
    where transport = 'method' and recipient = ${String(methodId)} and state = 'sent' and finished_at > ${since}`);
  return sent?.count ?? 0;
};

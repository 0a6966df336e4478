// Mutes: until somebody ends them, or until the time that was said.
import sql from 'sql-template-tag';
import type { AccountId, ServiceId } from '../../domain/ids.ts';
import type { Database, ReadDatabase, Tx } from '../../platform/db/database.ts';
import { togetherOrAlone } from '../../platform/process/each-alone.ts';
import { type LockedService, lockAlarmStates } from '../journal/lock-alarm-states.ts';
import { keeping } from '../mosts/keep-most.ts';
import { lookAgain } from '../outbox/look-again.ts';

interface NewMute extends MuteFields {
  serviceId: LockedService;
}

interface MuteFields {
  reason: string | null;
  accountId: AccountId;
  accountName: string;
  /** null: until somebody ends it. */
  endsAt: Date | null;
}

export const insertMute = (
  tx: Tx,
  { serviceId, reason, accountId, accountName, endsAt }: NewMute,
  now: Date,
) =>
  keeping(
    tx,
    'mutes',
    [serviceId],
    tx.query(sql`
    insert into mute (service_id, reason, account_id, account_name, created_at, ends_at)
    values (${serviceId}, ${reason}, ${accountId}, ${accountName}, ${now}, ${endsAt}) returning id`),
  );

/** One of each, in one statement. None of them may have as many as there can be. */
export const insertMutes = (
  tx: Tx,
  serviceIds: readonly LockedService[],
  { reason, accountId, accountName, endsAt }: MuteFields,
  now: Date,
) =>
  tx.query<{ id: number; serviceId: ServiceId }>(sql`
    insert into mute (service_id, reason, account_id, account_name, created_at, ends_at)
    select unnest(${serviceIds}::int[]), ${reason}, ${accountId}::int, ${accountName}, ${now}, ${endsAt}::timestamptz
    returning id, service_id as "serviceId"`);

/** Those of them that still stand, or all of the services. Answers with what was ended. */
export const endMutesOf = (
  tx: Tx,
  serviceIds: readonly LockedService[],
  muteIds: readonly number[] | 'all',
  now: Date,
) =>
  tx.query<{ id: number; serviceId: ServiceId }>(sql`
    update mute set ended_at = ${now}
    where service_id = any(${serviceIds}::int[]) and ended_at is null
      and (${muteIds === 'all'} or id = any(${muteIds === 'all' ? [] : muteIds}::int[]))
    returning id, service_id as "serviceId"`);

/** As if nobody had ended them, but for those that are over by now. */
export const reopenMutes = (
  tx: Tx,
  serviceIds: readonly LockedService[],
  muteIds: readonly number[],
  now: Date,
) =>
  tx.query<{ id: number; serviceId: ServiceId }>(sql`
    update mute set ended_at = null
    where service_id = any(${serviceIds}::int[]) and id = any(${muteIds}::int[])
      and (ends_at is null or ends_at > ${now})
    returning id, service_id as "serviceId"`);

export const selectMuted = (tx: Tx, serviceIds: readonly ServiceId[]) =>
  tx.query<{ serviceId: ServiceId }>(sql`
    select distinct service_id as "serviceId" from mute where service_id = any(${serviceIds}::int[]) and ended_at is null`);

/** Answers with the mutes that were still active. */
export const endMutes = (tx: Tx, serviceId: LockedService, now: Date) =>
  tx.query<{ id: number }>(sql`
    update mute set ended_at = ${now} where service_id = ${serviceId} and ended_at is null returning id`);

const selectDue = (db: ReadDatabase, now: Date) =>
  db.query<{ serviceId: ServiceId }>(sql`
    select distinct service_id as "serviceId" from mute where ended_at is null and ends_at <= ${now}`);

/** What was held is told from now on, unless another mute still stands. */
export async function endDueMutes(db: Database, now: Date): Promise<void> {
  const due = (await selectDue(db, now)).map(({ serviceId }) => serviceId);
  await togetherOrAlone(
    due,
    (serviceId) => `the mute of service ${serviceId}`,
    (serviceIds) => endDue(db, serviceIds, now),
  );
}

const endDue = (db: Database, due: readonly ServiceId[], now: Date): Promise<void> =>
  db.transaction(async (tx) => {
    await lockAlarmStates(tx, due);
    const ended = await tx.query<{ serviceId: ServiceId; isOver: boolean }>(sql`
      with ended as (
        update mute set ended_at = ${now} where service_id = any(${due}::int[]) and ended_at is null and ends_at <= ${now}
        returning service_id)
      select distinct service_id as "serviceId", not exists (select from mute other
        where other.service_id = ended.service_id and ended_at is null and (ends_at is null or ends_at > ${now})) as "isOver"
      from ended`);
    const over = ended.filter(({ isOver }) => isOver).map(({ serviceId }) => serviceId);
    if (over.length > 0) lookAgain(tx, over, now, { isSuppressionEnded: true });
  });

interface ActiveMute {
  id: number;
  by: string;
  at: Date;
  endsAt: Date | null;
  reason: string | null;
}

/** The newest first. */
export const selectActiveMutes = (db: ReadDatabase, serviceId: ServiceId) =>
  db.query<ActiveMute>(sql`
    select id, account_name as "by", created_at as "at", ends_at as "endsAt", reason
    from mute where service_id = ${serviceId} and ended_at is null order by id desc`);

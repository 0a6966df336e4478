// Who gave an alarm back, and what opened by it.
import sql, { type Sql } from 'sql-template-tag';
import type { AccountId, ServiceId } from '../../domain/ids.ts';
import type { Reason } from '../../domain/notifications/reason.ts';
import type { PassedOn } from '../../domain/notifications/situation.ts';
import type { AlarmSeverity } from '../../domain/notifications/subject.ts';
import { first, type Tx } from '../../platform/db/database.ts';
import type { Statement } from '../../platform/db/statement.ts';
import type { LockedService } from '../journal/lock-alarm-states.ts';

/** null: there is no such alarm any more. */
export const selectPassable = async (tx: Tx, serviceId: LockedService, episodeId: string) =>
  first(
    await tx.query<{ severity: AlarmSeverity; groupId: number | null }>(sql`
      select severity, notification_group_id as "groupId"
      from alarm_state join service_settings using (service_id)
      where service_id = ${serviceId} and episode_id = ${episodeId} and severity <> 'normal'`),
  );

/** Whoever has nothing can hand nothing over. */
export const withdrawOffers = (tx: Tx, serviceId: LockedService, accountId: AccountId, now: Date): void =>
  tx.later(sql`
    update hand_over set ended_at = ${now}, end_reason = 'withdrawn'
    where service_id = ${serviceId} and from_id = ${accountId} and ended_at is null`);

interface ClimbingAlarm {
  serviceId: LockedService;
  episodeId: string;
  groupId: number | null;
  severity: AlarmSeverity;
}

/** Answers with its number. null: there is none, and the last that was open is open again: its people belong to everybody. */
export async function openNextStep(
  tx: Tx,
  { serviceId, episodeId, groupId, severity }: ClimbingAlarm,
  reason: Reason,
  now: Date,
): Promise<number | null> {
  const [opened] = await tx.query<{ step: number; isNext: boolean }>(sql`
    with climbed as (
      select coalesce(max(step), 0) as step from step_opened
      where service_id = ${serviceId} and episode_id = ${episodeId} and severity = ${severity} and step < 9),
    opening as (
      select notification_group_step.step from notification_group_step, climbed
      where group_id = ${groupId} and ${severity} = any(kinds)
      order by notification_group_step.step > climbed.step desc,
        abs(notification_group_step.step - climbed.step) limit 1)
    insert into step_opened (service_id, episode_id, severity, step, opened_at, why)
    select ${serviceId}::int, ${episodeId}::bigint, ${severity}, step, ${now}, ${JSON.stringify(reason)}::jsonb from opening
    returning step, step > (select step from climbed) as "isNext"`);
  return opened?.isNext ? opened.step : null;
}

interface NewPassOn {
  serviceId: LockedService;
  episodeId: string;
  severity: AlarmSeverity;
  accountId: AccountId;
  name: string;
  step: number | null;
  how: string;
}

export const insertPassOn = (tx: Tx, given: NewPassOn, now: Date): void =>
  tx.later(sql`
    insert into pass_on (service_id, episode_id, severity, account_id, account_name, step, how, passed_at)
    values (${given.serviceId}, ${given.episodeId}, ${given.severity}, ${given.accountId}, ${given.name}, ${given.step},
      ${given.how}, ${now})`);

interface PassedOnRow extends PassedOn {
  serviceId: ServiceId;
}

/** The last one of the alarm that the services are in, with all the ways to whoever cannot go. */
export const selectPassedOn = (serviceIds: Sql): Statement<PassedOnRow> => sql`
  select distinct on (service_id) service_id as "serviceId", passed.severity, passed_at as "at", account_name as "by",
    step is null as "isToAll",
    array(select 'email ' || email from account where id = passed.account_id
      union select case kind when 'email' then 'email ' || address else 'method ' || id end
      from contact_method where account_id = passed.account_id) as "ways"
  from alarm_state join pass_on passed using (service_id, episode_id)
  where service_id = any(${serviceIds}) and passed.severity = alarm_state.severity
  order by service_id, passed.id desc`;

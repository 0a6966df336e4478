// What people were told already, and what waits to be told.
import sql, { type Sql } from 'sql-template-tag';
import { groupBy } from '../../domain/group-by.ts';
import type { ServiceId } from '../../domain/ids.ts';
import { NOBODY_KNOWS } from '../../domain/notifications/foretell.ts';
import type { ToldBefore, ToldTopic, Waiting } from '../../domain/notifications/situation.ts';
import { isBeginning, type Subject } from '../../domain/notifications/subject.ts';
import { UNSTEADY_WITHIN_MINUTES, type WarningTold } from '../../domain/notifications/unsteady.ts';
import type { Recipient } from '../../domain/on-call/recipient.ts';
import type { Statement } from '../../platform/db/statement.ts';
import { IS_ABOUT_ALARM, IS_ABOUT_STALE, IS_BEGINNING } from '../sql-parts/subjects.ts';
import { RECIPIENTS } from './recipients.ts';

interface LastWord extends Recipient {
  serviceId: ServiceId;
  /** Of the episode or the stale period. */
  topicId: string;
  isClosed: boolean;
  groupId: number;
  subject: Subject;
  at: Date;
  isUnderWay: boolean;
  hasHeard: boolean;
  isRefused: boolean;
  /** It was about a beginning, and will not arrive any more. */
  hasFailed: boolean;
  isLost: boolean;
  step: number;
}

export function toToldBefore(alarms: LastWord[], staleWords: LastWord[]): (id: ServiceId) => ToldBefore {
  const alarmsOf = groupBy(alarms, (word) => word.serviceId);
  const staleOf = groupBy(staleWords, (word) => word.serviceId);
  return (serviceId) => {
    const alarm = alarmsOf.get(serviceId) ?? [];
    const stale = staleOf.get(serviceId) ?? [];
    if (alarm.length === 0 && stale.length === 0) return NOBODY_KNOWS;
    return {
      alarm: toTopic(alarm),
      stale: toTopic(stale),
      failed: [...alarm, ...stale].flatMap(({ subject, ...word }) =>
        word.hasFailed && isBeginning(subject) ? [{ ...word, subject }] : [],
      ),
    };
  };
}

function toTopic(words: readonly LastWord[]): ToldTopic {
  const told = words.filter(({ hasFailed }) => !hasFailed);
  const [one] = told;
  return one ? { id: one.topicId, isClosed: one.isClosed, told } : NOBODY_KNOWS.alarm;
}

/** Somebody holds its letter, or held it when it was interrupted. */
const IS_IN_HAND = sql`exists (select from letter where letter.id = told.letter_id and leased_until is not null)`;

/** What arrived, or may have. */
export const HAS_ARRIVED = sql`(told.state = 'sent' or (told.state = 'queued' and ${IS_IN_HAND}))`;

/** The last word to each recipient on the last episode that anybody was told of: of another one nobody knows anything. */
export const selectToldAlarms = (serviceIds: Sql): Statement<LastWord> =>
  selectLastWords(serviceIds, {
    topic: sql`told_episode_id`,
    isAbout: sql`episode_id = told_episode_id and mark is null and ${IS_ABOUT_ALARM}`,
    isEnd: sql`episode_id = told_episode_id and subject = 'recovery'`,
  });

/** The same on the last stale period. */
export const selectToldStale = (serviceIds: Sql): Statement<LastWord> =>
  selectLastWords(serviceIds, {
    topic: sql`told_stale_event_id`,
    isAbout: sql`stale_event_id = told_stale_event_id and ${IS_ABOUT_STALE}`,
    isEnd: sql`stale_event_id = told_stale_event_id and subject = 'back'`,
  });

interface AboutTopic {
  topic: Sql;
  isAbout: Sql;
  /** Of the dropped ones, those that close the topic. */
  isEnd: Sql;
}

/**
 * Whether somebody heard, and who is reached no more, is decided here: else every word to everybody would come out, not the last.
 * What was dropped was not told, nor what failed, unless it was about an end: that is not said again. Of beginnings that
 * failed the last one comes beside the last word. The newest delivery is the last word: notifications have their ids since
 * they happened. Service by service, and one table at a time: left to itself (without `offset 0`), the planner may begin with
 * all deliveries there are, and a plan that was made while a table was empty reads it whole where it is joined.
 */
const selectLastWords = (serviceIds: Sql, { topic, isAbout, isEnd }: AboutTopic): Statement<LastWord> => sql`
  select * from (
    select distinct on (schedule.service_id, transport, recipient, has_failed)
      schedule.service_id as "serviceId", ${topic} as "topicId",
      exists (select from notification where service_id = schedule.service_id and ${isEnd} and state = 'dropped')
        as "isClosed",
      group_id as "groupId", transport, recipient, subject, step,
      -- Only what took long on its way counts from its arrival: who got it together is reminded together.
      greatest(decided_at, sent_at - interval '1 minute') as "at", is_under_way as "isUnderWay",
      is_refused as "isRefused", has_failed as "hasFailed", was_taken as "isLost",
      bool_or(${IS_BEGINNING} and has_arrived) over (partition by schedule.service_id, transport, recipient) as "hasHeard"
    from notification_schedule schedule
    cross join lateral (
      select id, group_id, subject, decided_at from notification
      where service_id = schedule.service_id and ${isAbout} and state = 'released' offset 0) said
    cross join lateral (
      select told.id, told.transport, told.recipient, told.step, sent_at, told.state = 'queued' as is_under_way,
        ${HAS_ARRIVED} as has_arrived, told.state = 'failed' and ${IS_BEGINNING} as has_failed,
        provider_id is not null as was_taken,
        told.state = 'queued' and refused_at is not null and not ${IS_IN_HAND} as is_refused
      from delivery told
      where notification_id = said.id and told.state <> 'dropped' offset 0) heard
    where schedule.service_id = any(${serviceIds})
    order by schedule.service_id, transport, recipient, has_failed, heard.id desc) last
  where "hasFailed" or exists (
    select from ${RECIPIENTS} as reached
    where reached.group_id = last."groupId" and reached.transport = last.transport
      and reached.recipient = last.recipient and (reached.only_step is null or reached.only_step = last.step))`;

interface WarningRow extends WarningTold {
  serviceId: ServiceId;
}

/** More within an hour than this are unsteady whatever came before. */
const MOST_LOOKED_AT = 40;

/** Those that began within the last hour, and whom they were told. `which`: of these services alone, a condition on their state. */
export const selectWarningsTold = (
  serviceIds: Sql,
  now: Date,
  which: Sql = sql`true`,
): Statement<WarningRow> => sql`
  select service_id as "serviceId", transport, recipient, said.decided_at as "at"
  from alarm_state
  cross join lateral (
    select id, decided_at from (
      select id, subject, is_repeat, mark, state, decided_at from notification
      where notification.service_id = alarm_state.service_id order by id desc limit ${MOST_LOOKED_AT}) newest
    where subject = 'warning' and not is_repeat and mark is null and state = 'released'
      and decided_at > ${new Date(now.getTime() - UNSTEADY_WITHIN_MINUTES * 60_000)} offset 0) said
  cross join lateral (
    select transport, recipient from delivery
    where notification_id = said.id and state not in ('dropped', 'failed') offset 0) told
  where service_id = any(${serviceIds}) and ${which}`;

/** What happened and waits, with its facts. */
export interface WaitingRow extends Waiting {
  serviceId: ServiceId;
  happenedAt: Date;
  channel: string | null;
  label: string | null;
  unit: string | null;
  value: number | null;
}

export const selectWaiting = (serviceIds: Sql): Statement<WaitingRow> => sql`
  select notification.id, notification.service_id as "serviceId", subject, episode_id as "episodeId", severity,
    happened_at as "happenedAt", notification.channel, channel.label, channel.unit, value
  from notification
  left join channel on channel.service_id = notification.service_id and channel.name = notification.channel
  where notification.service_id = any(${serviceIds}) and state = 'waiting'
  order by notification.id`;

/** By service, oldest first. */
export const toWaiting = (rows: WaitingRow[]): Map<ServiceId, WaitingRow[]> =>
  groupBy(rows, ({ serviceId }) => serviceId);

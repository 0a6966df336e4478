// Whether what was decided to be told is still true: asked in the transaction that claims it.
import sql, { type Sql } from 'sql-template-tag';
import { atOnce } from '../../domain/at-once.ts';
import type { ServiceId } from '../../domain/ids.ts';
import type { Reason } from '../../domain/notifications/reason.ts';
import type { Situation } from '../../domain/notifications/situation.ts';
import { findUntruth } from '../../domain/notifications/still-true.ts';
import type { Statement } from '../../platform/db/statement.ts';
import { IS_ALARM, IS_BEGINNING, IS_DEED } from '../sql-parts/subjects.ts';
import {
  type CurrentStateRow,
  type GroupRow,
  selectCurrentStates,
  selectGroups,
  toToldServices,
} from './current-states.ts';
import { HAS_ARRIVED, type WaitingRow } from './told-before.ts';

export interface ClaimedRow extends Pick<WaitingRow, 'subject' | 'severity' | 'episodeId'> {
  id: string;
  letterId: string;
  notificationId: string;
  dueAt: Date;
  serviceId: ServiceId | null;
  mark: 'test' | 'drill' | 'hand_over' | null;
  /** Of a recovery or data that came back: this recipient heard of what is over, or may have. */
  knewOfIt: boolean;
}

/** `which`: a condition on deliveries. */
export const askTruths = (which: Sql, now: Date) => {
  const serviceIds = sql`select service_id from delivery where ${which}`;
  return {
    claimed: selectClaimed(which),
    states: selectCurrentStates(serviceIds, now),
    groups: selectGroups(serviceIds, now),
  };
};

/** By delivery: why it should not be sent after all. */
export function findUntruths(
  claimed: readonly ClaimedRow[],
  states: CurrentStateRow[],
  groups: GroupRow[],
  now: Date,
): Map<string, Reason> {
  const services = new Map(
    atOnce(toToldServices(states, groups)).map((one) => [one.serviceId, one.situation]),
  );
  return new Map(
    claimed.flatMap((row): [string, Reason][] => {
      const current = row.serviceId === null ? undefined : services.get(row.serviceId);
      const unheard: Reason | null = row.knewOfIt ? null : { code: 'never_told' };
      const reason = current && findOwnUntruth(row, current, now);
      const untruth = reason ?? unheard;
      return untruth === null ? [] : [[row.id, untruth]];
    }),
  );
}

/** What is handed to one person is true while the alarm goes on, acknowledged or not. */
function findOwnUntruth({ mark, ...row }: ClaimedRow, current: Situation, now: Date): Reason | null {
  if (mark !== 'hand_over') return findUntruth({ ...row, mark }, current, now);
  return current.episodeId === row.episodeId ? null : { code: 'over_meanwhile', of: 'alarm' };
}

const selectClaimed = (which: Sql): Statement<ClaimedRow> => sql`
  select delivery.id, letter_id as "letterId", notification_id as "notificationId", due_at as "dueAt",
    claimed.service_id as "serviceId", claimed.subject, claimed.severity, claimed.episode_id as "episodeId", claimed.mark,
    claimed.mark is not null or ${IS_DEED} or ${IS_BEGINNING} or exists (
      select from (
        select id from notification begun
        where begun.service_id = claimed.service_id and begun.episode_id = claimed.episode_id
          and ${IS_ALARM} and begun.state = 'released'
        union all
        select id from notification begun
        where begun.service_id = claimed.service_id and begun.stale_event_id = claimed.stale_event_id
          and begun.subject = 'stale' and begun.state = 'released') begun
      cross join lateral (
        select ${HAS_ARRIVED} as has_arrived from delivery told
        where told.notification_id = begun.id and told.transport = delivery.transport
          and told.recipient = delivery.recipient offset 0) told
      where has_arrived) as "knewOfIt"
  from (select * from delivery where ${which}) delivery
  join notification claimed on claimed.id = notification_id
  order by delivery.id`;

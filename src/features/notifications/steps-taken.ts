// How far an alarm, or a drill, has climbed the ladder of its group.

import sql, { type Sql } from 'sql-template-tag';
import { canOperate, type Role } from '../../domain/accounts/role.ts';
import type { ServiceId } from '../../domain/ids.ts';
import type { Language } from '../../domain/language/speak.ts';
import { LAST_RESORT } from '../../domain/notifications/ladder.ts';
import { findOutcome, type LetterFacts, sayOutcome, timeOf } from '../../domain/notifications/outcome.ts';
import { type Reason, sayReason } from '../../domain/notifications/reason.ts';
import type { MethodKind } from '../../domain/on-call/contact-method.ts';
import type { TransportName } from '../../domain/on-call/recipient.ts';
import { describeSpan } from '../../domain/span.ts';
import { nameMethod } from '../../engine/providers/providers.ts';
import type { DeliveryModel } from '../../engine/told/told-model.ts';
import { IS_KEPT } from '../../engine/told/told-records.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { type Reader, type ShownTime, showTime } from '../../platform/html/time.tsx';

export interface StepTaken {
  id: string;
  /** null: of a stale period. */
  episodeId: string | null;
  label: string;
  isLastResort: boolean;
  at: ShownTime;
  /** Since the first step; null of the first. */
  after: string | null;
  reason: string;
  step: number;
  receipts: DeliveryModel[];
}

interface StepRow {
  id: string;
  episodeId: string | null;
  step: number;
  openedAt: Date;
  reason: Reason;
  told: {
    transport: TransportName;
    recipient: string;
    accountName: string | null;
    via: MethodKind | null;
    facts: StoredFacts;
  }[];
}

/** In JSON, where times are texts. */
type StoredFacts = {
  [Fact in keyof LetterFacts]: Date extends LetterFacts[Fact] ? string | null : LetterFacts[Fact];
};

/** Addresses are for those who act on them. */
export type StepReader = Reader & { role: Role };

/** Of the alarm that the service is in, and of the time it has been stale. */
export const readStepsTaken = async (db: ReadDatabase, serviceId: ServiceId, reader: StepReader) =>
  (
    await selectSteps(
      db,
      sql`opened.service_id = ${serviceId} and (
        opened.episode_id = (
          select episode_id from alarm_state where service_id = ${serviceId} and severity <> 'normal')
        or opened.stale_event_id = (
          select id from alarm_event
          where service_id = ${serviceId} and kind = 'went_stale' and exists (
            select from alarm_state where service_id = ${serviceId} and stale_since is not null)
          order by id desc limit 1))`,
    )
  ).map(showSteps(reader));

export const readStepsOfDrills = async (
  db: ReadDatabase,
  serviceId: ServiceId,
  episodeIds: readonly string[],
  reader: StepReader,
) =>
  (
    await selectSteps(
      db,
      sql`opened.service_id = ${serviceId} and opened.episode_id = any(${episodeIds}::bigint[])`,
    )
  ).map(showSteps(reader));

/** What came of it: to whom, and whether it arrived. Reminders say nothing new; but who confirms one has it. */
const selectSteps = (db: ReadDatabase, which: Sql) =>
  db.query<StepRow>(sql`
    select opened.id, opened.episode_id as "episodeId", opened.step, opened_at as "openedAt", opened.why as "reason",
      coalesce(json_agg(json_build_object('transport', delivery.transport, 'recipient', coalesce(webhook.kind, delivery.recipient),
          'accountName', account_name, 'via', via, 'facts', json_build_object('state', delivery.state,
            'attempts', delivery.attempts, 'nextAttemptAt', delivery.next_attempt_at, 'lastError', last_error,
            'sentAt', sent_at, 'handedTo', handed_to, 'isKept', ${IS_KEPT}, 'wasTaken', provider_id is not null,
            'refusedAt', refused_at, 'receivedAt', received_at,
            'confirmedAt', least(delivery.confirmed_at, again.confirmed_at), 'confirmedHow', confirmed_how)) order by delivery.id)
        filter (where delivery.id is not null), '[]') as "told"
    from step_opened opened
    left join notification on notification.service_id = opened.service_id and decided_at >= opened_at and not is_repeat
      and (notification.episode_id = opened.episode_id and subject = opened.severity
        or notification.stale_event_id = opened.stale_event_id and notification.severity = 'stale')
    left join delivery on notification_id = notification.id and delivery.step = opened.step and delivery.state <> 'dropped'
    left join lateral (
      select min(confirmed_at) as confirmed_at from notification repeated join delivery reminded on notification_id = repeated.id
      where repeated.service_id = notification.service_id and is_repeat and decided_at >= notification.decided_at
        and (repeated.episode_id = notification.episode_id and repeated.subject = notification.subject
          or repeated.stale_event_id = notification.stale_event_id and repeated.severity = 'stale')
        and reminded.transport = delivery.transport and reminded.recipient = delivery.recipient) again on true
    left join letter on letter.id = delivery.letter_id
    left join notification_group_webhook webhook on delivery.transport = 'webhook' and webhook.id::text = delivery.recipient
    where ${which}
    group by opened.service_id, opened.id
    order by opened.id`);

const showSteps =
  (reader: StepReader) =>
  (row: StepRow, _: number, all: StepRow[]): StepTaken => {
    const begun = all.find(({ episodeId }) => episodeId === row.episodeId)?.openedAt ?? row.openedAt;
    const ms = row.openedAt.getTime() - begun.getTime();
    return { ...showStep(row, reader), after: ms === 0 ? null : describeSpan(ms, reader.language) };
  };

const showStep = (
  { step, openedAt, told, reason, ...row }: StepRow,
  reader: StepReader,
): Omit<StepTaken, 'after'> => ({
  ...row,
  step,
  reason: sayReason(reason, reader.language),
  label: nameStep(step, reader.language),
  isLastResort: step === LAST_RESORT,
  at: showTime(openedAt, reader),
  receipts: told.map((one) => {
    const outcome = findOutcome(readFacts(one.facts));
    const at = timeOf(outcome);
    return {
      recipient: nameReceiver(one, canOperate(reader.role), reader.language),
      outcome,
      words: sayOutcome(outcome, canOperate(reader.role), reader.language),
      at: at && showTime(at, reader),
    };
  }),
});

function nameStep(step: number, { say }: Language): string {
  if (step === LAST_RESORT) return say('Last resort: administrators');
  return step === 0 ? say('At once') : say('Step {step}', { step });
}

const readFacts = (stored: StoredFacts): LetterFacts => ({
  ...stored,
  nextAttemptAt: readTime(stored.nextAttemptAt),
  sentAt: readTime(stored.sentAt),
  refusedAt: readTime(stored.refusedAt),
  receivedAt: readTime(stored.receivedAt),
  confirmedAt: readTime(stored.confirmedAt),
});

const readTime = (stored: string | null | undefined): Date | null => (stored ? new Date(stored) : null);

function nameReceiver(
  { transport, recipient, accountName, via }: StepRow['told'][number],
  showsAddresses: boolean,
  language: Language,
): string {
  const { say } = language;
  if (transport === 'webhook') return say('{label} webhook', { label: recipient });
  if (transport === 'method') {
    const person = accountName ?? say('Somebody');
    return via ? say('{person} by {method}', { person, method: nameMethod(via, language) }) : person;
  }
  return accountName ?? (showsAddresses ? recipient : say('An email address'));
}

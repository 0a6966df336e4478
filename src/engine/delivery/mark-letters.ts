// What became of attempts: sent, to be tried again, or given up; many in one transaction.

import sql from 'sql-template-tag';
import { withoutAccount } from '../../domain/accounts/requester.ts';
import { toStorable } from '../../domain/storable-text.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { writeAudit } from '../audit/write-audit.ts';
import { switchOffGoneWebhooks } from '../groups/group-recipients.ts';
import { GIVE_UP_AFTER_MS, planRetry } from '../transports/retry.ts';
import type { SendOutcome } from '../transports/transport.ts';
import type { ClaimedLetter } from './claim-letters.ts';

export interface LetterAttempt {
  letter: ClaimedLetter;
  outcome: SendOutcome;
  at: Date;
}

/** What the attempt means for its letter. */
export type Fate =
  | { state: 'sent' | 'failed'; nextAttemptAt: null }
  /** `givenUpIds`: deliveries whose day is over, in a letter that is tried again for the alarms in it. */
  | { state: 'queued'; nextAttemptAt: Date; givenUpIds: string[] };

const DELIVERY = withoutAccount('delivery');

export function judgeAttempt({ letter, outcome, at }: LetterAttempt, random: () => number): Fate {
  if (outcome.isSent) return { state: 'sent', nextAttemptAt: null };
  const { createdAt, attempts, deliveries } = letter;
  const { retryAfterMs, isGone } = outcome;
  const others = deliveries.filter(({ isAlarm }) => !isAlarm).map(({ id }) => id);
  const isLasting = others.length < deliveries.length;
  const failed = { createdAt, attempt: attempts + 1, retryAfterMs, isLasting };
  const nextAttemptAt = isGone ? null : planRetry(failed, at, random);
  if (!nextAttemptAt) return { state: 'failed', nextAttemptAt };
  const isDayOver = at.getTime() >= createdAt.getTime() + GIVE_UP_AFTER_MS;
  return { state: 'queued', nextAttemptAt, givenUpIds: isDayOver ? others : [] };
}

export const markLetters = (db: Database, attempts: (LetterAttempt & { fate: Fate })[]): Promise<void> =>
  db.transaction(async (tx) => {
    writeFates(tx, attempts);
    const goneIds = attempts.flatMap(({ letter: { recipient }, outcome }) =>
      !outcome.isSent && outcome.isGone && recipient.transport === 'webhook' ? [recipient.id] : [],
    );
    if (goneIds.length > 0) await switchOff(tx, goneIds, attempts[0]?.at as Date);
  });

/** A letter whose lease ended may have been finished by somebody else: what stands, stands. All travels with the commit. */
function writeFates(tx: Tx, attempts: (LetterAttempt & { fate: Fate })[]): void {
  // In one order, so that programs that finish the same letters do not wait for each other in a circle.
  const sorted = [...attempts].sort((one, other) => Number(BigInt(one.letter.id) - BigInt(other.letter.id)));
  const rows = sorted.map(({ letter, fate, outcome, at }) => ({
    letter_id: letter.id,
    ...fate,
    at,
    error: outcome.isSent ? null : readable(outcome.error),
  }));
  const ids = `{${sorted.map(({ letter }) => letter.id).join(',')}}`;
  tx.later(sql`select id from letter where id = any(${ids}::bigint[]) order by id for no key update`);
  tx.later(sql`
    with attempt as (
      select letter_id, state, "nextAttemptAt" as next_attempt_at, "givenUpIds" as given_up_ids, at, error
      from json_to_recordset(${JSON.stringify(rows)}) as given (letter_id bigint, state text, "nextAttemptAt" timestamptz,
        "givenUpIds" bigint[], at timestamptz, error text)),
    finished as (
      update letter set state = attempt.state, attempts = attempts + 1, leased_until = null,
        next_attempt_at = coalesce(attempt.next_attempt_at, letter.next_attempt_at),
        finished_at = case when attempt.state = 'queued' then null else attempt.at end
      from attempt where letter.id = attempt.letter_id and letter.state = 'queued')
    update delivery set
      state = case when delivery.id = any(given_up_ids) then 'failed' else attempt.state end, attempts = attempts + 1, last_error = attempt.error,
      next_attempt_at = coalesce(attempt.next_attempt_at, delivery.next_attempt_at),
      sent_at = case when attempt.state = 'sent' then attempt.at end
    from attempt where delivery.letter_id = attempt.letter_id and delivery.state = 'queued'`);
  lookAgainAtEnds(
    tx,
    sorted.filter(({ fate }) => fate.state === 'sent').map(({ letter }) => letter.id),
    attempts[0]?.at as Date,
  );
}

/** Somebody has heard now of what was over before it arrived, and was not owed its end until then. */
function lookAgainAtEnds(tx: Tx, sentIds: string[], now: Date): void {
  if (sentIds.length === 0) return;
  tx.later(sql`
    insert into look_again (service_id, noted_at)
    select distinct delivery.service_id, ${now}::timestamptz
    from delivery join notification on notification.id = notification_id
    join alarm_state on alarm_state.service_id = delivery.service_id
    where letter_id = any(${sentIds}::bigint[]) and delivery.state = 'sent' and mark is null
      and ((kind in ('critical', 'warning') and alarm_state.episode_id is distinct from notification.episode_id)
        or (kind = 'system' and notification.severity = 'stale' and stale_since is null))`);
}

/** Errors may quote anything. */
const readable = (error: string): string => toStorable(error.slice(0, 1_000));

/** The group page and the record say why, health counts what failed, and who switches it on again is told what holds. */
async function switchOff(tx: Tx, webhookIds: number[], now: Date): Promise<void> {
  const reason = 'The receiver answered 410: it is gone for good';
  const off = await switchOffGoneWebhooks(tx, webhookIds, reason, now);
  for (const { organizationId, id, kind, groupName } of off) {
    const detail = { webhook: id, kind, group: groupName, reason };
    await writeAudit(tx, DELIVERY, { action: 'group.webhook.disable', organizationId, detail }, now);
  }
}

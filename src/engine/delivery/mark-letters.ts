// What became of attempts: handed over, kept, to be tried again, or given up; many in one transaction.

import { withoutAccount } from '../../domain/accounts/requester.ts';
import { toStorable } from '../../domain/storable-text.ts';
import { writeFailure } from '../../domain/words/failure-words.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { switchOffMethods } from '../accounts/contact-methods.ts';
import { writeAudit } from '../audit/write-audit.ts';
import { changeGroup } from '../groups/change-group.ts';
import { switchOffGoneWebhooks } from '../groups/group-recipients.ts';
import { failureOf, type SendOutcome } from '../letters/letter.ts';
import { writeFates } from '../outbox/letters.ts';
import { GIVE_UP_AFTER_MS, planRetry } from '../transports/retry.ts';
import type { ClaimedLetter } from './claim-letters.ts';

export interface LetterAttempt {
  letter: ClaimedLetter;
  outcome: SendOutcome;
  at: Date;
}

/** What the attempt means for its letter. */
export type Fate =
  | { state: 'sent'; nextAttemptAt: null; handedTo: string | null; isKept: boolean }
  | { state: 'failed'; nextAttemptAt: null }
  /** `givenUpIds`: deliveries whose day is over, in a letter that is tried again for the alarms in it. */
  | { state: 'queued'; nextAttemptAt: Date; givenUpIds: string[] };

const DELIVERY = withoutAccount('delivery');

export function judgeAttempt({ letter, outcome, at }: LetterAttempt, random: () => number): Fate {
  if (outcome.isSent)
    return { state: 'sent', nextAttemptAt: null, handedTo: outcome.handedTo ?? null, isKept: false };
  if (outcome.isKept) return { state: 'sent', nextAttemptAt: null, handedTo: null, isKept: true };
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
    const fates = attempts.map(({ letter, fate, outcome, at }) => {
      const failed = failureOf(outcome);
      return {
        letterId: letter.id,
        ...fate,
        at,
        error: failed && readable(failed.error),
        isRefused: failed?.isRefused ?? false,
        providerId: outcome.isSent ? (outcome.providerId ?? null) : null,
      };
    });
    writeFates(tx, fates);
    const goneIds = attempts.flatMap(({ letter: { recipient }, outcome }) =>
      failureOf(outcome)?.isGone && recipient.transport === 'webhook' ? [recipient.id] : [],
    );
    if (goneIds.length > 0) await switchOff(tx, goneIds, attempts[0]?.at as Date);
    const goneMethods = attempts.flatMap(({ letter: { recipient }, outcome }) =>
      failureOf(outcome)?.isGone && recipient.transport === 'method' ? [recipient.id] : [],
    );
    if (goneMethods.length > 0)
      await switchOffMethods(tx, goneMethods, writeFailure('receiver_gone'), attempts[0]?.at as Date);
  });

/** Errors may quote anything. */
const readable = (error: string): string => toStorable(error.slice(0, 1_000));

/** The group page and the record say why, health counts what failed, and who switches it on again is told what holds. */
async function switchOff(tx: Tx, webhookIds: number[], now: Date): Promise<void> {
  const reason = writeFailure('answered_gone');
  const off = await changeGroup(tx, now, (changing) =>
    switchOffGoneWebhooks(changing, webhookIds, reason, now),
  );
  for (const { organizationId, id, kind, groupName } of off) {
    const detail = { webhook: id, kind, group: groupName, reason };
    await writeAudit(tx, DELIVERY, { action: 'group.webhook.disable', organizationId, detail }, now);
  }
}

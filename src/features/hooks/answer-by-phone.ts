// Acknowledging by an answer to an SMS or by a key during a call: the same verb and the same roles as everywhere.
import type { AccountId } from '../../domain/ids.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import type { Phone } from '../../engine/accounts/contact-methods.ts';
import { selectRequester } from '../../engine/accounts/select-requester.ts';
import type { AcknowledgeRefusal } from '../../engine/acts/acknowledge.ts';
import { writeAudit } from '../../engine/audit/write-audit.ts';
import { lockAlarmStates } from '../../engine/journal/lock-alarm-states.ts';
import { takeAnswer } from '../../engine/outbox/answers-taken.ts';
import { type AnsweredAlarm, noteConfirmed } from '../../engine/outbox/receipts.ts';
import type { Tx } from '../../platform/db/database.ts';
import { selectEpisodes } from './queries.ts';
import { takeOverOrAcknowledge } from './take-over-or-acknowledge.ts';

const ANSWERABLE_MS = 24 * 60 * 60_000;
/** What came before can no longer be answered. */
export const answerableSince = (now: Date): Date => new Date(now.getTime() - ANSWERABLE_MS);

export type ReplyOutcome =
  | { outcome: 'stopped' }
  /** With the code, which only the owner of the number reads, it counts. */
  | { outcome: 'stop_asked'; code: string }
  | { outcome: 'acknowledged'; count: number }
  | { outcome: 'nothing_open' };
export type KeyOutcome =
  | ReplyOutcome
  | {
      outcome: 'next_step';
      /** null: there is none, so everybody else is told again. */
      step: number | null;
      /** Somebody else has it already. */
      takenBy: string | null;
    };
export type ReplyRefusal =
  | 'unknown_number'
  | 'no_code'
  | 'wrong_code'
  | 'closed'
  | 'no_pin'
  | 'pin_missing'
  | 'wrong_pin'
  | 'not_allowed'
  | 'taken_before';

const STOP = /^\/?(stop|stopall|unsubscribe|end|quit|cancel)(\s*[.!])?$/i;

export const isStop = (text: string): boolean => STOP.test(text.trim());

export interface Taken {
  phone: Phone;
  alarms: readonly AnsweredAlarm[];
  how: 'reply' | 'key' | 'button';
  /** By which it counts once, however often it is handed on; null: whoever asks for it knows that. */
  answerId: string | null;
}

/** Whoever is refused otherwise hears that there is nothing left to acknowledge. */
const IS_FORBIDDEN: Record<AcknowledgeRefusal, boolean> = {
  no_such_service: false,
  outside_organization: true,
  viewer_only: true,
  no_active_alarm: false,
  already_acknowledged: false,
};

/** All alarms of the letter; what is over or newer by now is left alone. */
export async function takeAlarms(
  tx: Tx,
  { phone, alarms, how, answerId }: Taken,
  now: Date,
): Promise<Result<ReplyOutcome, ReplyRefusal>> {
  if (answerId !== null && !(await takeAnswer(tx, answerId, now))) return refuse('taken_before');
  const requester = await selectRequester(tx, phone.accountId as AccountId);
  if (!requester) return refuse('not_allowed');
  const letterIds = [...new Set(alarms.map(({ letterId }) => letterId))];
  for (const letterId of letterIds) await noteConfirmed(tx, letterId, how, now);
  const serviceIds = [...new Set(alarms.map(({ serviceId }) => serviceId))].sort((one, other) => one - other);
  const lockedIds = await lockAlarmStates(tx, serviceIds);
  const current = new Map((await selectEpisodes(tx, lockedIds)).map((row) => [row.serviceId, row.episodeId]));
  const same = new Set(
    alarms
      .filter(({ serviceId, episodeId }) => current.get(serviceId) === episodeId)
      .map(({ serviceId }) => serviceId),
  );
  const results = [];
  for (const serviceId of same)
    results.push(await takeOverOrAcknowledge(tx, requester, { serviceId, comment: undefined }, now));
  const count = results.filter(({ ok: isDone }) => isDone).length;
  const detail = { account: phone.accountId, via: phone.kind, how, acknowledged: count };
  await writeAudit(tx, requester, { action: 'account.answer_by_phone', detail }, now);
  if (results.some((one) => !one.ok && IS_FORBIDDEN[one.refusal])) return refuse('not_allowed');
  return ok(count > 0 ? { outcome: 'acknowledged', count } : { outcome: 'nothing_open' });
}

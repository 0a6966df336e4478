// Acknowledging by an answer to an SMS or by a key during a call: the same verb and the same roles as everywhere.
import type { Requester } from '../../domain/accounts/requester.ts';
import type { AccountId, ServiceId } from '../../domain/ids.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import {
  countWrongReply,
  findPhones,
  forgiveReplies,
  type Phone,
  switchOffMethods,
} from '../../engine/accounts/contact-methods.ts';
import { lockAlarmStates } from '../../engine/alarm-state/lock-alarm-states.ts';
import { writeAudit } from '../../engine/audit/write-audit.ts';
import {
  type AnsweredAlarm,
  noteConfirmed,
  openNextStep,
  selectAnswerable,
} from '../../engine/outbox/receipts.ts';
import { makeReplyCode } from '../../platform/auth/reply-code.ts';
import type { Tx } from '../../platform/db/database.ts';
import { selectEpisodes, selectRequester } from './queries.ts';
import { isSame } from './signatures.ts';

/** Of the alarms room; app.ts hands it in. */
export type Acknowledge = (
  tx: Tx,
  requester: Requester,
  wanted: { serviceId: ServiceId; comment: string | undefined },
  now: Date,
) => Promise<Result<unknown, string>>;

export interface PhoneDeps {
  acknowledge: Acknowledge;
  /** What the codes of replies are made by. */
  replySecret: string;
}

const ANSWERABLE_MS = 24 * 60 * 60_000;
/** What came before can no longer be answered. */
export const answerableSince = (now: Date): Date => new Date(now.getTime() - ANSWERABLE_MS);
const MOST_WRONG_REPLIES = 5;

export type ReplyOutcome =
  | { outcome: 'stopped' }
  | { outcome: 'acknowledged'; count: number }
  | { outcome: 'nothing_open' };
export type ReplyRefusal = 'unknown_number' | 'no_code' | 'wrong_code' | 'closed' | 'not_allowed';

const STOP = /^\s*\/?(stop|stopall|unsubscribe|end|quit|cancel)\s*[.!]?\s*$/i;

export const isStop = (text: string): boolean => STOP.test(text);

/** Senders can be forged: the number alone counts for nothing, the code that was sent to it does. */
export async function answerReply(
  tx: Tx,
  { acknowledge, replySecret }: PhoneDeps,
  { from, text }: { from: string; text: string },
  now: Date,
): Promise<Result<ReplyOutcome, ReplyRefusal>> {
  const phones = await findPhones(tx, 'sms', from);
  if (phones.length === 0) return refuse('unknown_number');
  if (isStop(text)) {
    await switchOffMethods(
      tx,
      phones.map(({ id }) => id),
      'STOP came from it',
      now,
    );
    return ok({ outcome: 'stopped' });
  }
  const [code] = /(?<!\d)\d{4}(?!\d)/.exec(text) ?? [];
  if (code === undefined) return refuse('no_code');
  const open = phones.filter(({ replyFailures }) => replyFailures < MOST_WRONG_REPLIES);
  if (open.length === 0) return refuse('closed');
  const alarms = await selectAnswerable(
    tx,
    open.map(({ id }) => id),
    answerableSince(now),
  );
  const meant = alarms.filter(({ methodId, letterId }) =>
    isSame(makeReplyCode(replySecret, methodId, letterId), code),
  );
  const phone = open.find(({ id }) => id === meant[0]?.methodId);
  if (!phone) {
    await countWrongReply(
      tx,
      open.map(({ id }) => id),
    );
    return refuse('wrong_code');
  }
  await forgiveReplies(tx, phone.id);
  return takeAlarms(tx, acknowledge, { phone, alarms: meant, how: 'reply' }, now);
}

interface Taken {
  phone: Phone;
  alarms: readonly AnsweredAlarm[];
  how: 'reply' | 'key' | 'button';
}

/** All alarms of the letter; what is over or newer by now is left alone. */
export async function takeAlarms(
  tx: Tx,
  acknowledge: Acknowledge,
  { phone, alarms, how }: Taken,
  now: Date,
): Promise<Result<ReplyOutcome, ReplyRefusal>> {
  const requester = await selectRequester(tx, phone.accountId as AccountId);
  if (!requester) return refuse('not_allowed');
  const letterIds = [...new Set(alarms.map(({ letterId }) => letterId))];
  for (const letterId of letterIds) await noteConfirmed(tx, letterId, how, now);
  const serviceIds = [...new Set(alarms.map(({ serviceId }) => serviceId))].sort((one, other) => one - other);
  await lockAlarmStates(tx, serviceIds);
  const current = new Map(
    (await selectEpisodes(tx, serviceIds)).map((row) => [row.serviceId, row.episodeId]),
  );
  const same = new Set(
    alarms
      .filter(({ serviceId, episodeId }) => current.get(serviceId) === episodeId)
      .map(({ serviceId }) => serviceId),
  );
  const results = [];
  for (const serviceId of same)
    results.push(await acknowledge(tx, requester, { serviceId, comment: undefined }, now));
  const count = results.filter(({ ok: isDone }) => isDone).length;
  const detail = { account: phone.accountId, via: phone.kind, how, acknowledged: count };
  await writeAudit(tx, requester, { action: 'account.answer_by_phone', detail }, now);
  if (
    results.some(
      (one) => !one.ok && (one.refusal === 'viewer_only' || one.refusal === 'outside_organization'),
    )
  )
    return refuse('not_allowed');
  return ok(count > 0 ? { outcome: 'acknowledged', count } : { outcome: 'nothing_open' });
}

export type KeyOutcome = ReplyOutcome | { outcome: 'next_step'; step: number | null };

/** 1 acknowledges all that the call told, 2 opens the next step of each. */
export async function answerKey(
  tx: Tx,
  { acknowledge }: PhoneDeps,
  { phone, alarms, key }: { phone: Phone; alarms: readonly AnsweredAlarm[]; key: '1' | '2' },
  now: Date,
): Promise<Result<KeyOutcome, ReplyRefusal>> {
  if (key === '1') return takeAlarms(tx, acknowledge, { phone, alarms, how: 'key' }, now);
  const requester = await selectRequester(tx, phone.accountId as AccountId);
  if (!requester) return refuse('not_allowed');
  for (const letterId of new Set(alarms.map((alarm) => alarm.letterId)))
    await noteConfirmed(tx, letterId, 'key', now);
  const steps = [];
  for (const alarm of alarms)
    steps.push(await openNextStep(tx, alarm, `${requester.name} passed it on by telephone`, now));
  const detail = { account: phone.accountId, via: phone.kind, how: 'key', passed_on: steps.length };
  await writeAudit(tx, requester, { action: 'account.answer_by_phone', detail }, now);
  return ok({ outcome: 'next_step', step: steps.find((step) => step !== null) ?? null });
}

// "I cannot go" by phone: a key in a call, NO to an SMS, a button in a chat. It only tells more people, so nobody is asked
// for a PIN.
import type { AccountId } from '../../domain/ids.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import { selectRequester } from '../../engine/accounts/select-requester.ts';
import { type PassedAlarm, passOn } from '../../engine/acts/pass-on.ts';
import { writeAudit } from '../../engine/audit/write-audit.ts';
import { lockAlarmStates } from '../../engine/journal/lock-alarm-states.ts';
import { takeAnswer } from '../../engine/outbox/answers-taken.ts';
import { noteConfirmed } from '../../engine/outbox/receipts.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { KeyOutcome, ReplyRefusal, Taken } from './answer-by-phone.ts';

const NO = /(^|[^\p{L}])no([^\p{L}]|$)/iu;

/** `4711 NO` */
export const isNo = (text: string): boolean => NO.test(text);

/** All alarms of the letter; what is over or newer by now is left alone. */
export async function passAlarmsOn(
  tx: Tx,
  { phone, alarms, how, answerId }: Taken,
  now: Date,
): Promise<Result<KeyOutcome, ReplyRefusal>> {
  const accountId = phone.accountId as AccountId;
  const requester = await selectRequester(tx, accountId);
  if (!requester) return refuse('not_allowed');
  if (answerId !== null && !(await takeAnswer(tx, answerId, now))) return refuse('taken_before');
  for (const letterId of new Set(alarms.map((alarm) => alarm.letterId)))
    await noteConfirmed(tx, letterId, how, now);
  const byService = new Map(alarms.map((alarm) => [alarm.serviceId, alarm]));
  const passed: PassedAlarm[] = [];
  for (const serviceId of await lockAlarmStates(tx, [...byService.keys()])) {
    const alarm = byService.get(serviceId);
    const done =
      alarm && (await passOn(tx, { ...alarm, serviceId }, { accountId, name: requester.name, how }, now));
    if (done) passed.push(done);
  }
  const detail = { account: phone.accountId, via: phone.kind, how, passed_on: passed.length };
  await writeAudit(tx, requester, { action: 'account.answer_by_phone', detail }, now);
  const [first] = passed;
  if (!first) return ok({ outcome: 'nothing_open' });
  const step = passed.find((one) => one.step !== null)?.step ?? null;
  const takenBy = passed.every((one) => one.takenBy !== null) ? first.takenBy : null;
  return ok({ outcome: 'next_step', step, takenBy });
}

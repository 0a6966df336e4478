// Keys in a call: 1 acknowledges all that the call told, after the PIN where one is asked for; 2 opens the next step of each;
// anything else repeats.
import type { Result } from '../../domain/result.ts';
import { findPhone, type Phone } from '../../engine/accounts/contact-methods.ts';
import { type AnsweredAlarm, selectAnswerable } from '../../engine/outbox/receipts.ts';
import { writeCall, writeLastWords, writePinQuestion } from '../../engine/transports/method/write-call.ts';
import type { Tx } from '../../platform/db/database.ts';
import { answerableSince, type KeyOutcome, type PhoneDeps, type ReplyRefusal } from './answer-by-phone.ts';
import { settle, takeOrClaim } from './claim-by-pin.ts';
import { passAlarmsOn } from './pass-by-phone.ts';
import { selectAskedPin, selectToldCall } from './queries.ts';
import { NOTHING_OPEN, REFUSALS, sayOutcome } from './say-outcome.ts';

const MOST_ATTEMPTS = 3;
const ASK = 'Type your PIN, then the hash key.';
const WRONG = 'This is not your PIN.';
const ENOUGH = `${WRONG} Nothing is acknowledged. Acknowledge in Tocsin.`;

interface Call {
  letterId: string;
  phone: Phone;
  alarms: AnsweredAlarm[];
  pinFailures: number;
}

/** null: there is no such call, or its number is not told any more. */
async function findCall(tx: Tx, letterId: string, now: Date): Promise<Call | null> {
  const told = /^\d{1,18}$/.test(letterId) ? await selectToldCall(tx, letterId) : null;
  const phone = told && (await findPhone(tx, told.methodId));
  if (phone?.kind !== 'voice') return null;
  const alarms = await selectAnswerable(tx, [phone.id], answerableSince(now));
  return {
    letterId,
    phone,
    alarms: alarms.filter((one) => one.letterId === letterId),
    pinFailures: told?.pinFailures ?? 0,
  };
}

interface Pressed {
  letterId: string;
  key: string | undefined;
  /** Of this call, where keys go. */
  action: string;
}

export async function answerKey(
  deps: PhoneDeps,
  { letterId, key, action }: Pressed,
  now: Date,
): Promise<string> {
  if (key === '1') return acknowledgeCall(deps, { letterId, action, pin: null, attempt: null }, now);
  return deps.db.transaction(async (tx) => {
    const call = await findCall(tx, letterId, now);
    if (!call) return writeLastWords(NOTHING_OPEN);
    const { phone, alarms } = call;
    return key === '2'
      ? sayAnswer(await passAlarmsOn(tx, { phone, alarms, how: 'key' }, now))
      : repeat(tx, call, action);
  });
}

interface Typed {
  letterId: string;
  action: string;
  pin: string | null;
  /** As its address says; null: it was not asked for yet. */
  attempt: number | null;
}

/** Each attempt has an address of its own, so that one that is told again does not count again. */
export async function acknowledgeCall(
  deps: PhoneDeps,
  { letterId, action, pin, attempt }: Typed,
  now: Date,
): Promise<string> {
  const found = await deps.db.transaction(async (tx) => {
    const call = await findCall(tx, letterId, now);
    if (!call) return null;
    const { phone, alarms, pinFailures } = call;
    const number = attempt ?? pinFailures + 1;
    const taken = { phone, alarms, how: 'key' } as const;
    const given = { taken, pin, attempt: { letterId, number } };
    return { number, pinFailures, taking: await takeOrClaim(tx, deps.acknowledge, given, now) };
  });
  if (!found) return writeLastWords(NOTHING_OPEN);
  const { number, pinFailures, taking } = found;
  const ask = (text: string, next: number) => writePinQuestion(text, `${action}/pin/${next}`);
  if ('claim' in taking && (number > MOST_ATTEMPTS || number > pinFailures + 1))
    return writeLastWords(ENOUGH);
  const answered = await settle(deps, taking, now);
  if (answered.ok) return sayAnswer(answered);
  // Whoever has no PIN can still pass it on.
  if (answered.refusal === 'no_pin') return answerKey(deps, { letterId, action, key: undefined }, now);
  if (answered.refusal === 'pin_missing')
    return number > MOST_ATTEMPTS ? writeLastWords(ENOUGH) : ask(ASK, number);
  if (answered.refusal === 'wrong_pin')
    return number < MOST_ATTEMPTS ? ask(`${WRONG} ${ASK}`, number + 1) : writeLastWords(ENOUGH);
  return sayAnswer(answered);
}

async function repeat(tx: Tx, { phone, alarms }: Call, action: string): Promise<string> {
  const serviceIds = alarms.map(({ serviceId }) => serviceId);
  const { forThese } = await selectAskedPin(tx, phone.accountId, serviceIds);
  const need = !forThese ? 'none' : phone.pinHash === null ? 'missing' : 'asked';
  return writeCall(alarms.map(({ message }) => message).join('. '), action, need);
}

const sayAnswer = (answered: Result<KeyOutcome, ReplyRefusal>): string =>
  writeLastWords((answered.ok ? sayOutcome(answered.value) : REFUSALS[answered.refusal]) ?? NOTHING_OPEN);

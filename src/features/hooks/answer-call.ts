// Keys in a call: 1 acknowledges all that the call told, after the PIN where one is asked for; 2 opens the next step of each;
// anything else repeats.
import { english } from '../../domain/language/english.ts';
import { message } from '../../domain/language/message.ts';
import type { Language } from '../../domain/language/speak.ts';
import type { Result } from '../../domain/result.ts';
import { findPhone, type Phone } from '../../engine/accounts/contact-methods.ts';
import { readSentLetter } from '../../engine/delivery/read-sent-letter.ts';
import { type AnsweredAlarm, selectAnswerable } from '../../engine/outbox/receipts.ts';
import { languageBy } from '../../engine/providers/providers.ts';
import { sayLetter } from '../../engine/providers/record/message.ts';
import type { Calls } from '../../engine/providers/record/sms-maker.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { languageFor } from '../../platform/languages/languages.ts';
import { answerableSince, type KeyOutcome, type ReplyRefusal } from './answer-by-phone.ts';
import { settle, takeOrClaim } from './claim-by-pin.ts';
import { passAlarmsOn } from './pass-by-phone.ts';
import { selectToldCall } from './queries.ts';
import { NOTHING_OPEN, sayAnswer } from './say-outcome.ts';

const MOST_ATTEMPTS = 3;
// For translators: all of these are said by a voice in a call
const ASK = message('Type your PIN, then the hash key.');
const ASK_AGAIN = message('This is not your PIN. Type your PIN, then the hash key.');
const ENOUGH = message('This is not your PIN. Nothing is acknowledged. Acknowledge in Tocsin.');

interface Call {
  letterId: string;
  phone: Phone;
  alarms: AnsweredAlarm[];
  pinFailures: number;
  language: Language;
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
    language: languageBy(phone.kind, languageFor(...phone.languages)),
  };
}

export interface CallDeps {
  db: Database;
  /** In whose words it is answered. */
  calls: Calls;
  /** Where people reach Tocsin. */
  publicUrl: string;
}

interface KnownCall {
  letterId: string;
  /** What its provider calls it. */
  callId: string;
  /** Where keys go. */
  action: string;
}

interface Pressed extends KnownCall {
  key: string | undefined;
}

export async function answerKey(deps: CallDeps, { key, ...known }: Pressed, now: Date): Promise<string> {
  if (key === '1') return acknowledgeCall(deps, { ...known, pin: null, attempt: null }, now);
  const passed = await deps.db.transaction(async (tx) => {
    const call = await findCall(tx, known.letterId, now);
    if (!call) return sayNothing(deps);
    if (key !== '2') return null;
    const taken = { ...call, how: 'key', answerId: nameAnswer(known, 'pass on') } as const;
    return answerIn(call.language, deps, await passAlarmsOn(tx, taken, now));
  });
  return passed ?? repeat(deps, known, now);
}

/** A key of a call counts once. */
const nameAnswer = ({ letterId, callId }: KnownCall, what: 'acknowledge' | 'pass on'): string =>
  `call ${letterId} ${callId} ${what}`;

interface Typed extends KnownCall {
  pin: string | null;
  /** As its address says; null: it was not asked for yet. */
  attempt: number | null;
}

/** Each attempt has an address of its own, so that one that is told again does not count again. */
export async function acknowledgeCall(
  deps: CallDeps,
  { pin, attempt, ...known }: Typed,
  now: Date,
): Promise<string> {
  const { letterId, action } = known;
  const { calls } = deps;
  const found = await deps.db.transaction(async (tx) => {
    const call = await findCall(tx, letterId, now);
    if (!call) return null;
    const { phone, alarms, pinFailures, language } = call;
    const number = attempt ?? pinFailures + 1;
    const taken = { phone, alarms, how: 'key', answerId: nameAnswer(known, 'acknowledge') } as const;
    const given = { taken, pin, attempt: { letterId, number } };
    return { language, number, pinFailures, taking: await takeOrClaim(tx, given, now) };
  });
  if (!found) return sayNothing(deps);
  const { language, number, pinFailures, taking } = found;
  const { say } = language;
  const ask = (text: string, next: number) => calls.askPin(text, `${action}/pin/${next}`, language);
  const endWith = (text: string) => calls.sayLast(text, language);
  if ('claim' in taking && (number > MOST_ATTEMPTS || number > pinFailures + 1)) return endWith(say(ENOUGH));
  const answered = await settle(deps.db, taking, now);
  if (answered.ok) return answerIn(language, deps, answered);
  // Whoever has no PIN can still pass it on.
  if (answered.refusal === 'no_pin') return answerKey(deps, { ...known, key: undefined }, now);
  if (answered.refusal === 'pin_missing')
    return number > MOST_ATTEMPTS ? endWith(say(ENOUGH)) : ask(say(ASK), number);
  if (answered.refusal === 'wrong_pin')
    return number < MOST_ATTEMPTS ? ask(say(ASK_AGAIN), number + 1) : endWith(say(ENOUGH));
  return answerIn(language, deps, answered);
}

/** As it stands now. */
async function repeat(
  { db, publicUrl, calls }: CallDeps,
  { letterId, action }: KnownCall,
  now: Date,
): Promise<string> {
  const sent = await readSentLetter(db, letterId, publicUrl);
  if (!sent) return sayNothing({ calls });
  const { spoken, answer, language } = sayLetter(sent.letter, publicUrl, {
    code: null,
    now,
    ...sent.recipient,
  });
  return calls.sayAlarm(spoken, action, answer, language);
}

/** Nobody knows who listens. */
const sayNothing = ({ calls }: Pick<CallDeps, 'calls'>): string =>
  calls.sayLast(english.say(NOTHING_OPEN), english);

function answerIn(
  language: Language,
  { calls }: CallDeps,
  answered: Result<KeyOutcome, ReplyRefusal>,
): string {
  const isTaken = !answered.ok && answered.refusal === 'taken_before';
  const said = isTaken ? language.say('This was taken already.') : sayAnswer(answered, language);
  return calls.sayLast(said ?? language.say(NOTHING_OPEN), language);
}

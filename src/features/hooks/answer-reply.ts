// Answers to an SMS: the code of the message, and the PIN where one is asked for.
import { LONGEST_PIN, SHORTEST_PIN } from '../../domain/accounts/phone-pin.ts';
import type { Language } from '../../domain/language/speak.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import {
  countWrongReply,
  findPhones,
  type Phone,
  switchOffMethods,
} from '../../engine/accounts/contact-methods.ts';
import { takeAnswer } from '../../engine/outbox/answers-taken.ts';
import { selectAnswerable } from '../../engine/outbox/receipts.ts';
import { isSame } from '../../platform/auth/is-same.ts';
import { makeReplyCode } from '../../platform/auth/reply-code.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { languageFor } from '../../platform/languages/languages.ts';
import { answerableSince, isStop, type KeyOutcome, type ReplyRefusal } from './answer-by-phone.ts';
import { settle, type Taking, takeOrClaim } from './claim-by-pin.ts';
import { isNo, passAlarmsOn } from './pass-by-phone.ts';

export interface ReplyDeps {
  db: Database;
  /** What the codes of replies are made by. */
  replySecret: string;
}

interface Reply {
  /** What its provider calls it. */
  id: string;
  from: string;
  text: string;
}

/** Senders can be forged: the number alone counts for nothing, the code that was sent to it does. */
export async function answerReply(
  deps: ReplyDeps,
  reply: Reply,
  now: Date,
): Promise<{ answered: Result<KeyOutcome, ReplyRefusal>; language: Language }> {
  const { taking, phone } = await deps.db.transaction(async (tx) => {
    const phones = await findPhones(tx, 'sms', reply.from);
    const read = await readReply(tx, deps, phones, reply, now);
    return { taking: read, phone: 'claim' in read ? read.claim.taken.phone : phones[0] };
  });
  return {
    answered: await settle(deps.db, taking, now),
    language: languageFor(...(phone?.languages ?? [])),
  };
}

async function readReply(
  tx: Tx,
  { replySecret }: ReplyDeps,
  phones: readonly Phone[],
  { id, text }: Reply,
  now: Date,
): Promise<Taking> {
  if (phones.length === 0) return { answered: refuse('unknown_number') };
  const stopCode = makeReplyCode(replySecret, phones[0]?.id ?? 0, 'stop');
  if (isStop(text)) return { answered: ok({ outcome: 'stop_asked', code: stopCode }) };
  const { code, pin } = readNumbers(text);
  if (code === null) return { answered: refuse('no_code') };
  const open = phones.filter(({ isClosed }) => !isClosed);
  if (open.length === 0) return { answered: refuse('closed') };
  const alarms = await selectAnswerable(
    tx,
    open.map(({ id }) => id),
    answerableSince(now),
  );
  const meant = alarms.filter(({ methodId, letterId }) =>
    isSame(makeReplyCode(replySecret, methodId, letterId), code),
  );
  const phone = open.find(({ id }) => id === meant[0]?.methodId);
  const wantsStop = isStop(text.replace(code, ''));
  if (wantsStop && (phone || isSame(stopCode, code))) {
    if (!(await takeAnswer(tx, id, now))) return { answered: refuse('taken_before') };
    const ids = phones.map((one) => one.id);
    await switchOffMethods(tx, ids, 'STOP came from it', now);
    return { answered: ok({ outcome: 'stopped' }) };
  }
  if (!phone) {
    if (!(await takeAnswer(tx, id, now))) return { answered: refuse('taken_before') };
    await countWrongReply(
      tx,
      open.map(({ id }) => id),
    );
    return { answered: refuse('wrong_code') };
  }
  const taken = { phone, alarms: meant, how: 'reply', answerId: id } as const;
  if (isNo(text)) return { answered: await passAlarmsOn(tx, taken, now) };
  return takeOrClaim(tx, { taken, pin, attempt: null }, now);
}

const CODE_DIGITS = 4;

/** The first number of four digits is the code, the next one that could be a PIN is the PIN. */
function readNumbers(text: string): { code: string | null; pin: string | null } {
  const numbers = text.match(/\d+/g) ?? [];
  const at = numbers.findIndex(({ length }) => length === CODE_DIGITS);
  if (at < 0) return { code: null, pin: null };
  const pin = numbers.slice(at + 1).find(({ length }) => length >= SHORTEST_PIN && length <= LONGEST_PIN);
  return { code: numbers[at] ?? null, pin: pin ?? null };
}

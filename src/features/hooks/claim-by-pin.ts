// Where an organization asks for a PIN beside the code or the key. It takes a while to check one, so that happens between two
// transactions, while nothing is locked.
import { isPin } from '../../domain/accounts/phone-pin.ts';
import { withoutAccount } from '../../domain/accounts/requester.ts';
import { type Result, refuse } from '../../domain/result.ts';
import {
  countWrongPin,
  forgiveNumber,
  forgiveReplies,
  type LockedPhone,
  lockPhone,
} from '../../engine/accounts/contact-methods.ts';
import { writeAudit } from '../../engine/audit/write-audit.ts';
import { takeAnswer } from '../../engine/outbox/answers-taken.ts';
import { countPinFailure } from '../../engine/outbox/receipts.ts';
import { verifyPin } from '../../platform/auth/password.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { type KeyOutcome, type ReplyRefusal, type Taken, takeAlarms } from './answer-by-phone.ts';
import { selectAskedPin } from './queries.ts';

type Answered = Result<KeyOutcome, ReplyRefusal>;

/** An answer that counts once its PIN is proved. */
export interface Claim {
  taken: Taken;
  pin: string;
  pinHash: string;
  /** Which one it is in the call of that letter; null: in no call. */
  attempt: { letterId: string; number: number } | null;
}

export type Taking = { claim: Claim } | { answered: Answered };

/** Takes the alarms where no PIN is asked for. */
export async function takeOrClaim(
  tx: Tx,
  { taken, pin, attempt }: { taken: Taken; pin: string | null; attempt: Claim['attempt'] },
  now: Date,
): Promise<Taking> {
  const { phone, alarms } = taken;
  const asked = await selectAskedPin(
    tx,
    phone.accountId,
    alarms.map(({ serviceId }) => serviceId),
  );
  if (!asked.forThese) {
    const answered = await takeAlarms(tx, taken, now);
    // Else alarms that need no PIN would make up for wrong ones.
    if (!asked.anywhere && !isTakenBefore(answered)) await forgiveReplies(tx, phone.id);
    return { answered };
  }
  if (phone.isClosed) return { answered: refuse('closed') };
  if (phone.pinHash === null) return { answered: refuse('no_pin') };
  if (pin === null) return { answered: refuse('pin_missing') };
  return { claim: { taken, pin, pinHash: phone.pinHash, attempt } };
}

export async function settle(db: Database, taking: Taking, now: Date): Promise<Answered> {
  if ('answered' in taking) return taking.answered;
  const { taken, pin, pinHash, attempt } = taking.claim;
  const isRight = isPin(pin) && (await verifyPin(pinHash, pin));
  return db.transaction(async (tx) => {
    const phone = await lockPhone(tx, taken.phone.id);
    if (!phone) return refuse('unknown_number');
    // Of many guesses at once only the first few count, the right one included.
    if (phone.isClosed) return refuse('closed');
    if (isRight && phone.pinHash === pinHash) {
      const answered = await takeAlarms(tx, { ...taken, phone }, now);
      if (!isTakenBefore(answered)) await forgiveNumber(tx, phone);
      return answered;
    }
    if (attempt && !(await countPinFailure(tx, attempt.letterId, attempt.number))) return refuse('wrong_pin');
    if (!attempt && taken.answerId !== null && !(await takeAnswer(tx, taken.answerId, now)))
      return refuse('taken_before');
    return refuse(await noteWrongPin(tx, phone, now));
  });
}

const isTakenBefore = (answered: Answered): boolean => !answered.ok && answered.refusal === 'taken_before';

const BY_PHONE = withoutAccount('phone');

async function noteWrongPin(tx: Tx, phone: LockedPhone, now: Date): Promise<'wrong_pin' | 'closed'> {
  const isClosed = await countWrongPin(tx, phone);
  const detail = { account: phone.accountId, via: phone.kind, ...(isClosed && { closed: true }) };
  await writeAudit(tx, BY_PHONE, { action: 'account.wrong_phone_pin', detail }, now);
  return isClosed ? 'closed' : 'wrong_pin';
}

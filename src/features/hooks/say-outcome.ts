// What people hear back after an answer by telephone or chat.
import type { KeyOutcome, ReplyRefusal } from './answer-by-phone.ts';

export const NOTHING_OPEN = 'There is nothing to acknowledge any more.';

/** null: nothing is answered, so that nobody learns which numbers are known. */
export const REFUSALS: Record<ReplyRefusal, string | null> = {
  unknown_number: null,
  no_code:
    'Answer with the four digits of the message to acknowledge it, with them and NO if you cannot go, or with STOP.',
  wrong_code: 'This is not the code of a message to you.',
  closed:
    'Too many wrong codes or PINs. Acknowledge in Tocsin, and confirm this number anew on your profile.',
  no_pin: 'A PIN is asked for, and you have none. Set one on your profile, or acknowledge in Tocsin.',
  pin_missing: 'Reply with the code and your PIN: both numbers in one message.',
  wrong_pin: 'This is not your PIN. Reply with the code and your PIN.',
  not_allowed: 'You may not acknowledge this alarm.',
  taken_before: null,
};

export function sayOutcome(given: KeyOutcome): string {
  switch (given.outcome) {
    case 'stopped':
      return 'You get no more messages here. Your profile in Tocsin puts it to use again.';
    case 'stop_asked':
      return `Reply STOP ${given.code} to get no more messages here.`;
    case 'acknowledged':
      return given.count === 1 ? 'Acknowledged.' : `${given.count} alarms acknowledged.`;
    case 'next_step':
      if (given.takenBy !== null) return `${given.takenBy} has it already.`;
      return given.step === null
        ? 'Passed on. There is no further step: everybody else of the group is told again.'
        : `Passed on: step ${given.step} is told.`;
    case 'nothing_open':
      return NOTHING_OPEN;
  }
}

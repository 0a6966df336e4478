// What people hear back after an answer by telephone or chat.
import { message } from '../../domain/language/message.ts';
import type { Language } from '../../domain/language/speak.ts';
import type { Result } from '../../domain/result.ts';
import type { KeyOutcome, ReplyRefusal } from './answer-by-phone.ts';

export const NOTHING_OPEN = message('There is nothing to acknowledge any more.');

/** null: nothing is answered, so that nobody learns which numbers are known. */
const REFUSALS = {
  unknown_number: null,
  wrong_code: message('This is not the code of a message to you.'),
  closed: message(
    'Too many wrong codes or PINs. Acknowledge in Tocsin, and confirm this number anew on your profile.',
  ),
  no_pin: message(
    'A PIN is asked for, and you have none. Set one on your profile, or acknowledge in Tocsin.',
  ),
  pin_missing: message('Reply with the code and your PIN: both numbers in one message.'),
  wrong_pin: message('This is not your PIN. Reply with the code and your PIN.'),
  not_allowed: message('You may not acknowledge this alarm.'),
  taken_before: null,
} as const satisfies Record<Exclude<ReplyRefusal, 'no_code'>, string | null>;

export function sayAnswer(answered: Result<KeyOutcome, ReplyRefusal>, language: Language): string | null {
  const { say } = language;
  if (answered.ok) return sayOutcome(answered.value, language);
  const { refusal } = answered;
  if (refusal === 'no_code')
    // For translators: {no} and {stop} are words that people type
    return say(
      'Answer with the four digits of the message to acknowledge it, with them and {no} if you cannot go, or with {stop}.',
      { no: 'NO', stop: 'STOP' },
    );
  const text = REFUSALS[refusal];
  return text === null ? null : say(text);
}

export function sayOutcome(given: KeyOutcome, { say }: Language): string {
  switch (given.outcome) {
    case 'stopped':
      return say('You get no more messages here. Your profile in Tocsin puts it to use again.');
    case 'stop_asked':
      // For translators: {stop} is a word that people type
      return say('Reply {stop} {code} to get no more messages here.', { stop: 'STOP', code: given.code });
    case 'acknowledged':
      return say('{count, plural, =1 {Acknowledged.} other {# alarms acknowledged.}}', {
        count: given.count,
      });
    case 'next_step':
      if (given.takenBy !== null) return say('{person} has it already.', { person: given.takenBy });
      return given.step === null
        ? say('Passed on. There is no further step: everybody else of the group is notified again.')
        : say('Passed on: step {step} is notified.', { step: given.step });
    case 'nothing_open':
      return say(NOTHING_OPEN);
  }
}

// The digits that prove who answers by SMS or in a call, where an organization asks for them.
import { ok, type Result, refuse } from '../result.ts';

export type AcceptedPin = string & { readonly __brand: 'AcceptedPin' };

export type PinFault = 'not_a_pin' | 'pin_too_obvious';

export const SHORTEST_PIN = 4;
export const LONGEST_PIN = 8;

/** What an answer by phone needs: `missing` is asked for of somebody who has none. */
export type PinNeed = 'none' | 'asked' | 'missing';

/** What becomes of an answer: `not_allowed` of somebody who only looks on, `nothing` where no alarm is told. */
export type AnswerNeed = PinNeed | 'not_allowed' | 'nothing';

export const canAnswer = (need: AnswerNeed): boolean => need !== 'not_allowed' && need !== 'nothing';

export const isPin = (typed: string): boolean =>
  /^\d+$/.test(typed) && typed.length >= SHORTEST_PIN && typed.length <= LONGEST_PIN;

export function judgePin(typed: string): Result<AcceptedPin, PinFault> {
  if (!isPin(typed)) return refuse('not_a_pin');
  return isObvious(typed) ? refuse('pin_too_obvious') : ok(typed as AcceptedPin);
}

const ROUNDS = ['01234567890', '09876543210'].map((run) => run + run.slice(1));

/** Down the middle of the keys. */
const COLUMNS = ['2580', '0852'];

const isObvious = (pin: string): boolean =>
  /^(\d{1,4})\1+$/.test(pin) ||
  ROUNDS.some((run) => run.includes(pin)) ||
  COLUMNS.includes(pin) ||
  /^(19|20)\d\d$/.test(pin);

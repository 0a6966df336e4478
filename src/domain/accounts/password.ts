// Whether a password may be chosen. Only what passes here can be hashed, so that no way to set one can leave it out. Asked
// by engine/accounts/accept-password.ts, which knows the common ones.

import { message } from '../language/message.ts';
import { ok, type Result, refuse } from '../result.ts';

export const SHORTEST_PASSWORD = 8;

export type AcceptedPassword = string & { readonly __brand: 'AcceptedPassword' };

export type PasswordFault = 'password_too_short' | 'password_too_common' | 'password_too_personal';

/** What is said of those faults that the rooms have no words of their own for. */
export const PASSWORD_FAULTS = {
  password_too_common: message('This password is among the first that others would try. Choose another one.'),
  password_too_personal: message(
    'A name or an address with a few digits is among the first that others would try. Choose another password.',
  ),
} as const satisfies Record<Exclude<PasswordFault, 'password_too_short'>, string>;

export interface PasswordOwner {
  email?: string;
  name?: string;
}

const FEWEST_CHARACTERS = 4;
const SHORTEST_WORD = 3;

export function judgePassword(
  password: string,
  { email = '', name = '' }: PasswordOwner,
  isCommon: (text: string) => boolean,
): Result<AcceptedPassword, PasswordFault> {
  if ([...password].length < SHORTEST_PASSWORD) return refuse('password_too_short');
  const plain = password.toLowerCase();
  const core = withoutEnds(plain);
  if (new Set(plain).size < FEWEST_CHARACTERS || isCommon(plain) || isCommon(core))
    return refuse('password_too_common');
  const words = [...email.toLowerCase().split(/[@.+_-]/), ...name.toLowerCase().split(/\s+/), 'tocsin'];
  const personal = [email.toLowerCase(), name.toLowerCase(), ...words].flatMap((word) => [
    word,
    withoutEnds(word),
  ]);
  if (personal.some((word) => word.length >= SHORTEST_WORD && (word === plain || word === core)))
    return refuse('password_too_personal');
  return ok(password as AcceptedPassword);
}

/** Digits and signs before and behind a word make it hardly harder to guess. */
function withoutEnds(text: string): string {
  const characters = [...text];
  const isLetter = (character: string) => /\p{L}/u.test(character);
  return characters.slice(characters.findIndex(isLetter), characters.findLastIndex(isLetter) + 1).join('');
}

// A note at a moment of a unit, as it is typed.

import type { Requester } from '../accounts/requester.ts';
import { canAdminister, canOperate, type Role } from '../accounts/role.ts';
import type { AccountId } from '../ids.ts';
import { parseTypedTime } from '../local-time.ts';
import { ok, type Result, refuse } from '../result.ts';

/** Characters. */
export const LONGEST_NOTE = 1000;

export type NoteFault = 'no_text' | 'text_too_long' | 'unparsable_moment' | 'moment_to_come';

export interface TypedNote {
  at: string;
  text: string;
}

/** Without an offset the moment is on the clock of whoever typed it. */
export function readNote(
  typed: TypedNote,
  { timezone, now }: { timezone: string; now: Date },
): Result<{ at: Date; text: string }, NoteFault> {
  const text = typed.text.replaceAll('\r\n', '\n').trim();
  if (text === '') return refuse('no_text');
  if ([...text].length > LONGEST_NOTE) return refuse('text_too_long');
  const at = parseTypedTime(typed.at, timezone);
  if (!at.ok) return refuse('unparsable_moment');
  return at.value > now ? refuse('moment_to_come') : ok({ at: at.value, text });
}

export const mayPinNotes = (role: Role): boolean => canOperate(role);

/** Whoever wrote it, as long as they may write one, and administrators. */
export const mayChangeNote = (
  role: Role,
  { accountId }: Pick<Requester, 'accountId'>,
  { authorId }: { authorId: AccountId },
): boolean => canAdminister(role) || (canOperate(role) && accountId === authorId);

// Why a webhook is off: stored in English, and said to whoever reads it.
import type { Language } from '../../domain/language/speak.ts';
import { WEBHOOK_GONE } from '../../engine/groups/group-recipients.ts';

const BY = 'Switched off by ';

export const writeSwitchedOff = (name: string): string => BY + name;

export function sayWhyOff(stored: string | null, { say }: Language): string {
  if (stored === null) return say('The receiver said that it is gone for good (410)');
  if (stored === WEBHOOK_GONE) return say(WEBHOOK_GONE);
  return stored.startsWith(BY) ? say('Switched off by {name}', { name: stored.slice(BY.length) }) : stored;
}

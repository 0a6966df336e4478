// Why a webhook is off: stored in English, and said to whoever reads it.
import type { Language } from '../../domain/language/speak.ts';
import { sayFailure } from '../../domain/words/failure-words.ts';

const BY = 'Switched off by ';

export const writeSwitchedOff = (name: string): string => BY + name;

export function sayWhyOff(stored: string | null, language: Language): string {
  const { say } = language;
  if (stored === null) return say('The receiver said that it is gone for good (410)');
  return stored.startsWith(BY)
    ? say('Switched off by {name}', { name: stored.slice(BY.length) })
    : sayFailure(stored, language);
}

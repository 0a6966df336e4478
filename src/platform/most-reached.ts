import { english } from '../domain/language/english.ts';
import type { Language } from '../domain/language/speak.ts';

/** One more would be too many. Undoes the transaction, and is answered with its message wherever it was asked for. */
export class MostReached extends Error {
  readonly statusCode = 409;

  constructor(readonly sayIn: (language: Language) => string) {
    super(sayIn(english));
  }
}

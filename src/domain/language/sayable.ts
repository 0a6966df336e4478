import type { Language } from './speak.ts';

/** Of a table: a message, or how one is said that has facts. */
export type Sayable = string | ((language: Language) => string);

export const sayOne = (text: Sayable, language: Language): string =>
  // No fact is known of a text that is chosen when the program runs, so it has none.
  typeof text === 'string' ? language.say(text as '') : text(language);

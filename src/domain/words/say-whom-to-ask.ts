import type { Language } from '../language/speak.ts';
import { inOneSentence } from '../list-names.ts';

/** `Ada`, `Ada or Bo`: the keepers whose names the reader may know. */
export const sayWhomToAsk = (keepers: readonly string[], language: Language): string =>
  keepers.length === 0 ? language.say('whoever runs this Tocsin') : inOneSentence(keepers, language, 'or');

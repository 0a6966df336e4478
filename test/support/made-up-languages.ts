// Languages that nobody speaks: what was said through one is told from what was not.
import { extract } from '../../bin/extract-messages.mjs';
import { compile, keyOf } from '../../bin/languages.mjs';
import type { Compiled, Language, Translations } from '../../src/domain/language/speak.ts';
import { addLanguage } from '../../src/platform/languages/languages.ts';

/** `[nl All alarms]`: each message of the sources between brackets, with the tag of its language; `isKnown`: of these alone. */
export const addBracketed = (tag: string, isKnown: (message: string) => boolean = () => true): Language =>
  addLanguage(tag, bracket(tag, isKnown));

function bracket(tag: string, isKnown: (message: string) => boolean): Translations {
  const entries = Object.values(extract()).filter(({ defaultMessage }) => isKnown(defaultMessage));
  return Object.fromEntries(
    entries.map((entry): [string, Compiled] => {
      const compiled = compile(entry.defaultMessage);
      return [keyOf(entry), [`[${tag} `, ...(typeof compiled === 'string' ? [compiled] : compiled), ']']];
    }),
  );
}

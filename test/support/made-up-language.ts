// Languages that nobody speaks: what a page still says in plain English in them was never said through a language.

import { extract } from '../../bin/extract-messages.mjs';
import { compile, keyOf } from '../../bin/languages.mjs';
import type { Compiled, Language, MessagePart, Translations } from '../../src/domain/language/speak.ts';
import { addLanguage, allLanguages, replaceLanguages } from '../../src/platform/languages/languages.ts';
import { whenFileIsDone } from './when-file-is-done.ts';

/** Accented letters, and 40 % more of them, as German has where English is short. Days and months come out in Greek. */
export const LONG = 'el-XA';
/** The same from right to left: each word runs backwards, as one in Hebrew does beside numbers and names that do not. */
export const MIRRORED = 'he-XB';

const PLAIN = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ACCENTED = [...'ȦƁƇḒḖƑƓĦĪĴĶĿḾȠǾƤɊŘŞŦŬṼẆẊẎẐȧƀƈḓḗƒɠħīĵķŀḿƞǿƥɋřşŧŭṽẇẋẏẑ'];
/** None of them stands in English. */
export const MADE_UP_LETTER = new RegExp(`[${ACCENTED.join('')}]`);
const VOWELS = /[aeiouAEIOU]/;

const accent = (text: string): string =>
  [...text]
    .map((letter) => {
      const at = PLAIN.indexOf(letter);
      const accented = at < 0 ? letter : (ACCENTED[at] ?? letter);
      return VOWELS.test(letter) ? accented + accented.toLowerCase() : accented;
    })
    .join('');

/** The mark in front: what is put into a sentence takes its direction from its first letter. */
const [BACKWARDS, AS_BEFORE] = ['\u200f\u202e', '\u202c'];
const mirror = (text: string): string =>
  accent(text)
    .replaceAll(/\p{L}+/gu, (word) => BACKWARDS + word + AS_BEFORE)
    .replaceAll('→', '←');

type Write = (text: string) => string;

const rewritePiece = (piece: MessagePart, write: Write): MessagePart => {
  if (typeof piece === 'string') return write(piece);
  if ('fact' in piece) return piece;
  const rewriteAll = (pieces: readonly MessagePart[]) => pieces.map((one) => rewritePiece(one, write));
  if ('tag' in piece) return { ...piece, inside: rewriteAll(piece.inside) };
  const forms = Object.entries(piece.forms).map(([name, form]) => [name, rewriteAll(form)]);
  return { ...piece, forms: Object.fromEntries(forms) };
};

const rewrite = (message: Compiled, write: Write): Compiled =>
  typeof message === 'string' ? write(message) : message.map((piece) => rewritePiece(piece, write));

/** Of every message that the sources have at this moment. */
function makeUp(translate: (message: Compiled, english: string) => Compiled | null): Translations {
  const all = Object.values(extract()).map((entry) => [
    keyOf(entry),
    translate(compile(entry.defaultMessage), entry.defaultMessage),
  ]);
  return Object.fromEntries(all.filter(([, message]) => message !== null));
}

/** Until the test file is done. */
export function speakMadeUp(
  tag: string,
  catalogue: Translations = makeUp((message) => rewrite(message, tag === MIRRORED ? mirror : accent)),
): Language {
  const before = allLanguages();
  whenFileIsDone(() => replaceLanguages(before));
  return addLanguage(tag, catalogue);
}

/** `[nl All alarms]`: each message of the sources between brackets, with the tag of its language; `isKnown`: of these alone. */
export const addBracketed = (tag: string, isKnown: (message: string) => boolean = () => true): Language =>
  speakMadeUp(tag, bracket(tag, isKnown));

function bracket(tag: string, isKnown: (message: string) => boolean): Translations {
  const entries = Object.values(extract()).filter(({ defaultMessage }) => isKnown(defaultMessage));
  return Object.fromEntries(
    entries.map((entry): [string, Compiled] => {
      const compiled = compile(entry.defaultMessage);
      return [keyOf(entry), [`[${tag} `, ...(typeof compiled === 'string' ? [compiled] : compiled), ']']];
    }),
  );
}

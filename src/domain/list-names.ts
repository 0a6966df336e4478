import type { Language } from './language/speak.ts';

/** `Ada`, `Ada or Ben`, `Ada, Ben or 3 others`: never a long list. */
export function listNames(names: readonly string[], word: 'and' | 'or', language: Language): string {
  if (names.length <= 3) return inOneSentence(names, language, word);
  const [one = '', two = ''] = names;
  const facts = { one, two, count: names.length - 2 };
  return word === 'and'
    ? language.say('{one}, {two} and {count, plural, one {# other} other {# others}}', facts)
    : language.say('{one}, {two} or {count, plural, one {# other} other {# others}}', facts);
}

/** `a, b and c` */
export function inOneSentence(
  words: readonly string[],
  { tag }: Language,
  word: 'and' | 'or' = 'and',
): string {
  // In English without the comma that American has before the last.
  const type = word === 'and' ? 'conjunction' : 'disjunction';
  return formatOf(tag === 'en' ? 'en-GB' : tag, type).format(words);
}

/** `a, b, c`, as facts stand in a row. */
export const inARow = (parts: readonly string[], { tag }: Language): string =>
  formatOf(tag, 'unit').format(parts);

const formats = new Map<string, Intl.ListFormat>();

function formatOf(tag: string, type: Intl.ListFormatType): Intl.ListFormat {
  const key = `${tag} ${type}`;
  const known = formats.get(key) ?? new Intl.ListFormat(tag, { type });
  formats.set(key, known);
  return known;
}

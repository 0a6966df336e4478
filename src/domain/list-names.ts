/** `Ada`, `Ada or Ben`, `Ada, Ben or 3 others`: never a long list. */
export function listNames(names: readonly string[], word: 'and' | 'or'): string {
  if (names.length < 2) return names.join('');
  const [one, two, ...others] = names;
  if (others.length === 0) return `${one} ${word} ${two}`;
  return `${one}, ${two} ${word} ${others.length === 1 ? others[0] : `${others.length} others`}`;
}

/** `a, b and c` */
export const inOneSentence = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

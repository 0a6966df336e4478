// What somebody typed to find something: words that all have to be found, in any order.

const MOST_WORDS = 8;
const LONGEST = 200;

export const readSearchWords = (text: string): string[] =>
  text.slice(0, LONGEST).replaceAll('\0', '').split(/\s+/).filter(Boolean).slice(0, MOST_WORDS);

/** Each of them is found in one of these texts, whatever its case. */
export const findsAll = (words: readonly string[], texts: readonly string[]): boolean => {
  const known = texts.map((text) => text.toLocaleLowerCase());
  return words.every((word) => known.some((text) => text.includes(word.toLocaleLowerCase())));
};

/** For `ilike`: what is typed stands for itself. */
export const likePattern = (word: string): string => `%${word.replaceAll(/[\\%_]/g, '\\$&')}%`;

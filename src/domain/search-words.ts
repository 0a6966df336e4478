// Words by which somebody looks for something: all have to be found, in any order.

/** Each of them is found in one of these texts, whatever its case. */
export const findsAll = (words: readonly string[], texts: readonly string[]): boolean => {
  const known = texts.map((text) => text.toLocaleLowerCase());
  return words.every((word) => known.some((text) => text.includes(word.toLocaleLowerCase())));
};

/** For `ilike`: what is typed stands for itself. */
export const likePattern = (word: string): string => `%${word.replaceAll(/[\\%_]/g, '\\$&')}%`;

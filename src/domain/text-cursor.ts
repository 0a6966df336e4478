// Reads a text from left to right and never goes back, so that the work is bounded by its length whatever it says.

export interface TextCursor {
  /** Steps over the word, if it stands there. */
  take(word: string): boolean;
  /** As many characters as are wanted, at most. */
  takeWhile(isWanted: (character: string) => boolean, most?: number): string;
  /** What stands before the next of these characters, and steps over that; null: there is none. */
  takeUntil(end: string): string | null;
  isAtEnd(): boolean;
}

export function openCursor(text: string): TextCursor {
  let at = 0;
  return {
    take(word) {
      const isThere = text.startsWith(word, at);
      if (isThere) at += word.length;
      return isThere;
    },
    takeWhile(isWanted, most = text.length) {
      const from = at;
      while (at < text.length && at - from < most && isWanted(text.charAt(at))) at += 1;
      return text.slice(from, at);
    },
    takeUntil(end) {
      const found = text.indexOf(end, at);
      if (found < 0) return null;
      const before = text.slice(at, found);
      at = found + end.length;
      return before;
    },
    isAtEnd: () => at === text.length,
  };
}

export const isDigit = (character: string): boolean => character >= '0' && character <= '9';

export const isSpace = (character: string): boolean => character.trim() === '';

/** Of a name in programs: a letter of ASCII, a digit or `_`. */
export const isWordPart = (character: string): boolean =>
  isDigit(character) ||
  (character >= 'a' && character <= 'z') ||
  (character >= 'A' && character <= 'Z') ||
  character === '_';

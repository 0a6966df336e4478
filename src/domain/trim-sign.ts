// An expression for this would look at the rest of the text from every sign on.

/** Without this sign at its end. */
export function trimEnd(text: string, sign: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === sign) end -= 1;
  return text.slice(0, end);
}

/** Without this sign at both ends. */
export function trimBoth(text: string, sign: string): string {
  let from = 0;
  while (from < text.length && text[from] === sign) from += 1;
  return trimEnd(text.slice(from), sign);
}

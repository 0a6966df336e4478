/** The database holds neither NUL nor half of a character, which JSON can name and UTF-8 cannot carry. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** For words that come from elsewhere and are kept whatever they hold. */
export const toStorable = (text: string): string => text.replaceAll('\0', '\u{FFFD}').toWellFormed();

/** Contract, Token and account: case and surrounding spaces are ignored. */
export const normaliseEmail = (email: string): string => email.trim().toLowerCase();

/** One @ with something on both sides and no spaces; the mail server has the last word. */
export const isEmail = (text: string): boolean => /^[^\s@]+@[^\s@]+$/.test(text);

/** RFC 5321: a path has 256 characters, with the brackets. */
export const LONGEST_EMAIL = 254;

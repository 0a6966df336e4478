import type { Language } from './language/speak.ts';

/** Monday, the first. */
const A_MONDAY_MS = Date.UTC(2024, 0, 1);
const DAY_MS = 86_400_000;

const formats = new Map<string, Intl.DateTimeFormat>();

/** `Monday` or `Mon`; 1 is Monday, 7 is Sunday. */
export function nameWeekday(weekday: number, { tag }: Language, width: 'long' | 'short' = 'long'): string {
  const key = `${tag} ${width}`;
  let format = formats.get(key);
  if (!format) {
    format = new Intl.DateTimeFormat(tag, { timeZone: 'UTC', weekday: width });
    formats.set(key, format);
  }
  return format.format(A_MONDAY_MS + (weekday - 1) * DAY_MS);
}

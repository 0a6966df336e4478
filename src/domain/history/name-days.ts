import type { Language } from '../language/speak.ts';

const FORMATS = {
  day: { day: 'numeric', month: 'short' },
  'whole day': { day: 'numeric', month: 'long', year: 'numeric' },
  month: { month: 'long', year: 'numeric' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

const formats = new Map<string, Intl.DateTimeFormat>();

/** `16 Nov`, `16 November 2026` or `November 2026`; `day` is `2026-11-16`. */
export function nameDay(day: string, { tag }: Language, how: keyof typeof FORMATS): string {
  const key = `${tag} ${how}`;
  let format = formats.get(key);
  if (!format) {
    format = new Intl.DateTimeFormat(tag === 'en' ? 'en-GB' : tag, { timeZone: 'UTC', ...FORMATS[how] });
    formats.set(key, format);
  }
  return format.format(Date.parse(`${day}T00:00:00Z`));
}

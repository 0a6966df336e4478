import type { Language } from '../language/speak.ts';

/** `88,136`, `26.3 million`: as exactly as anybody reads it. */
export const sayCount = (count: number, { tag }: Language): string =>
  count < 1_000_000
    ? Math.round(count).toLocaleString(tag)
    : count.toLocaleString(tag, {
        notation: 'compact',
        compactDisplay: 'long',
        maximumSignificantDigits: 3,
      });

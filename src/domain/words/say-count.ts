const format = new Intl.NumberFormat('en', {
  notation: 'compact',
  compactDisplay: 'long',
  maximumSignificantDigits: 3,
});

/** `88,136`, `26.3 million`: as exactly as anybody reads it. */
export const sayCount = (count: number): string =>
  count < 1_000_000 ? Math.round(count).toLocaleString('en') : format.format(count);

import type { Language } from '../domain/language/speak.ts';

/** `1.3 GB`, in powers of a thousand, as disks are sold. */
export function formatBytes(bytes: number, { tag, say }: Language): string {
  if (Math.abs(bytes) < 1000) return say('{count, plural, other {# bytes}}', { count: Math.round(bytes) });
  const units = ['kB', 'MB', 'GB', 'TB'];
  let unit = 0;
  let number = bytes / 1000;
  for (; number >= 1000 && unit < units.length - 1; unit += 1) number /= 1000;
  return `${Number(number.toFixed(1)).toLocaleString(tag, ONE_DECIMAL)} ${units[unit]}`;
}

const ONE_DECIMAL = { minimumFractionDigits: 1, maximumFractionDigits: 1, useGrouping: false };

/** Epoch milliseconds: tens of thousands of readings pass through every second. */
export type Instant = number;

/** Contract, Times: `2026-11-15T02:00:00.000+00:00`, always UTC, always with a numeric offset. */
export const formatInstant = (at: Date): string => at.toISOString().replace('Z', '+00:00');

/** `2026-11-15 02:00 UTC`: inside a text that programs read too. */
export const formatMinute = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

const MINUTE = /(\d{4}-\d\d-\d\d \d\d:\d\d) UTC/;

/** Such a text in pieces, with its times as times. */
export const splitAtTimes = (text: string): (string | Date)[] =>
  text
    .split(MINUTE)
    .map((part, index) => (index % 2 === 0 ? part : new Date(`${part.replace(' ', 'T')}Z`)))
    .filter((part) => part !== '');

/** A UTC time that the database knows too: neither the 31st of February nor the year 0. */
export function isRealTime(text: string): boolean {
  const at = Date.parse(text);
  return (
    !Number.isNaN(at) && !text.startsWith('0000') && new Date(at).toISOString().startsWith(text.slice(0, 10))
  );
}

// Times as the reader of a mail lives them.

import { splitAtTimes } from '../../../domain/instant.ts';
import { english } from '../../../domain/language/english.ts';
import { sayDate } from '../../../domain/moment.ts';
import { describeSpan } from '../../../domain/span.ts';
import { isTimeZone } from '../../../domain/time-zone.ts';
import type { EmailRecipient } from './recipient.ts';

// Asking the runtime takes as long as writing the whole mail.
const known = new Map<string, boolean>();

/** A plain address has no zone of its own. */
export function zoneOf({ account }: EmailRecipient): string {
  if (!account) return 'UTC';
  const { timeZone } = account;
  const isKnown = known.get(timeZone) ?? isTimeZone(timeZone);
  known.set(timeZone, isKnown);
  return isKnown ? timeZone : 'UTC';
}

/** `15 Nov 04:00 (20 minutes ago)` */
export function sayTime(at: Date, timeZone: string, now: Date): string {
  const ago = saySpan(now.getTime() - at.getTime());
  return `${sayDate(at, timeZone, now, english)}${ago === null ? '' : ` (${ago} ago)`}`;
}

/** `No data since 15 Nov 04:00` */
export const sayMessage = (message: string, timeZone: string, now: Date): string =>
  splitAtTimes(message)
    .map((part) => (typeof part === 'string' ? part : sayDate(part, timeZone, now, english)))
    .join('');

/** `No data for 20 minutes`: where there is no room to say whose time it is. */
export function sayBriefly(message: string, now: Date): string {
  const [before, since] = splitAtTimes(message);
  if (typeof before !== 'string' || !(since instanceof Date)) return message;
  return `${before.replace(/since $/, 'for ')}${saySpan(now.getTime() - since.getTime()) ?? 'a minute'}`;
}

/** Seconds are for machines. null: less than a minute. */
export function saySpan(ms: number): string | null {
  const minutes = Math.floor(ms / 60_000);
  return minutes < 1 ? null : describeSpan(minutes * 60_000, english);
}

// Times as the reader of a mail lives them.
import { formatLocalTime } from '../../domain/local-time.ts';
import { describeSpan } from '../../domain/span.ts';
import { isTimeZone } from '../../domain/time-zone.ts';
import type { EmailRecipient } from '../transports/transport.ts';

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

/** `2026-11-15 04:00 UTC+01:00 (20 minutes ago)` */
export function sayTime(at: Date, timeZone: string, now: Date): string {
  const ago = saySpan(now.getTime() - at.getTime());
  return `${formatLocalTime(wholeMinute(at), timeZone)}${ago === null ? '' : ` (${ago} ago)`}`;
}

const wholeMinute = (at: Date): Date => new Date(Math.floor(at.getTime() / 60_000) * 60_000);

/** Seconds are for machines. null: less than a minute. */
export function saySpan(ms: number): string | null {
  const minutes = Math.floor(ms / 60_000);
  return minutes < 1 ? null : describeSpan(minutes * 60_000);
}

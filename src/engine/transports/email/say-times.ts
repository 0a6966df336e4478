// Times as the reader of a mail lives them.

import { splitAtTimes } from '../../../domain/instant.ts';
import type { Language } from '../../../domain/language/speak.ts';
import { sayDate } from '../../../domain/moment.ts';
import type { Notice } from '../../../domain/notifications/notice.ts';
import { describeSpan } from '../../../domain/span.ts';
import { isTimeZone } from '../../../domain/time-zone.ts';
import { NEVER_HEARD } from '../../../domain/words/alarm-message.ts';
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
export function sayTime(at: Date, timeZone: string, now: Date, language: Language): string {
  const span = saySpan(now.getTime() - at.getTime(), language);
  const time = sayDate(at, timeZone, now, language);
  return span === null ? time : language.say('{time} ({span} ago)', { time, span });
}

/** `No data since 15 Nov 04:00` */
export const sayMessage = (message: string, timeZone: string, now: Date, language: Language): string =>
  splitAtTimes(message)
    .map((part) => (typeof part === 'string' ? part : sayDate(part, timeZone, now, language)))
    .join('');

/** `No data for 20 minutes`: where there is no room to say whose time it is. */
export function sayBriefly({ said, message, subject }: Notice, now: Date, language: Language): string {
  const [before, since] = splitAtTimes(message);
  if (subject !== 'stale' || !(since instanceof Date)) return said;
  const span = saySpan(now.getTime() - since.getTime(), language) ?? language.say('a minute');
  return before === NEVER_HEARD
    ? language.say('No data received for {span}', { span })
    : language.say('No data for {span}', { span });
}

/** Seconds are for machines. null: less than a minute. */
function saySpan(ms: number, language: Language): string | null {
  const minutes = Math.floor(ms / 60_000);
  return minutes < 1 ? null : describeSpan(minutes * 60_000, language);
}

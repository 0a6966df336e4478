// What a letter says on a lock screen.

import type { Language } from '../../../domain/language/speak.ts';
import type { Notice } from '../../../domain/notifications/notice.ts';
import { BEGINNINGS, SUBJECTS } from '../../../domain/notifications/subject.ts';
import type { Letter } from '../../letters/letter.ts';
import { countNotices, groupOf, isDigest, listCounts, nameOf, wordOf } from '../../letters/notice-words.ts';
import { sayBriefly } from './say-times.ts';

export type Tone = (typeof SUBJECTS)[keyof typeof SUBJECTS]['tone'];

/** `STILL CRITICAL`, `DRILL: CRITICAL`, `TEST` */
export function statusOf(notice: Notice, language: Language): { word: string; tone: Tone } {
  const status = wordOf(notice, language);
  return {
    word: notice.mark === 'drill' ? language.say('DRILL: {status}', { status }) : status,
    tone: notice.mark === 'test' ? 'calm' : SUBJECTS[notice.subject].tone,
  };
}

export const subjectOf = (letter: Letter, now: Date): string =>
  shorten(
    isDigest(letter) ? subjectOfDigest(letter) : subjectOfNotice(letter.notices[0], letter.language, now),
  );

/** `CRITICAL Freezer 1: Temperature −55.2 °C is above the critical limit of −60 °C` */
function subjectOfNotice(notice: Notice, language: Language, now: Date): string {
  const { say } = language;
  const facts = { status: statusOf(notice, language).word, unit: nameOf(notice) };
  const subject =
    notice.subject === 'acknowledgement' && notice.acknowledgedBy
      ? say('{status} {unit} by {person}', { ...facts, person: notice.acknowledgedBy })
      : // For translators: the subject of a mail: {status} is a word such as CRITICAL, {unit} the name of a freezer
        say('{status} {unit}', facts);
  return notice.said === ''
    ? subject
    : say('{subject}: {message}', { subject, message: sayBriefly(notice, now, language) });
}

/** `7 alarms in Cold team: 3 critical, 4 warning` */
function subjectOfDigest(letter: Letter): string {
  const { language, notices } = letter;
  const counts = countNotices(letter);
  const alarms = BEGINNINGS.reduce((sum, subject) => sum + counts[subject], 0);
  const facts = { count: notices.length, group: groupOf(notices[0]), counts: listCounts(counts, language) };
  return alarms === notices.length
    ? language.say('{count, plural, one {# alarm} other {# alarms}} in {group}: {counts}', facts)
    : language.say('{count, plural, one {# message} other {# messages}} in {group}: {counts}', facts);
}

const LONGEST = 200;

function shorten(text: string): string {
  const characters = [...text];
  return characters.length <= LONGEST ? text : `${characters.slice(0, LONGEST - 1).join('')}…`;
}

// What a letter says on a lock screen.
import type { Notice } from '../../../domain/notifications/notice.ts';
import { BEGINNINGS, SUBJECTS } from '../../../domain/notifications/subject.ts';
import type { Letter } from '../../letters/letter.ts';
import { countNotices, groupOf, isDigest, listCounts, nameOf, wordOf } from '../../letters/notice-words.ts';
import { sayBriefly } from './say-times.ts';

export type Tone = (typeof SUBJECTS)[keyof typeof SUBJECTS]['tone'];

/** `STILL CRITICAL`, `DRILL: CRITICAL`, `TEST` */
export const statusOf = (notice: Notice): { word: string; tone: Tone } => ({
  word: notice.mark === 'drill' ? `DRILL: ${wordOf(notice)}` : wordOf(notice),
  tone: notice.mark === 'test' ? 'calm' : SUBJECTS[notice.subject].tone,
});

export const subjectOf = (letter: Letter, now: Date): string =>
  shorten(isDigest(letter) ? subjectOfDigest(letter) : subjectOfNotice(letter.notices[0], now));

/** `CRITICAL Freezer 1: Temperature −55.2 °C is above the critical limit of −60 °C` */
function subjectOfNotice(notice: Notice, now: Date): string {
  const by =
    notice.subject === 'acknowledgement' && notice.acknowledgedBy ? ` by ${notice.acknowledgedBy}` : '';
  const subject = `${statusOf(notice).word} ${nameOf(notice)}${by}`;
  return notice.said === '' ? subject : `${subject}: ${sayBriefly(notice.said, now)}`;
}

/** `7 alarms in Cold team: 3 critical, 4 warning` */
function subjectOfDigest(letter: Letter): string {
  const counts = countNotices(letter);
  const alarms = BEGINNINGS.reduce((sum, subject) => sum + counts[subject], 0);
  const noun = alarms === letter.notices.length ? 'alarms' : 'messages';
  return `${letter.notices.length} ${noun} in ${groupOf(letter.notices[0])}: ${listCounts(counts)}`;
}

const LONGEST = 200;

function shorten(text: string): string {
  const characters = [...text];
  return characters.length <= LONGEST ? text : `${characters.slice(0, LONGEST - 1).join('')}…`;
}

// What a letter says on a lock screen.
import type { Notice } from '../../domain/notice.ts';
import { countNotices, type Happening, happeningOf, isDigest } from '../transports/shapes/notice-words.ts';
import type { Letter } from '../transports/transport.ts';

export type Tone = 'critical' | 'warning' | 'stale' | 'normal' | 'calm';

const WORDS: Record<Happening, [word: string, tone: Tone]> = {
  critical: ['CRITICAL', 'critical'],
  warning: ['WARNING', 'warning'],
  stale: ['NO DATA', 'stale'],
  acknowledgement: ['ACKNOWLEDGED', 'calm'],
  recovery: ['RECOVERED', 'normal'],
  back: ['DATA IS BACK', 'normal'],
};

/** `STILL CRITICAL`, `DRILL: CRITICAL`, `TEST` */
export function statusOf(notice: Notice): { word: string; tone: Tone } {
  const [word, tone] = WORDS[happeningOf(notice)];
  if (notice.mark === 'test') return { word: 'TEST', tone: 'calm' };
  const still = notice.isRepeat ? `STILL ${word}` : word;
  return { word: notice.mark === 'drill' ? `DRILL: ${still}` : still, tone };
}

export const subjectOf = (letter: Letter): string =>
  shorten(isDigest(letter) ? subjectOfDigest(letter) : subjectOfNotice(letter.notices[0]));

/** `CRITICAL Freezer 1: Temperature -55.2 °C is above the critical limit of -60 °C` */
function subjectOfNotice(notice: Notice): string {
  const by = notice.kind === 'acknowledgement' && notice.acknowledgedBy ? ` by ${notice.acknowledgedBy}` : '';
  const subject = `${statusOf(notice).word} ${notice.serviceName}${by}`;
  return notice.message === '' ? subject : `${subject}: ${notice.message}`;
}

/** `7 alarms in Cold team: 3 critical, 4 warning` */
function subjectOfDigest(letter: Letter): string {
  const { groupName } = letter.notices[0];
  const counts = countNotices(letter);
  const alarms = counts.critical + counts.warning + counts.stale;
  const noun = alarms === letter.notices.length ? 'alarms' : 'messages';
  return `${letter.notices.length} ${noun} in ${groupName}: ${listCounts(counts)}`;
}

type Counts = ReturnType<typeof countNotices>;

const COUNTED: [what: keyof Counts, word: string][] = [
  ['critical', 'critical'],
  ['warning', 'warning'],
  ['stale', 'without data'],
  ['acknowledgement', 'acknowledged'],
  ['recovery', 'recovered'],
  ['back', 'with data again'],
  ['drill', 'drill'],
  ['test', 'test'],
];

export const listCounts = (counts: Counts): string =>
  COUNTED.filter(([what]) => counts[what] > 0)
    .map(([what, word]) => `${counts[what]} ${word}`)
    .join(', ');

const LONGEST = 200;

function shorten(text: string): string {
  const characters = [...text];
  return characters.length <= LONGEST ? text : `${characters.slice(0, LONGEST - 1).join('')}…`;
}

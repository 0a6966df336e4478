// What a notice says in few words, the same on every channel.
import { english } from '../../domain/language/english.ts';
import type { Notice } from '../../domain/notifications/notice.ts';
import {
  ALL_SUBJECTS,
  isAbout,
  isBeginning,
  SUBJECTS,
  type Subject,
} from '../../domain/notifications/subject.ts';
import { type Fact, listFacts } from '../../domain/words/alarm-facts.ts';
import { nameWithPlace } from '../../domain/words/place.ts';
import type { Letter } from './letter.ts';

/** The same while it lasts and when it ends, whatever the severity in between: the episode, where there is one. */
export function incidentOf({ mark, subject, episodeId, notificationId, serviceId }: Notice): string {
  if (mark !== null) return `${mark}-${episodeId ?? notificationId}`;
  if (isAbout(subject, 'stale')) return `stale-${serviceId}`;
  return episodeId ?? `service-${serviceId}`;
}

/** That something is wrong, anew or still; neither an end, nor who took it, nor a test. */
export const tellsAlarm = ({ notices }: Letter): boolean =>
  notices.some((notice) => notice.mark !== 'test' && isBeginning(notice.subject));

/** `STILL CRITICAL`, `TEST`; that it is a drill is said beside it. */
export function wordOf(notice: Notice): string {
  if (notice.mark === 'test') return 'TEST';
  return `${notice.isRepeat ? 'STILL ' : ''}${SUBJECTS[notice.subject].title}`;
}

/** `Freezer 3 (Room 101)`, and with the organization for those who have several. */
export const nameOf = ({ serviceName, isOneOfSeveral, organizationName, locationName }: Notice): string =>
  nameWithPlace(serviceName, {
    organizationName: isOneOfSeveral ? organizationName : null,
    locationName,
  });

/** `[STILL CRITICAL] Freezer 3 (Room 101)` */
export const titleOf = (notice: Notice): string =>
  `${notice.mark === 'drill' ? '[DRILL] ' : ''}[${wordOf(notice)}] ${nameOf(notice)}`;

const MARKS = {
  test: 'This is a test message, not an alarm.',
  drill: 'This is a drill, not a real alarm.',
};

/** The message, after the word that it is not a real alarm. Never blank: some receivers refuse that. */
export function textOf(notice: Notice, message = notice.said): string {
  const { mark } = notice;
  const text = message.trim() === '' ? titleOf(notice) : message;
  return mark === null ? text : `${MARKS[mark]} ${text}`;
}

export function factsOf(notice: Notice): Fact[] {
  const known = notice.facts ? listFacts(notice.facts, english) : [];
  const facts: [title: string, value: string | Date | null][] = [
    ...known.map(({ title, value }): [string, string | Date] => [title, value]),
    ['Location', notice.locationName],
    ['Since', notice.facts ? null : notice.since],
    ['Acknowledged by', notice.acknowledgedBy],
    ['Comment', notice.comment],
    ['Organization', notice.organizationName],
  ];
  // Some receivers refuse a message for the sake of one blank field.
  return facts.flatMap(([title, value]) =>
    value === null || String(value).trim() === '' ? [] : [{ title, value }],
  );
}

export const isDigest = ({ notices }: Letter): boolean => notices.length > 1;

type Counted = Subject | 'drill' | 'test';

const COUNTED: [what: Counted, one: string, many: string][] = [
  ...ALL_SUBJECTS.map((subject): [Subject, string, string] => [
    subject,
    SUBJECTS[subject].counted,
    SUBJECTS[subject].counted,
  ]),
  ['drill', 'drill', 'drills'],
  ['test', 'test', 'tests'],
];

/** A drill or a test is counted as that, and as nothing else. */
export function countNotices({ notices }: Letter): Record<Counted, number> {
  const counts = Object.fromEntries(COUNTED.map(([what]) => [what, 0])) as Record<Counted, number>;
  for (const notice of notices) counts[notice.mark ?? notice.subject] += 1;
  return counts;
}

/** `300 critical, 150 warning, 50 without data` */
export const listCounts = (counts: Record<Counted, number>): string =>
  COUNTED.filter(([what]) => counts[what] > 0)
    .map(([what, one, many]) => `${counts[what]} ${counts[what] === 1 ? one : many}`)
    .join(', ');

/** `Cold team`, and with the organization for those who have several. */
export const groupOf = ({ groupName, isOneOfSeveral, organizationName }: Notice): string =>
  isOneOfSeveral ? `${groupName} (${organizationName})` : groupName;

const MANY_IN_A_ROOM = 3;

/** `7 units in Room 101: power or gateway?`, where so many begin at once in one place; the fullest first. */
export function roomsOf({ notices }: Letter): string[] {
  const rooms = new Map<string, Set<number>>();
  for (const notice of notices) {
    if (
      !isBeginning(notice.subject) ||
      notice.mark !== null ||
      notice.isRepeat ||
      notice.locationName === null
    )
      continue;
    rooms.set(notice.locationName, (rooms.get(notice.locationName) ?? new Set()).add(notice.serviceId));
  }
  return [...rooms]
    .filter(([, units]) => units.size >= MANY_IN_A_ROOM)
    .sort(([, one], [, other]) => other.size - one.size)
    .map(([room, units]) => `${units.size} units in ${room}: power or gateway?`);
}

/** `Cold team: 500 messages (300 critical, 150 warning, 50 without data)` */
export const titleOfDigest = (letter: Letter): string =>
  `${groupOf(letter.notices[0])}: ${letter.notices.length} messages (${listCounts(countNotices(letter))})`;

export const titleOfLetter = (letter: Letter): string =>
  isDigest(letter) ? titleOfDigest(letter) : titleOf(letter.notices[0]);

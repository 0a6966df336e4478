// What a notice says in few words, the same on every channel.
import { GUIDANCE_FIELDS } from '../../domain/guidance/guidance.ts';
import { message } from '../../domain/language/message.ts';
import type { Language } from '../../domain/language/speak.ts';
import { inARow } from '../../domain/list-names.ts';
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
export function wordOf({ mark, isRepeat, subject }: Notice, { say }: Language): string {
  if (mark === 'test') return say('TEST');
  const { title, still } = SUBJECTS[subject];
  return say((isRepeat && still) || title);
}

/** `Freezer 3 (Room 101)`, and with the organization for those who have several. */
export const nameOf = ({ serviceName, isOneOfSeveral, organizationName, locationName }: Notice): string =>
  nameWithPlace(serviceName, {
    organizationName: isOneOfSeveral ? organizationName : null,
    locationName,
  });

/** `[STILL CRITICAL] Freezer 3 (Room 101)` */
export function titleOf(notice: Notice, language: Language): string {
  const facts = { status: wordOf(notice, language), unit: nameOf(notice) };
  return notice.mark === 'drill'
    ? language.say('[DRILL] [{status}] {unit}', facts)
    : // For translators: {status} is a word such as CRITICAL, {unit} the name of a freezer
      language.say('[{status}] {unit}', facts);
}

const MARKS = {
  test: message('This is a test message, not an alarm.'),
  drill: message('This is a drill, not a real alarm.'),
} as const;

/** The message, after the word that it is not a real alarm. Never blank: some receivers refuse that. */
export function textOf(notice: Notice, language: Language, said = notice.said): string {
  const { mark } = notice;
  const text = said.trim() === '' ? titleOf(notice, language) : said;
  return mark === null ? text : `${language.say(MARKS[mark])} ${text}`;
}

const GUIDANCE_FACTS = ['contents', 'owner', 'valueClass', 'phones'] as const;

export function factsOf(notice: Notice, language: Language): Fact[] {
  const { say } = language;
  const known = notice.facts ? listFacts(notice.facts, language) : [];
  const facts: [title: string, value: string | Date | null][] = [
    ...known.map(({ title, value }): [string, string | Date] => [title, value]),
    [say('Location'), notice.locationName],
    ...GUIDANCE_FACTS.map((field): [string, string | null] => [
      say(GUIDANCE_FIELDS[field].title),
      notice.guidance?.[field]?.replaceAll('\n', ', ') ?? null,
    ]),
    [say('Since'), notice.facts ? null : notice.since],
    [say('Acknowledged by'), notice.acknowledgedBy],
    [say('Comment'), notice.comment],
    [say('Organization'), notice.organizationName],
  ];
  // Some receivers refuse a message for the sake of one blank field.
  return facts.flatMap(([title, value]) =>
    value === null || String(value).trim() === '' ? [] : [{ title, value }],
  );
}

export const isDigest = ({ notices }: Letter): boolean => notices.length > 1;

type Counted = Subject | 'drill' | 'test';

const COUNTED = {
  ...(Object.fromEntries(ALL_SUBJECTS.map((subject) => [subject, SUBJECTS[subject].counted])) as {
    [One in Subject]: (typeof SUBJECTS)[One]['counted'];
  }),
  drill: message('{count, plural, one {# drill} other {# drills}}'),
  test: message('{count, plural, one {# test} other {# tests}}'),
} as const satisfies Record<Counted, string>;

const ALL_COUNTED = Object.keys(COUNTED) as Counted[];

/** A drill or a test is counted as that, and as nothing else. */
export function countNotices({ notices }: Letter): Record<Counted, number> {
  const counts = Object.fromEntries(ALL_COUNTED.map((what) => [what, 0])) as Record<Counted, number>;
  for (const notice of notices) counts[notice.mark ?? notice.subject] += 1;
  return counts;
}

/** `300 critical, 150 warning, 50 without data` */
export const listCounts = (counts: Record<Counted, number>, language: Language): string =>
  inARow(
    ALL_COUNTED.filter((what) => counts[what] > 0).map((what) =>
      language.say(COUNTED[what], { count: counts[what] }),
    ),
    language,
  );

/** `Cold team`, and with the organization for those who have several. */
export const groupOf = ({ groupName, isOneOfSeveral, organizationName }: Notice): string =>
  isOneOfSeveral ? `${groupName} (${organizationName})` : groupName;

const MANY_IN_A_ROOM = 3;

/** `7 units in Room 101: power or gateway?`, where so many begin at once in one place; the fullest first. */
export function roomsOf({ notices, language: { say } }: Letter): string[] {
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
    .map(([room, units]) =>
      // For translators: asked of many alarms in one room, which may have one cause
      say('{count, plural, one {# unit} other {# units}} in {room}: power or gateway?', {
        count: units.size,
        room,
      }),
    );
}

/** `Cold team: 500 messages (300 critical, 150 warning, 50 without data)` */
export function titleOfDigest(letter: Letter): string {
  const { language, notices } = letter;
  const counts = listCounts(countNotices(letter), language);
  return language.say('{group}: {count, plural, one {# message} other {# messages}} ({counts})', {
    group: groupOf(notices[0]),
    count: notices.length,
    counts,
  });
}

export const titleOfLetter = (letter: Letter): string =>
  isDigest(letter) ? titleOfDigest(letter) : titleOf(letter.notices[0], letter.language);

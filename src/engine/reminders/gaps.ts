// Gaps of the next eight weeks: those who administer read of them on Monday mornings.
import { groupBy } from '../../domain/group-by.ts';
import type { OrganizationId } from '../../domain/ids.ts';
import type { Language } from '../../domain/language/speak.ts';
import { findGaps, GAP_WEEKS, type Gap, type Outlook } from '../../domain/notifications/gaps.ts';
import type { Database, ReadDatabase } from '../../platform/db/database.ts';
import { inSlices } from '../../platform/in-slices.ts';
import { eachAlone } from '../../platform/process/each-alone.ts';
import { readLadders, toLadder } from '../outbox/ladders.ts';
import { findMornings } from './mornings.ts';
import { type Person, sayTime } from './people.ts';
import { insertReminders, type ReminderWords } from './reminders.ts';

interface GroupGaps extends Outlook {
  groupId: number;
  groupName: string;
  organizationId: OrganizationId;
}

/** Of groups that a service tells. Other work goes on between them. */
export async function readGaps(
  db: ReadDatabase,
  organizationIds: readonly OrganizationId[] | null,
  now: Date,
  weeks = GAP_WEEKS,
): Promise<GroupGaps[]> {
  const found: GroupGaps[] = [];
  for await (const row of readLadders(db, organizationIds, now)) {
    const { id, name, organizationId } = row;
    const outlook = await inSlices(findGaps({ id, name, ladder: toLadder(row) }, now, weeks));
    found.push({ groupId: id, groupName: name, organizationId, ...outlook });
  }
  return found;
}

/** For the command line. */
export const GAP_WORDS: Record<Gap['kind'], string> = {
  nobody: 'reaches nobody within 15 minutes',
  only_mail: 'off hours only mail within 15 minutes',
};

/** How far was looked, where that is less than all weeks. */
export const sayEndsEarly = (
  { groupName, endsEarlyAt }: Pick<GroupGaps, 'groupName' | 'endsEarlyAt'>,
  sayAt: (at: Date) => string,
  { say }: Language,
): string[] =>
  endsEarlyAt
    ? [
        say('{groupName} was looked at until {time} only: people change very often there.', {
          groupName,
          time: sayAt(endsEarlyAt),
        }),
      ]
    : [];

const MOST_NAMED = 10;
const MOST_GROUPS_NAMED = 50;

export async function remindOfGaps(db: Database, people: readonly Person[], now: Date): Promise<void> {
  const administrators = people.filter(({ isAdministrator }) => isAdministrator);
  const readers = await findMornings(db, 'gaps', administrators, { onMondays: true }, now);
  await eachAlone(
    groupBy(readers, ({ organizationId }) => organizationId),
    ([organizationId]) => `the gaps of organization ${organizationId}`,
    async ([organizationId, own]) => {
      const groups = (await readGaps(db, [organizationId], now)).filter(({ gaps }) => gaps.length > 0);
      const reminders = own.map(({ accountId, about, timeZone, language }) => ({
        accountId,
        language,
        organizationId,
        kind: 'gaps' as const,
        about,
        words: groups.length === 0 ? null : sayGaps(groups, timeZone, language),
      }));
      await insertReminders(db, reminders, now);
    },
  );
}

function sayGaps(groups: readonly GroupGaps[], timeZone: string, language: Language): ReminderWords {
  const { say } = language;
  const sayAt = (at: Date) => sayTime(at, { timeZone });
  const sayGap = (group: string, { kind, startAt, endAt }: Gap): string => {
    const facts = { group, start: sayAt(startAt), end: sayAt(endAt) };
    return kind === 'nobody'
      ? // For translators: {group} is the name of those who are told of alarms
        say('{group}, {start} to {end}: reaches nobody within 15 minutes.', facts)
      : say('{group}, {start} to {end}: off hours only mail within 15 minutes.', facts);
  };
  const lines = groups
    .slice(0, MOST_GROUPS_NAMED)
    .flatMap((group) => [
      ...group.gaps.slice(0, MOST_NAMED).map((gap) => sayGap(group.groupName, gap)),
      ...sayEndsEarly(group, sayAt, language),
    ]);
  const more = groups.length - MOST_GROUPS_NAMED;
  const count = groups.reduce((sum, { gaps }) => sum + gaps.length, 0);
  return {
    subject: say(
      '{count, plural, one {# gap} other {# gaps}} in the next {weeks, plural, one {# week} other {# weeks}}',
      { count, weeks: GAP_WEEKS },
    ),
    lines: [
      say('A critical alarm would not reach enough people at these times:'),
      ...lines,
      ...(more > 0
        ? [say('And at some times of {more, plural, one {# more group} other {# more groups}}.', { more })]
        : []),
    ],
    button: say('Look at the groups'),
    path: '/settings/groups',
  };
}

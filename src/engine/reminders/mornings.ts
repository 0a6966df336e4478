// What is said once a day, or once a week, at eight in the morning of whoever reads it.
import { instantAt, localDay, weekdayOf } from '../../domain/on-call/local-instant.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import type { Person } from './people.ts';
import { type ReminderKind, selectKnownKeys } from './reminders.ts';

interface Morning extends Person {
  day: string;
  about: string;
}

const AT = '08:00';
const MONDAY = 1;

/** Whether it is past eight for this reader today. */
export const isMorning = ({ timeZone }: Pick<Person, 'timeZone'>, now: Date): boolean =>
  instantAt(localDay(now, timeZone), AT, timeZone) <= now;

/** Those for whom it is past eight today, and who were not asked about yet. */
export async function findMornings(
  db: ReadDatabase,
  kind: ReminderKind,
  people: readonly Person[],
  { onMondays }: { onMondays: boolean },
  now: Date,
): Promise<Morning[]> {
  const mornings = people.flatMap((person) => {
    const day = localDay(now, person.timeZone);
    if (onMondays && weekdayOf(day) !== MONDAY) return [];
    if (!isMorning(person, now)) return [];
    return [{ ...person, day, about: `${person.organizationId} ${day}` }];
  });
  if (mornings.length === 0) return [];
  const known = await selectKnownKeys(db, kind, [...new Set(mornings.map(({ about }) => about))]);
  return mornings.filter(({ accountId, about }) => !known.has(`${accountId} ${about}`));
}

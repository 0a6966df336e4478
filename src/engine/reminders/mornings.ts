// What is said once a day, or once a week, at eight in the morning of whoever reads it.
import sql from 'sql-template-tag';
import { instantAt, localDay, weekdayOf } from '../../domain/on-call/local-instant.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import type { Person } from './people.ts';
import type { ReminderKind } from './reminders.ts';

interface Morning extends Person {
  day: string;
  about: string;
}

const AT = '08:00';
const MONDAY = 1;

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
    if (instantAt(day, AT, person.timeZone) > now) return [];
    return [{ ...person, day, about: `${person.organizationId} ${day}` }];
  });
  if (mornings.length === 0) return [];
  const known = await db.query<{ key: string }>(sql`
    select account_id || ' ' || about as "key" from reminder
    where kind = ${kind} and about = any(${[...new Set(mornings.map(({ about }) => about))]}::text[])`);
  const keys = new Set(known.map(({ key }) => key));
  return mornings.filter(({ accountId, about }) => !keys.has(`${accountId} ${about}`));
}

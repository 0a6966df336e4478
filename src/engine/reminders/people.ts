// Who is reminded, and what their own clocks show.
import sql from 'sql-template-tag';
import type { AccountId, OrganizationId } from '../../domain/ids.ts';
import type { Language } from '../../domain/language/speak.ts';
import { formatLocalTime } from '../../domain/local-time.ts';
import { isTimeZone } from '../../domain/time-zone.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { languageFor } from '../../platform/languages/languages.ts';
import { AN_ADMINISTRATOR } from '../sql-parts/roles.ts';

export interface Person {
  accountId: AccountId;
  organizationId: OrganizationId;
  name: string;
  timeZone: string;
  language: Language;
  isAdministrator: boolean;
}

export const selectPeople = async (db: ReadDatabase): Promise<Person[]> =>
  (
    await db.query<Omit<Person, 'language'> & { languages: (string | null)[] }>(sql`
      select account.id as "accountId", organization_id as "organizationId", account.name, timezone as "timeZone",
        role = ${AN_ADMINISTRATOR} as "isAdministrator", array[account.language, organization.language] as "languages"
      from membership join account on account.id = account_id join organization on organization.id = organization_id
      where is_active order by account.id`)
  ).map(({ languages, ...person }) => ({
    ...person,
    timeZone: isTimeZone(person.timeZone) ? person.timeZone : 'UTC',
    language: languageFor(...languages),
  }));

/** With the zone, where it may be another than that of what it is about. */
export const sayTime = (at: Date, { timeZone }: Pick<Person, 'timeZone'>): string =>
  `${formatLocalTime(at, timeZone).slice(0, 16)} (${timeZone})`;

// Downtimes that come again end one day: said in time to whoever planned them, and to those who administer.
import sql from 'sql-template-tag';
import { groupBy } from '../../domain/group-by.ts';
import type { AccountId, OrganizationId } from '../../domain/ids.ts';
import type { Language } from '../../domain/language/speak.ts';
import { addDays, localDay } from '../../domain/on-call/local-instant.ts';
import type { Database, ReadDatabase } from '../../platform/db/database.ts';
import { isMorning } from './mornings.ts';
import type { Person } from './people.ts';
import { insertReminders, selectKnownKeys } from './reminders.ts';

/** What was planned for less than that is not announced: its end was said as it was planned. */
const DAYS_BEFORE = 14;

interface EndingSeries {
  id: number;
  organizationId: OrganizationId;
  serviceName: string;
  reason: string;
  accountId: AccountId;
  by: string;
  untilDay: string;
}

export async function remindOfSeries(db: Database, people: readonly Person[], now: Date): Promise<void> {
  const ending = await selectEnding(db, now);
  if (ending.length === 0) return;
  const byOrganization = groupBy(people, ({ organizationId }) => organizationId);
  const due = ending.flatMap((series) =>
    (byOrganization.get(series.organizationId) ?? [])
      .filter((person) => concerns(series, person) && isMorning(person, now))
      .filter((person) => isNear(series, person, now))
      .map((person) => ({ series, person, about: `series ${series.id} ${series.untilDay}` })),
  );
  if (due.length === 0) return;
  const known = await selectKnownKeys(db, 'series_ends', [...new Set(due.map(({ about }) => about))]);
  await insertReminders(
    db,
    due
      .filter(({ person, about }) => !known.has(`${person.accountId} ${about}`))
      .map(({ series, person: { accountId, organizationId, language }, about }) => ({
        accountId,
        organizationId,
        language,
        kind: 'series_ends' as const,
        about,
        words: sayEnd(series, language),
      })),
    now,
  );
}

function sayEnd({ serviceName: service, reason, by, untilDay: day }: EndingSeries, { say }: Language) {
  return {
    subject: say('{service}: its downtimes end on {day}', { service, day }),
    lines: [
      say('“{reason}”, planned by {person}, comes for the last time on or before {day}.', {
        reason,
        person: by,
        day,
      }),
      say('After that alarms at these times notify people again. If it is still needed, plan it anew.'),
    ],
    button: say('Plan it anew'),
    path: '/downtimes/series',
  };
}

/** One of their own organization. */
const concerns = (series: EndingSeries, { accountId, isAdministrator }: Person): boolean =>
  isAdministrator || series.accountId === accountId;

const isNear = ({ untilDay }: EndingSeries, { timeZone }: Person, now: Date): boolean => {
  const today = localDay(now, timeZone);
  return today <= untilDay && untilDay <= addDays(today, DAYS_BEFORE);
};

/** A day more on both sides: days begin at other times elsewhere. */
const selectEnding = (db: ReadDatabase, now: Date) =>
  db.query<EndingSeries>(sql`
    select series.id, organization_id as "organizationId", service.name as "serviceName", reason,
      created_by_id as "accountId", created_by_name as "by", until_day::text as "untilDay"
    from downtime_series series join service on service.id = series.service_id
    where ended_at is null and archived_at is null
      and until_day between (${now}::timestamptz at time zone 'UTC')::date - 1
        and (${now}::timestamptz at time zone 'UTC')::date + ${DAYS_BEFORE + 1}::int
      and until_day > (series.created_at at time zone 'UTC')::date + ${DAYS_BEFORE + 1}::int
    order by series.id`);

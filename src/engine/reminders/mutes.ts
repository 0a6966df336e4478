// What is still muted: said every morning to whoever muted it, and to those who administer.
import sql from 'sql-template-tag';
import { groupBy } from '../../domain/group-by.ts';
import type { AccountId, OrganizationId } from '../../domain/ids.ts';
import type { Database, ReadDatabase } from '../../platform/db/database.ts';
import { findMornings } from './mornings.ts';
import { type Person, sayTime } from './people.ts';
import { insertReminders } from './reminders.ts';

interface StandingMute {
  organizationId: OrganizationId;
  serviceName: string;
  accountId: AccountId;
  by: string;
  since: Date;
  endsAt: Date | null;
  reason: string | null;
}

export async function remindOfMutes(db: Database, people: readonly Person[], now: Date): Promise<void> {
  const mutes = await selectMutes(db);
  if (mutes.length === 0) return;
  const byOrganization = groupBy(mutes, ({ organizationId }) => organizationId);
  const mutesOf = (person: Person) =>
    (byOrganization.get(person.organizationId) ?? []).filter((mute) => concerns(mute, person));
  const concerned = people.filter((person) =>
    byOrganization.get(person.organizationId)?.some((mute) => concerns(mute, person)),
  );
  const readers = await findMornings(db, 'muted', concerned, { onMondays: false }, now);
  await insertReminders(
    db,
    readers.map((reader) => {
      const own = mutesOf(reader);
      const { accountId, organizationId, about, language } = reader;
      const { say } = language;
      const words = {
        subject:
          own.length === 1
            ? say('{service} is still muted', { service: own[0]?.serviceName ?? '' })
            : say('{count, plural, one {# mute still stands} other {# mutes still stand}}', {
                count: own.length,
              }),
        lines: [
          ...own.map((mute) => sayMute(mute, reader)),
          say('Nobody is notified of alarms of a muted service.'),
        ],
        button: say('Look at the services'),
        path: '/services',
      };
      return { accountId, organizationId, language, kind: 'muted' as const, about, words };
    }),
    now,
  );
}

function sayMute(
  { serviceName: service, by: person, since, endsAt, reason }: StandingMute,
  reader: Person,
): string {
  const { say } = reader.language;
  const facts = { service, person, since: sayTime(since, reader) };
  const muted = endsAt
    ? say('{service}: muted by {person} since {since}, until {until}', {
        ...facts,
        until: sayTime(endsAt, reader),
      })
    : say('{service}: muted by {person} since {since}', facts);
  return reason ? say('{muted}. Reason: {reason}', { muted, reason }) : muted;
}

/** One of their own organization. */
const concerns = (mute: StandingMute, { isAdministrator, accountId }: Person): boolean =>
  isAdministrator || mute.accountId === accountId;

const selectMutes = (db: ReadDatabase) =>
  db.query<StandingMute>(sql`
    select organization_id as "organizationId", service.name as "serviceName", account_id as "accountId",
      account_name as "by", mute.created_at as "since", ends_at as "endsAt", reason
    from mute join service on service.id = service_id
    where ended_at is null and archived_at is null order by service.name, mute.id`);

// Mails that people ask for to addresses that nobody has shown to read: invitations, tests, drills. An organization has so
// many of them in an hour, and so many to one address, that nobody can be pestered through us. Alarms are never counted.

import sql from 'sql-template-tag';
import type { OrganizationId } from '../../domain/ids.ts';
import { message } from '../../domain/language/message.ts';
import { first, type Tx } from '../../platform/db/database.ts';
import { namedLock } from '../../platform/lock-keys.ts';

const HOUR_MS = 60 * 60_000;
const MOST_BY_ORGANIZATION = 50;
const MOST_TO_ADDRESS = 10;

/** Whether they may leave; if so, they count. A group may be larger than what is left: it is told as a whole. */
export async function spendUnprovedMail(
  tx: Tx,
  organizationId: OrganizationId,
  emails: readonly string[],
  now: Date,
): Promise<boolean> {
  if (emails.length === 0) return true;
  const since = new Date(now.getTime() - HOUR_MS);
  tx.later(sql`select pg_advisory_xact_lock(${namedLock('unproved mail', String(organizationId))})`);
  tx.later(sql`delete from unproved_mail where asked_at <= ${since}`);
  const spent = first(
    await tx.query<{ byOrganization: number; toAddress: number }>(sql`
      select coalesce(sum(mails), 0)::int as "byOrganization",
        coalesce(max(mails) filter (where email = any(${emails}::text[])), 0)::int as "toAddress"
      from (select email, count(*) as mails from unproved_mail
        where organization_id = ${organizationId} and asked_at > ${since} group by email) as lately`),
  );
  if (!spent || spent.byOrganization >= MOST_BY_ORGANIZATION || spent.toAddress >= MOST_TO_ADDRESS)
    return false;
  tx.later(sql`
    insert into unproved_mail (organization_id, email, asked_at)
    select ${organizationId}, unnest(${emails}::text[]), ${now}`);
  return true;
}

/** For who asked. */
export const TOO_MANY_UNPROVED = message(
  'Enough tests, drills and invitations went to addresses that nobody has confirmed: try again in an hour. Alarms leave as ever.',
);

/** The same for a test or drill of a group. */
export const spendOnGroup = async (
  tx: Tx,
  { groupId, organizationId }: { groupId: number; organizationId: OrganizationId },
  now: Date,
): Promise<boolean> => spendUnprovedMail(tx, organizationId, await selectUnproved(tx, groupId), now);

/** Of a group: neither vouched for by the operator, nor those of somebody who chose a password by a mail to them. */
const selectUnproved = async (tx: Tx, groupId: number): Promise<string[]> =>
  (
    await tx.query<{ email: string }>(sql`
      select plain.email from notification_group_email plain
      where group_id = ${groupId} and not is_proved
        and not exists (select from account where account.email = plain.email and password_hash is not null)`)
  ).map(({ email }) => email);

// Mails about what is to come or still holds. Each is about one thing at one time, and made once, by whichever program
// comes first.

import { randomBytes } from 'node:crypto';
import sql from 'sql-template-tag';
import type { AccountId, OrganizationId } from '../../domain/ids.ts';
import type { Language } from '../../domain/language/speak.ts';
import { isStorable } from '../../domain/storable-text.ts';
import { type Database, first, type ReadDatabase, type Tx } from '../../platform/db/database.ts';
import type { QueuedEnd } from '../mail/send-queued.ts';

export type ReminderKind = 'gaps' | 'shift' | 'unconfirmed' | 'muted' | 'series_ends';

/** In the language of their reader. */
export interface ReminderWords {
  subject: string;
  lines: string[];
  button: string;
  /** Left out where the button leads to the receipt. */
  path?: string;
}

export interface NewReminder {
  accountId: AccountId;
  organizationId: OrganizationId;
  kind: ReminderKind;
  about: string;
  language: Language;
  /** null: it was looked, and there is nothing to say. */
  words: ReminderWords | null;
}

/** What was made before, by anybody, stays as it is. */
export async function insertReminders(
  db: Database | Tx,
  reminders: readonly NewReminder[],
  now: Date,
): Promise<void> {
  if (reminders.length === 0) return;
  const rows = reminders.map(({ words, language, ...reminder }) => ({
    ...reminder,
    words: { ...words, language: language.tag },
    state: words ? 'queued' : 'dropped',
    token: reminder.kind === 'shift' ? randomBytes(24).toString('base64url') : null,
  }));
  await db.query(sql`
    insert into reminder (account_id, organization_id, kind, about, content, token, state, next_attempt_at, created_at,
      finished_at)
    select "accountId", "organizationId", kind, about, words, token, state, ${now}, ${now},
      case when state = 'dropped' then ${now}::timestamptz end
    from json_to_recordset(${JSON.stringify(rows)}) as given ("accountId" int, "organizationId" int, kind text, about text,
      words jsonb, token text, state text)
    on conflict (account_id, kind, about) do nothing`);
}

/** Of those that were made already: the account and what it is about. */
export const selectKnownKeys = async (
  db: ReadDatabase,
  kind: ReminderKind,
  about: readonly string[],
): Promise<Set<string>> => {
  const known = await db.query<{ key: string }>(sql`
    select account_id || ' ' || about as "key" from reminder where kind = ${kind} and about = any(${about}::text[])`);
  return new Set(known.map(({ key }) => key));
};

export interface ClaimedReminder {
  id: string;
  kind: ReminderKind;
  attempt: number;
  createdAt: Date;
  organizationId: OrganizationId;
  organizationName: string;
  accountId: AccountId;
  email: string;
  name: string;
  /** `language` left out: English, from the version before. */
  words: ReminderWords & { language?: string };
  token: string | null;
}

/** Locks what nobody else is taking at this moment, in turns by organization. Who left meanwhile is not reminded. */
export const leaseReminders = (db: Database, most: number, leasedUntil: Date, now: Date) =>
  db.query<ClaimedReminder>(sql`
    with turns as materialized (
      select reminder.id, next_attempt_at as since,
        row_number() over (partition by organization_id order by next_attempt_at, reminder.id) as place
      from reminder
      join account on account.id = reminder.account_id and is_active
      join membership using (account_id, organization_id)
      where state = 'queued' and next_attempt_at <= ${now} and (leased_until is null or leased_until <= ${now})),
    due as materialized (
      select reminder.id from reminder join turns on turns.id = reminder.id
      where state = 'queued' and (leased_until is null or leased_until <= ${now})
      order by place, since, reminder.id limit ${most} for update of reminder skip locked)
    update reminder set leased_until = ${leasedUntil}, attempts = attempts + 1
    from due, account, organization
    where reminder.id = due.id and account.id = reminder.account_id and organization.id = reminder.organization_id
    returning reminder.id, kind, attempts as "attempt", reminder.created_at as "createdAt",
      reminder.organization_id as "organizationId", organization.name as "organizationName",
      account_id as "accountId", email, account.name, content as "words", token`);

export const markReminder = (
  db: Database,
  { id, state, error, nextAttemptAt, handedTo = null, isKept }: QueuedEnd,
  now: Date,
) =>
  db.query(sql`
    update reminder set state = ${state}, last_error = ${error}, leased_until = null, handed_to = ${handedTo},
      is_kept = ${isKept ?? null}::bool,
      next_attempt_at = coalesce(${nextAttemptAt}::timestamptz, next_attempt_at),
      finished_at = case when ${state} = 'queued' then null else ${now}::timestamptz end
    where id = ${id} and state = 'queued'`);

export interface Receipt {
  id: string;
  subject: string;
  lines: string[];
  organizationId: OrganizationId;
  accountId: AccountId;
  accountName: string;
  confirmedAt: Date | null;
}

export const findReceipt = async (db: ReadDatabase, token: string) =>
  first(
    !isStorable(token)
      ? []
      : await db.query<Receipt>(sql`
      select reminder.id, content->>'subject' as "subject", content->'lines' as "lines",
        organization_id as "organizationId", account_id as "accountId", account.name as "accountName",
        confirmed_at as "confirmedAt"
      from reminder join account on account.id = account_id where token = ${token}`),
  );

/** Whether it is the first time. */
export const confirmReceipt = async (tx: Tx, id: string, now: Date): Promise<boolean> =>
  (
    await tx.query(sql`
      update reminder set confirmed_at = ${now} where id = ${id} and confirmed_at is null returning id`)
  ).length > 0;

const KEPT_MS = 400 * 24 * 60 * 60_000;

export const forgetReminders = (db: Database, now: Date) =>
  db.query(sql`delete from reminder where created_at < ${new Date(now.getTime() - KEPT_MS)}`);

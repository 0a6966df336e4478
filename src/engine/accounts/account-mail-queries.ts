import sql from 'sql-template-tag';
import type { Role } from '../../domain/accounts/role.ts';
import type { AccountId, InvitationId, OrganizationId } from '../../domain/ids.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { LANGUAGES_OF_ORGANIZATIONS } from '../sql-parts/languages.ts';
import type { AccountMailKind } from './queue-account-mail.ts';

export interface ClaimedMail {
  id: string;
  kind: AccountMailKind;
  /** With this one, from 1. */
  attempt: number;
  createdAt: Date;
  authorName: string | null;
  organizationName: string | null;
  accountId: AccountId;
  email: string;
  /** In an invitation what the inviter wrote: it may be kept where he reads it. */
  name: string;
  timeZone: string;
  /** Of the account; of whoever invites it; of where it belongs. */
  languages: readonly (string | null)[];
  isActive: boolean;
  hasPassword: boolean;
  passwordMayBeKnown: boolean;
  isMemberSomewhere: boolean;
  /** null: the mail is about none, or it is no longer open. */
  invitation: { id: InvitationId; organizationId: OrganizationId; role: Role } | null;
}

/** Locks what nobody else is taking at this moment. */
export const leaseMails = (tx: Tx, most: number, leasedUntil: Date, now: Date) =>
  tx.query<ClaimedMail>(sql`
    with turns as materialized (
      select account_mail.id, next_attempt_at as since,
        row_number() over (partition by coalesce(organization_id, -account_mail.account_id) order by next_attempt_at, account_mail.id) as place
      from account_mail left join invitation on invitation.id = invitation_id
      where state = 'queued' and next_attempt_at <= ${now} and (leased_until is null or leased_until <= ${now})),
    due as materialized (
      select account_mail.id from account_mail join turns on turns.id = account_mail.id
      where state = 'queued' and (leased_until is null or leased_until <= ${now})
      order by place, since, account_mail.id limit ${most} for update of account_mail skip locked)
    update account_mail set leased_until = ${leasedUntil}, attempts = attempts + 1
    from due, account
    where account_mail.id = due.id and account.id = account_mail.account_id
    returning account_mail.id, kind, attempts as "attempt", account_mail.created_at as "createdAt",
      author_name as "authorName", organization_name as "organizationName", account_id as "accountId", email,
      coalesce((select name from invitation where invitation.id = invitation_id), account.name) as "name",
      timezone as "timeZone",
      array[account.language,
        (select organization.language from invitation join organization on organization.id = organization_id where invitation.id = invitation_id)] ||
        ${LANGUAGES_OF_ORGANIZATIONS} as "languages", is_active as "isActive", password_hash is not null as "hasPassword",
      password_may_be_known as "passwordMayBeKnown",
      exists (select from membership where membership.account_id = account.id) as "isMemberSomewhere",
      (select json_build_object('id', id, 'organizationId', organization_id, 'role', role)
        from invitation where invitation.id = invitation_id) as "invitation"`);

export interface MailEnd {
  id: string;
  state: 'queued' | 'sent' | 'failed' | 'dropped';
  error: string | null;
  nextAttemptAt: Date | null;
  handedTo?: string | null;
  isKept?: boolean;
}

export const markMails = (db: Database | Tx, ends: MailEnd[], now: Date) =>
  db.query(sql`
    update account_mail
    set state = ended.state, last_error = ended.error, leased_until = null, handed_to = ended.handed_to, is_kept = ended.is_kept,
      next_attempt_at = coalesce(ended.next_attempt_at, account_mail.next_attempt_at),
      finished_at = case when ended.state = 'queued' then null else ${now}::timestamptz end
    from unnest(${ends.map(({ id }) => id)}::bigint[], ${ends.map(({ state }) => state)}::text[],
      ${ends.map(({ error }) => error)}::text[], ${ends.map(({ nextAttemptAt }) => nextAttemptAt)}::timestamptz[],
      ${ends.map(({ handedTo }) => handedTo ?? null)}::text[], ${ends.map(({ isKept }) => isKept ?? null)}::bool[])
      as ended (id, state, error, next_attempt_at, handed_to, is_kept)
    where account_mail.id = ended.id and account_mail.state = 'queued'`);

const FORGET_AFTER_MS = 30 * 24 * 60 * 60 * 1000;

/** Links that lead nowhere, requests that no longer count, mails that were dealt with long ago. */
export async function forgetOldAccountMail(db: Database, now: Date): Promise<void> {
  const longAgo = new Date(now.getTime() - FORGET_AFTER_MS);
  const yesterday = new Date(now.getTime() - 24 * 60 * 60 * 1000);
  await db.query(sql`
    with links as (delete from account_link where expires_at < ${now}),
    requests as (delete from password_reset_request where requested_at < ${yesterday})
    delete from account_mail where state <> 'queued' and finished_at < ${longAgo}`);
}

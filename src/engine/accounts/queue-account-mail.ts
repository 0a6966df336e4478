import { createHash } from 'node:crypto';
import sql from 'sql-template-tag';
import type { AccountId, InvitationId } from '../../domain/ids.ts';
import type { Tx } from '../../platform/db/database.ts';

export type AccountMailKind =
  | 'activation'
  | 'password_reset'
  | 'password_changed'
  | 'invitation'
  | 'passkey_added'
  | 'contact_off'
  | 'phone_pin_changed';

interface NewAccountMail {
  accountId: AccountId;
  kind: AccountMailKind;
  /** Who invited or changed the password; null: the person himself, or nobody known. */
  authorName: string | null;
  organizationName?: string;
  invitationId?: InvitationId;
}

/** Leaves once this transaction has committed, and is tried again until it does. */
export const queueAccountMail = (tx: Tx, mail: NewAccountMail, now: Date) =>
  tx.query(insertMails([mail], now));

/** The same with the commit: whoever asks cannot tell by the time it takes whether there were any. */
export const queueAccountMails = (tx: Tx, mails: readonly NewAccountMail[], now: Date): void =>
  tx.later(insertMails(mails, now));

const insertMails = (mails: readonly NewAccountMail[], now: Date) => sql`
  insert into account_mail (account_id, kind, author_name, organization_name, invitation_id, next_attempt_at, created_at)
  select "accountId", kind, "authorName", "organizationName", "invitationId", ${now}::timestamptz, ${now}::timestamptz
  from json_to_recordset(${JSON.stringify(mails)}) as given ("accountId" int, kind text, "authorName" text,
    "organizationName" text, "invitationId" int)`;

/** By which a mail is known wherever it goes: stable over retries. */
export const nameAccountMail = ({ id, createdAt }: { id: string; createdAt: Date }): string =>
  createHash('sha256').update(`account mail ${id} ${createdAt.toISOString()}`).digest('hex').slice(0, 32);

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
  tx.query(sql`
    insert into account_mail (account_id, kind, author_name, organization_name, invitation_id, next_attempt_at, created_at)
    values (${mail.accountId}, ${mail.kind}, ${mail.authorName}, ${mail.organizationName ?? null},
      ${mail.invitationId ?? null}, ${now}, ${now})`);

/** By which a mail is known wherever it goes: stable over retries. */
export const nameAccountMail = ({ id, createdAt }: { id: string; createdAt: Date }): string =>
  createHash('sha256').update(`account mail ${id} ${createdAt.toISOString()}`).digest('hex').slice(0, 32);

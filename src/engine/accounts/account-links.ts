// Links in mails that let their reader set a password, or answer an invitation. They work once, for a while; the database
// knows only their hash.
import { createHash, randomBytes } from 'node:crypto';
import sql from 'sql-template-tag';
import type { AccountId, InvitationId } from '../../domain/ids.ts';
import { first, type ReadDatabase, type Tx } from '../../platform/db/database.ts';

export type LinkPurpose = 'activation' | 'password_reset' | 'invitation';

const HOUR_MS = 60 * 60 * 1000;
export const LINK_LIFETIME_MS: Record<LinkPurpose, number> = {
  activation: 7 * 24 * HOUR_MS,
  password_reset: HOUR_MS,
  invitation: 7 * 24 * HOUR_MS,
};

interface LinkMatter {
  accountId: AccountId;
  purpose: LinkPurpose;
  /** Following the link accepts it. */
  invitationId: InvitationId | null;
  /** Only the owner of the address can read it; false: it is kept, where administrators can. */
  isPrivate: boolean;
}

export interface NewLink extends LinkMatter {
  token: string;
  expiresAt: Date;
}

export const makeLink = (matter: LinkMatter, now: Date): NewLink => ({
  ...matter,
  token: randomBytes(32).toString('base64url'),
  expiresAt: new Date(now.getTime() + LINK_LIFETIME_MS[matter.purpose]),
});

/** Tokens are long and random, so a plain hash cannot be reversed and can be looked up by index. */
const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

export const insertLinks = (tx: Tx, links: NewLink[], now: Date) =>
  tx.query(sql`
    insert into account_link (token_hash, account_id, purpose, invitation_id, is_private, created_at, expires_at)
    select decode(hash, 'hex'), account_id, purpose, invitation_id, is_private, ${now}, expires_at
    from unnest(${links.map(({ token }) => hashToken(token).toString('hex'))}::text[],
      ${links.map(({ accountId }) => accountId)}::int[], ${links.map(({ purpose }) => purpose)}::text[],
      ${links.map(({ invitationId }) => invitationId)}::int[], ${links.map(({ isPrivate }) => isPrivate)}::boolean[],
      ${links.map(({ expiresAt }) => expiresAt)}::timestamptz[])
      as link (hash, account_id, purpose, invitation_id, is_private, expires_at)`);

export interface LinkedAccount {
  id: AccountId;
  email: string;
  name: string;
  passwordMayBeKnown: boolean;
  isPrivate: boolean;
  invitationId: InvitationId | null;
}

const selectLinked = (purpose: LinkPurpose, token: string, now: Date) => sql`
  select account.id, account.email, account.name, password_may_be_known as "passwordMayBeKnown",
    is_private as "isPrivate", invitation_id as "invitationId"
  from account_link join account on account.id = account_id
  where token_hash = ${hashToken(token)} and purpose = ${purpose} and expires_at > ${now} and is_active`;

/** Whose link it is, for the page that asks for the new password; null: it leads nowhere any more. */
export const findLinkedAccount = async (db: ReadDatabase, purpose: LinkPurpose, token: string, now: Date) =>
  first(await db.query<LinkedAccount>(selectLinked(purpose, token, now)));

/** Locks the account first, as every change to it does, and takes the link only then: of two readers one gets it. */
export async function takeLink(
  tx: Tx,
  purpose: LinkPurpose,
  token: string,
  now: Date,
): Promise<LinkedAccount | null> {
  const account = first(
    await tx.query<LinkedAccount>(sql`${selectLinked(purpose, token, now)} for update of account`),
  );
  if (!account) return null;
  const taken = await tx.query(sql`
    delete from account_link where token_hash = ${hashToken(token)} returning account_id`);
  return taken.length === 1 ? account : null;
}

export const deleteLinks = (tx: Tx, accountId: AccountId) =>
  tx.query(sql`delete from account_link where account_id = ${accountId}`);

/** Those that an administrator may have read. */
export const deleteReadableLinks = (tx: Tx, accountId: AccountId) =>
  tx.query(sql`delete from account_link where account_id = ${accountId} and not is_private`);

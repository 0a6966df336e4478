// The life of an account, for the command line, the lab file and the pages alike.

import sql from 'sql-template-tag';
import type { Requester } from '../../domain/accounts/requester.ts';
import type { AccountId } from '../../domain/ids.ts';
import { first, type Tx } from '../../platform/db/database.ts';
import { writeAudit } from '../audit/write-audit.ts';
import { lookAgainAtAccount } from '../outbox/look-again.ts';
import { deleteLinks } from './account-links.ts';
import { endMemberships } from './memberships.ts';
import { deletePasskeys } from './passkeys.ts';
import { setPinHash } from './phone-pins.ts';
import { queueAccountMail } from './queue-account-mail.ts';

export interface NewAccount {
  /** Normalised. */
  email: string;
  name: string;
  timezone: string;
  /** null: none is chosen. */
  language: string | null;
  passwordHash: string | null;
  isActive: boolean;
}

export interface StoredAccount extends NewAccount {
  id: AccountId;
}

export const ACCOUNT_COLUMNS = sql`
  id, email, name, timezone, language, password_hash as "passwordHash", is_active as "isActive"`;

/** Locks the account, so that changes to it queue up. */
export const lockAccount = async (tx: Tx, email: string) =>
  first(
    await tx.query<StoredAccount>(sql`
      select ${ACCOUNT_COLUMNS} from account where email = ${email} for update`),
  );

/** null when the email is taken. */
export async function createAccount(
  tx: Tx,
  requester: Requester,
  account: NewAccount,
  now: Date,
): Promise<AccountId | null> {
  const created = first(
    await tx.query<{ id: AccountId }>(sql`
      insert into account (email, name, timezone, language, password_hash, is_active, created_at)
      values (${account.email}, ${account.name}, ${account.timezone}, ${account.language}, ${account.passwordHash},
        ${account.isActive}, ${now})
      on conflict (email) do nothing
      returning id`),
  );
  if (!created) return null;
  await writeAudit(
    tx,
    requester,
    { action: 'account.create', detail: { account: created.id, email: account.email } },
    now,
  );
  return created.id;
}

/** What it was is known for sure to those who have locked it; the lab file has not. */
export const updateProfile = (
  tx: Tx,
  id: AccountId,
  { name, timezone, language }: Pick<NewAccount, 'name' | 'timezone' | 'language'>,
) =>
  tx.query(sql`
    update account set name = ${name}, timezone = ${timezone}, language = ${language} where id = ${id}`);

/**
 * How a password came about. By kept mail: by a link that an administrator could read. By itself: typed by whoever knew the
 * one before, which says nothing new about who that is.
 */
export type PasswordWay = 'operator' | 'mail' | 'kept_mail' | 'itself';

const MAY_BE_KNOWN: Record<PasswordWay, boolean | null> = {
  operator: false,
  mail: false,
  kept_mail: true,
  itself: null,
};

/** Revokes every token issued before and every link sent before, and tells the person whose password it was. */
export async function setPassword(
  tx: Tx,
  requester: Requester,
  { accountId, passwordHash, way }: { accountId: AccountId; passwordHash: string; way: PasswordWay },
  now: Date,
): Promise<void> {
  const before = await lockPassword(tx, accountId);
  await tx.query(sql`
    update account set password_hash = ${passwordHash}, token_generation = token_generation + 1,
      password_may_be_known = coalesce(${MAY_BE_KNOWN[way]}, password_may_be_known)
    where id = ${accountId}`);
  await deleteLinks(tx, accountId);
  // Whoever knew the password may have added one.
  if (before?.mayBeKnown && MAY_BE_KNOWN[way] === false) {
    await deletePasskeys(tx, accountId);
    await setPinHash(tx, accountId, null);
  }
  if (before?.hasPassword) {
    const authorName = requester.accountId === accountId ? null : requester.name;
    await queueAccountMail(tx, { accountId, kind: 'password_changed', authorName }, now);
  }
  const detail = { account: accountId, way };
  await writeAudit(tx, requester, { action: 'account.set_password', detail }, now);
}

const lockPassword = async (tx: Tx, id: AccountId) =>
  first(
    await tx.query<{ hasPassword: boolean; mayBeKnown: boolean }>(sql`
      select password_hash is not null as "hasPassword", password_may_be_known as "mayBeKnown"
      from account where id = ${id} for update`),
  );

/** Revokes all tokens of the account, if this one is not revoked already. */
export const raiseGeneration = async (tx: Tx, accountId: AccountId, generation: number) =>
  first(
    await tx.query<{ name: string }>(sql`
      update account set token_generation = token_generation + 1
      where id = ${accountId} and token_generation = ${generation} and is_active
      returning name`),
  );

/**
 * Raises the generation either way, so that a later activation revives no old token. What the operator deactivated, who acts
 * without an account, no administrator activates.
 */
export async function setActive(
  tx: Tx,
  requester: Requester,
  { accountId, isActive }: { accountId: AccountId; isActive: boolean },
  now: Date,
): Promise<void> {
  await tx.query(sql`
    update account set is_active = ${isActive}, is_barred = ${!isActive && requester.accountId === null},
      token_generation = token_generation + 1
    where id = ${accountId}`);
  lookAgainAtAccount(tx, accountId, now);
  const action = isActive ? 'account.activate' : 'account.deactivate';
  await writeAudit(tx, requester, { action, detail: { account: accountId } }, now);
}

/** For good: what the account did stays, under the copy of its name. */
export async function deleteAccount(
  tx: Tx,
  requester: Requester,
  account: StoredAccount,
  now: Date,
): Promise<void> {
  await endMemberships(tx, sql`account_id = ${account.id}`, now);
  await tx.query(sql`delete from account where id = ${account.id}`);
  const detail = { account: account.id, email: account.email };
  await writeAudit(tx, requester, { action: 'account.delete', detail }, now);
}

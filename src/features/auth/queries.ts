import sql from 'sql-template-tag';
import type { FailedFromAddress, FailedSignIns } from '../../domain/accounts/sign-in-throttle.ts';
import type { AccountId } from '../../domain/ids.ts';
import { first, type ReadDatabase, type Tx } from '../../platform/db/database.ts';
import { namedLock } from '../../platform/lock-keys.ts';

export interface SignInAccount {
  id: AccountId;
  name: string;
  passwordHash: string | null;
  isActive: boolean;
  generation: number;
}

export const selectSignInAccount = async (db: ReadDatabase, email: string) =>
  first(
    await db.query<SignInAccount>(sql`
      select id, name, password_hash as "passwordHash", is_active as "isActive", token_generation as "generation"
      from account where email = ${email}`),
  );

export const selectFailures = async (db: ReadDatabase, email: string, address: string) =>
  first(
    await db.query<FailedSignIns>(sql`
      select failures, blocked_until as "blockedUntil"
      from sign_in_throttle where email = ${email} and address = ${address}`),
  );

export const selectFromAddress = async (db: ReadDatabase, address: string) =>
  first(
    await db.query<FailedFromAddress>(sql`
      select failures, window_began_at as "windowBeganAt" from sign_in_budget where address = ${address}`),
  );

/** A window that has ended begins anew with this failure. */
export const countFromAddress = (tx: Tx, address: string, cutoff: Date, now: Date) =>
  tx.query(sql`
    insert into sign_in_budget as counted (address, failures, window_began_at) values (${address}, 1, ${now})
    on conflict (address) do update set
      failures = case when counted.window_began_at > ${cutoff} then counted.failures + 1 else 1 end,
      window_began_at = case when counted.window_began_at > ${cutoff} then counted.window_began_at else ${now} end`);

/** Attempts for one email from one address are decided one after the other, the very first failure included. */
export const lockAttempts = (tx: Tx, email: string, address: string) =>
  tx.query(sql`select pg_advisory_xact_lock(${namedLock('sign-in', `${address} ${email}`)})`);

export const upsertFailures = (tx: Tx, email: string, address: string, failed: FailedSignIns, now: Date) =>
  tx.query(sql`
    insert into sign_in_throttle (email, address, failures, last_failed_at, blocked_until)
    values (${email}, ${address}, ${failed.failures}, ${now}, ${failed.blockedUntil})
    on conflict (email, address) do update
    set failures = excluded.failures, last_failed_at = excluded.last_failed_at, blocked_until = excluded.blocked_until`);

export const deleteFailures = (tx: Tx, email: string, address: string) =>
  tx.query(sql`delete from sign_in_throttle where email = ${email} and address = ${address}`);

/** Revokes all tokens of the account, if this one is not revoked already. */
export const raiseGeneration = async (tx: Tx, accountId: AccountId, generation: number) =>
  first(
    await tx.query<{ name: string }>(sql`
      update account set token_generation = token_generation + 1
      where id = ${accountId} and token_generation = ${generation} and is_active
      returning name`),
  );

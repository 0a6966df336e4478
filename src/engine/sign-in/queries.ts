import sql from 'sql-template-tag';
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

/** Attempts for one email from one address are decided one after the other, the very first failure included. */
export const lockAttempts = (tx: Tx, email: string, address: string) =>
  tx.query(sql`select pg_advisory_xact_lock(${namedLock('sign-in', `${address} ${email}`)})`);

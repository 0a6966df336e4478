import sql from 'sql-template-tag';
import type { AccountId } from '../../domain/ids.ts';
import { first, type Tx } from '../../platform/db/database.ts';

declare const locked: unique symbol;

/** Changes to it queue up until this transaction ends: only `lockOwnAccount` makes one. */
export type LockedAccountId = AccountId & { readonly [locked]: true };

/** With its profile as it is now. */
export async function lockOwnAccount(tx: Tx, accountId: AccountId) {
  const profile = first(
    await tx.query<{ name: string; timezone: string; language: string | null }>(sql`
      select name, timezone, language from account where id = ${accountId} for update`),
  );
  return { accountId: accountId as LockedAccountId, profile };
}

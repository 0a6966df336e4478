import sql from 'sql-template-tag';
import type { Requester } from '../../domain/accounts/requester.ts';
import type { AccountId } from '../../domain/ids.ts';
import { first, type ReadDatabase } from '../../platform/db/database.ts';

/** Whom something other than a session proved, with what they may do; null: the account is closed. */
export const selectRequester = async (db: ReadDatabase, accountId: AccountId): Promise<Requester | null> => {
  const found = first(
    await db.query<Omit<Requester, 'address' | 'requestId'>>(sql`
      select account.id as "accountId", name, timezone, coalesce((
        select json_agg(json_build_object('organizationId', organization_id, 'organizationName', organization.name, 'role', role))
        from membership join organization on organization.id = organization_id
        where account_id = account.id), '[]') as memberships
      from account where id = ${accountId} and is_active`),
  );
  return found && { ...found, address: null, requestId: null };
};

import sql from 'sql-template-tag';
import type { AccountId } from '../../domain/ids.ts';
import { first, type ReadDatabase } from '../../platform/db/database.ts';

/** By an administrator, perhaps: it was chosen by a link that one could read. */
export const isPasswordKnown = async (db: ReadDatabase, accountId: AccountId): Promise<boolean> =>
  first(
    await db.query<{ isKnown: boolean }>(sql`
      select password_may_be_known as "isKnown" from account where id = ${accountId}`),
  )?.isKnown ?? true;

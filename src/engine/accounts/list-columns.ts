// Which columns of the list of equipment somebody chose.
import sql from 'sql-template-tag';
import type { AccountId } from '../../domain/ids.ts';
import { first, type ReadDatabase, type Tx } from '../../platform/db/database.ts';

/** null: nothing was chosen. */
export const selectListColumns = async (db: ReadDatabase, accountId: AccountId): Promise<string[] | null> =>
  first(
    await db.query<{ columns: string[] | null }>(sql`
      select list_columns as "columns" from account where id = ${accountId}`),
  )?.columns ?? null;

export const keepListColumns = (tx: Tx, accountId: AccountId, columns: readonly string[]) =>
  tx.query(sql`update account set list_columns = ${columns}::text[] where id = ${accountId}`);

// Where whoever signed in begins: with few units the alarms say all there is.
import sql from 'sql-template-tag';
import type { AccountId } from '../../domain/ids.ts';
import { first, type ReadDatabase } from '../../platform/db/database.ts';
import { OVERVIEW } from './navigation.ts';

/** More organizations or units than this are more than one page of alarms shows at a glance. */
const FEW_ORGANIZATIONS = 1;
const FEW_UNITS = 10;

export async function findStartPage(db: ReadDatabase, accountId: AccountId): Promise<string> {
  const row = first(
    await db.query<{ isLarge: boolean }>(sql`
      with own as materialized (select organization_id as id from membership where account_id = ${accountId})
      select (select count(*) from own) > ${FEW_ORGANIZATIONS} or (
        select count(*) from (
          select from own join service on organization_id = own.id and archived_at is null
          limit ${FEW_UNITS + 1}) unit) > ${FEW_UNITS} as "isLarge"`),
  );
  return row?.isLarge ? OVERVIEW : '/';
}

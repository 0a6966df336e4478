import sql from 'sql-template-tag';
import type { AccountId } from '../../domain/ids.ts';
import type { Role } from '../../domain/role.ts';
import type { Tx } from '../../platform/db/database.ts';

/** Creates the organization if there is none of that name. */
export const grantRole = (tx: Tx, accountId: AccountId, organization: string, role: Role, now: Date) =>
  tx.query(sql`
    with created as (
      insert into organization (name, created_at) values (${organization}, ${now})
      on conflict (name) do nothing returning id),
    found as (
      select id from created union all select id from organization where name = ${organization})
    insert into membership (account_id, organization_id, role, created_at)
    select ${accountId}, id, ${role}, ${now} from found`);

import sql from 'sql-template-tag';
import type { Requester } from '../../domain/accounts/requester.ts';
import type { AccountId, ServiceId } from '../../domain/ids.ts';
import { first, type Tx } from '../../platform/db/database.ts';

/** The owner of a method, with what they may do; null: the account is closed. */
export const selectRequester = async (tx: Tx, accountId: AccountId): Promise<Requester | null> => {
  const found = first(
    await tx.query<Omit<Requester, 'address' | 'requestId'>>(sql`
      select account.id as "accountId", name, timezone, coalesce((
        select json_agg(json_build_object('organizationId', organization_id, 'organizationName', organization.name, 'role', role))
        from membership join organization on organization.id = organization_id
        where account_id = account.id), '[]') as memberships
      from account where id = ${accountId} and is_active`),
  );
  return found && { ...found, address: null, requestId: null };
};

/** Call it with the alarm states locked. */
export const selectEpisodes = (tx: Tx, serviceIds: readonly ServiceId[]) =>
  tx.query<{ serviceId: ServiceId; episodeId: string | null }>(sql`
    select service_id as "serviceId", episode_id as "episodeId" from alarm_state
    where service_id = any(${serviceIds}::int[]) and severity <> 'normal'`);

/** Whom a letter went to; null: by no contact method. */
export const selectLetterMethod = async (tx: Tx, letterId: string): Promise<number | null> =>
  first(
    await tx.query<{ id: number }>(sql`
      select recipient::int as "id" from letter where id = ${letterId}::bigint and transport = 'method'`),
  )?.id ?? null;

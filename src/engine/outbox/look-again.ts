// Something changed that may change what is to be told: a mute, a downtime, an acknowledgement taken back, settings, who is
// in a group. Whoever changes it notes it in the same transaction, and it is decided anew within a second.
import sql, { type Sql } from 'sql-template-tag';
import type { AccountId, ServiceId } from '../../domain/ids.ts';
import type { Tx } from '../../platform/db/database.ts';
import { ROTA_ACCOUNTS } from './recipients.ts';

export function lookAgain(
  tx: Tx,
  serviceIds: readonly ServiceId[],
  now: Date,
  { isSuppressionEnded = false }: { isSuppressionEnded?: boolean } = {},
): void {
  tx.announce();
  if (isSuppressionEnded)
    tx.later(sql`
      update notification_schedule set suppression_ended_at = ${now} where service_id = any(${serviceIds}::int[])`);
  tx.later(sql`
    insert into look_again (service_id, noted_at) select unnest(${serviceIds}::int[]), ${now}`);
}

/** For new services, each of which is looked at from now on. */
export const insertSchedules = (tx: Tx, serviceIds: readonly ServiceId[]): void =>
  tx.later(sql`insert into notification_schedule (service_id) select unnest(${serviceIds}::int[])`);

/** At all services that tell these groups: whom they reach changed. */
export const lookAgainAtGroups = (tx: Tx, groupIds: readonly number[], now: Date): void =>
  tx.later(sql`
    insert into look_again (group_id, noted_at) select unnest(${groupIds}::int[]), ${now}`);

/** At all services that tell a group with this account in it: whether it is reached changed. */
export const lookAgainAtAccount = (tx: Tx, accountId: AccountId, now: Date): void =>
  tx.later(sql`insert into look_again (account_id, noted_at) values (${accountId}, ${now})`);

/**
 * Notes on groups and accounts become notes on services, as late as this: whoever chose the group for a service, or put
 * the account into it, at the same moment as the change, and could not be seen by it, left a note as well.
 */
export const spreadNotes = (): Sql => sql`
  with noted as materialized (
    select id, group_id, account_id, noted_at from look_again where service_id is null for update skip locked),
  taken as (
    delete from look_again using noted where look_again.id = noted.id)
  insert into look_again (service_id, noted_at)
  select service_id, min(noted_at)
  from (
    select group_id, noted_at from noted where group_id is not null
    union all
    select told.group_id, noted_at from noted join notification_group_account told using (account_id)
    union all
    select told.group_id, noted_at from noted join ${ROTA_ACCOUNTS} as on_rota using (account_id)
    join notification_group_rota told using (rota_id)) as concerned
  cross join lateral (
    select service_id from service_settings where notification_group_id = concerned.group_id offset 0) as told
  group by service_id`;

/** Only those that this statement sees: what comes later stays for the next decision. */
export const takeNotes = (serviceIds: Sql): Sql =>
  sql`delete from look_again where service_id = any(${serviceIds})`;

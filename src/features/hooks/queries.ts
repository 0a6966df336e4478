import sql from 'sql-template-tag';
import type { ServiceId } from '../../domain/ids.ts';
import type { LockedService } from '../../engine/journal/lock-alarm-states.ts';
import { first, type Tx } from '../../platform/db/database.ts';

export const selectEpisodes = (tx: Tx, serviceIds: readonly LockedService[]) =>
  tx.query<{ serviceId: ServiceId; episodeId: string | null }>(sql`
    select service_id as "serviceId", episode_id as "episodeId" from alarm_state
    where service_id = any(${serviceIds}::int[]) and severity <> 'normal'`);

export interface ToldCall {
  methodId: number;
  /** Wrong PINs in it so far. */
  pinFailures: number;
}

/** Whom a letter went to; null: by no contact method. */
export const selectToldCall = async (tx: Tx, letterId: string): Promise<ToldCall | null> =>
  first(
    await tx.query<ToldCall>(sql`
      select recipient::int as "methodId", pin_failures as "pinFailures" from letter
      where id = ${letterId}::bigint and transport = 'method'`),
  );

export interface AskedPin {
  /** By an organization of one of the services. */
  forThese: boolean;
  /** By any organization of the person. */
  anywhere: boolean;
}

export const selectAskedPin = async (
  tx: Tx,
  accountId: number,
  serviceIds: readonly ServiceId[],
): Promise<AskedPin> => {
  const asked = first(
    await tx.query<AskedPin>(sql`
      select
        exists (select from service join organization on organization.id = organization_id
          where service.id = any(${serviceIds}::int[]) and phone_pin_required) as "forThese",
        exists (select from membership join organization on organization.id = organization_id
          where account_id = ${accountId} and phone_pin_required) as "anywhere"`),
  );
  if (!asked) throw new Error('The database returned no row');
  return asked;
};

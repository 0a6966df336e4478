import sql from 'sql-template-tag';
import type { ServiceId } from '../../domain/ids.ts';
import type { Tx } from '../../platform/db/database.ts';
import { queueToChange, takeTurns } from './take-turn.ts';

declare const locked: unique symbol;

/** Its alarm state is nobody else's to change before this transaction ends: only those that lock it make one. */
export type LockedService = ServiceId & { readonly [locked]: true };

/** Whoever acts upon the alarm state of services locks these rows first, in ascending order. */
export async function lockAlarmStates(
  tx: Tx,
  serviceIds: readonly ServiceId[],
): Promise<readonly LockedService[]> {
  await tx.query(lock(serviceIds));
  return serviceIds as readonly LockedService[];
}

export async function lockAlarmState(tx: Tx, serviceId: ServiceId): Promise<LockedService> {
  await tx.query(lock([serviceId]));
  return serviceId as LockedService;
}

/** The same, on the way of the next statement. */
export function lockAlarmStateFirst(tx: Tx, serviceId: ServiceId): LockedService {
  tx.later(lock([serviceId]));
  return serviceId as LockedService;
}

const lock = (serviceIds: readonly ServiceId[]) => sql`
  select from alarm_state where service_id = any(${serviceIds}::int[])
  order by service_id for no key update`;

/** For those who change what services are judged by: alone with them, until the end of the transaction. */
export function holdToChange(tx: Tx, serviceIds: readonly ServiceId[]): readonly LockedService[] {
  queueToChange(tx, serviceIds);
  takeTurns(tx, serviceIds);
  tx.later(lock(serviceIds));
  return serviceIds as readonly LockedService[];
}

import sql from 'sql-template-tag';
import type { ServiceId } from '../../domain/ids.ts';
import type { Tx } from '../../platform/db/database.ts';
import { queueToChange, takeTurns } from '../journal/take-turn.ts';

/** Whoever acts upon the alarm state of services locks these rows first, in ascending order. */
export const lockAlarmStates = (tx: Tx, serviceIds: readonly ServiceId[]) => tx.query(lock(serviceIds));

/** The same, on the way of the next statement. */
export const lockAlarmStatesFirst = (tx: Tx, serviceIds: readonly ServiceId[]): void =>
  tx.later(lock(serviceIds));

const lock = (serviceIds: readonly ServiceId[]) => sql`
  select from alarm_state where service_id = any(${serviceIds}::int[])
  order by service_id for no key update`;

/** For those who change what services are judged by: alone with them, until the end of the transaction. */
export function holdToChange(tx: Tx, serviceIds: readonly ServiceId[]): void {
  queueToChange(tx, serviceIds);
  takeTurns(tx, serviceIds);
  lockAlarmStatesFirst(tx, serviceIds);
}

/** Programs that remember the services look them up again, and so does the clock: what is due may have changed. */
export const raiseConfigVersions = (tx: Tx, serviceIds: readonly ServiceId[]): void =>
  tx.later(sql`
    update alarm_state set config_version = config_version + 1, next_due_at = '-infinity'
    where service_id = any(${serviceIds}::int[])`);

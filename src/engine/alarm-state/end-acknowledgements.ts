import sql from 'sql-template-tag';
import type { ServiceId } from '../../domain/ids.ts';
import type { Tx } from '../../platform/db/database.ts';

/** Call it with the alarm states locked. */
export const endAcknowledgements = (
  tx: Tx,
  serviceIds: readonly ServiceId[],
  reason: 'archived' | 'limits_changed' | 'recovered',
  now: Date,
): void =>
  tx.later(sql`
    update acknowledgement set ended_at = ${now}, end_reason = ${reason}
    where service_id = any(${serviceIds}::int[]) and ended_at is null`);

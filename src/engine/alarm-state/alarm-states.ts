// The alarm states of services that come and go.
import sql from 'sql-template-tag';
import type { ServiceId } from '../../domain/ids.ts';
import type { Tx } from '../../platform/db/database.ts';

export const insertAlarmStates = (tx: Tx, serviceIds: readonly ServiceId[]): void =>
  tx.later(sql`
    insert into alarm_state (service_id, organization_id)
    select id, organization_id from service where id = any(${serviceIds}::int[])`);

/** Call it with the alarm states locked. What is known of their channels begins anew should they be restored. */
export const clearAlarmStates = (tx: Tx, serviceIds: readonly ServiceId[]): void =>
  tx.later(sql`
    update alarm_state
    set severity = 'normal', severity_since = null, channel = null, band = null, value = null, limit_value = null,
      message = null, episode_id = null, stale_since = null,
      channel_ids = '{}', channel_at_ms = '{}', channel_values = '{}', channel_alarms = null
    where service_id = any(${serviceIds}::int[])`);

// The alarm states of services that come, change and go.
import sql from 'sql-template-tag';
import type { ServiceId } from '../../domain/ids.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { LockedService } from '../journal/lock-alarm-states.ts';

export const insertAlarmStates = (tx: Tx, serviceIds: readonly ServiceId[]): void =>
  tx.later(sql`
    insert into alarm_state (service_id, organization_id)
    select id, organization_id from service where id = any(${serviceIds}::int[])`);

/** What is known of their channels begins anew should they be restored. */
export function clearAlarmStates(tx: Tx, serviceIds: readonly LockedService[], now: Date): void {
  tx.later(sql`
    update episode set ended_at = ${now}
    from alarm_state state where state.service_id = any(${serviceIds}::int[]) and episode.id = state.episode_id`);
  tx.later(sql`
    update alarm_state
    set severity = 'normal', severity_since = null, channel = null, band = null, value = null, limit_value = null,
      message = null, episode_id = null, stale_since = null,
      channel_ids = '{}', channel_at_ms = '{}', channel_values = '{}', channel_alarms = null
    where service_id = any(${serviceIds}::int[])`);
}

/** Programs that remember the services look them up again, and so does the clock: what is due may have changed. */
export const raiseConfigVersions = (tx: Tx, serviceIds: readonly ServiceId[]): void =>
  tx.later(sql`
    update alarm_state set config_version = config_version + 1, next_due_at = '-infinity'
    where service_id = any(${serviceIds}::int[])`);

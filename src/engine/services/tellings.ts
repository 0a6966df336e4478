// Whom services tell about what, for pages: one statement, which costs by the services that are shown.
import sql from 'sql-template-tag';
import type { Telling } from '../../domain/equipment/telling.ts';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';

export interface ServiceTelling extends Telling {
  serviceId: ServiceId;
  organizationId: OrganizationId;
}

const TELLING = sql`
  settings.service_id as "serviceId", settings.organization_id as "organizationId", chosen.name as "groupName",
  send_critical as "sendCritical", send_warning as "sendWarning", send_acknowledgements as "sendAcknowledgements",
  send_recoveries as "sendRecoveries", enable_system_notifications as "enableSystemNotifications"`;

export const selectTellings = (db: ReadDatabase, serviceIds: readonly ServiceId[]) =>
  db.query<ServiceTelling>(sql`
    select ${TELLING}
    from service_settings settings left join notification_group chosen on chosen.id = notification_group_id
    where settings.service_id = any(${serviceIds}::int[])`);

export interface AlarmTelling extends ServiceTelling {
  /** Of the alarm or stale period that holds now. */
  wasTold: boolean;
}

/** Looked up alarm by alarm, and only where settings tell nobody of something. */
export const selectAlarmTellings = (db: ReadDatabase, serviceIds: readonly ServiceId[]) =>
  db.query<AlarmTelling>(
    sql`
    select ${TELLING}, exists (
        select from notification
        where notification.service_id = settings.service_id and notification.episode_id = state.episode_id
          and notification.state = 'released' and mark is null)
      or state.severity = 'normal' and exists (
        select from notification
        where notification.service_id = settings.service_id and notification.state = 'released' and mark is null
          and stale_event_id = (
            select id from alarm_event
            where alarm_event.service_id = settings.service_id and alarm_event.kind = 'went_stale'
            order by id desc limit 1)) as "wasTold"
    from service_settings settings
    join alarm_state state on state.service_id = settings.service_id
    left join notification_group chosen on chosen.id = notification_group_id
    where settings.service_id = any(${serviceIds}::int[])
      and (notification_group_id is null or not (send_critical and send_warning and enable_system_notifications))`,
    'by_index',
  );

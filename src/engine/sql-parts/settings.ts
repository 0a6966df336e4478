// The columns of `service_settings`: whoever reads them, or makes a service, asks here.
import { raw, type Sql } from 'sql-template-tag';
import type { ServiceSettings } from '../../domain/equipment/service-settings.ts';

export const SETTINGS_COLUMNS: Record<keyof ServiceSettings, string> = {
  staleAfterMinutes: 'stale_after_minutes int',
  notificationGroupId: 'notification_group_id int',
  sendCritical: 'send_critical bool',
  sendWarning: 'send_warning bool',
  sendAcknowledgements: 'send_acknowledgements bool',
  sendRecoveries: 'send_recoveries bool',
  repeatIntervalMinutes: 'repeat_interval_minutes int',
  enableSystemNotifications: 'enable_system_notifications bool',
  systemNotificationDelayMinutes: 'system_notification_delay_minutes int',
};

const list = (write: (field: string, column: string, type: string) => string): Sql =>
  raw(
    Object.entries(SETTINGS_COLUMNS)
      .map(([field, definition]) => {
        const [column = '', type = ''] = definition.split(' ');
        return write(field, column, type);
      })
      .join(', '),
  );

/** As the domain's settings. */
export const SETTINGS = list((field, column) => `${column} as "${field}"`);

/** Settings that are handed to a statement as JSON: what they are, the columns they go to, and what is put there. */
export const GIVEN_SETTINGS = {
  definition: list((field, _column, type) => `"${field}" ${type}`),
  columns: list((_field, column) => column),
  values: list((field) => `"${field}"`),
};

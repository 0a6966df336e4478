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

type Write = (field: string, column: string, type: string) => string;

const list = (columns: Record<string, string>, write: Write): Sql =>
  raw(
    Object.entries(columns)
      .map(([field, definition]) => {
        const [column = '', type = ''] = definition.split(' ');
        return write(field, column, type);
      })
      .join(', '),
  );

/** As the domain's settings. */
export const SETTINGS = list(SETTINGS_COLUMNS, (field, column) => `${column} as "${field}"`);

/** What is handed to a statement as JSON: what it is, the columns it goes to, and what is put there. */
export const giveColumns = (columns: Record<string, string>) => ({
  definition: list(columns, (field, _column, type) => `"${field}" ${type}`),
  columns: list(columns, (_field, column) => column),
  values: list(columns, (field) => `"${field}"`),
});

export const GIVEN_SETTINGS = giveColumns(SETTINGS_COLUMNS);

import type { Static } from 'typebox';
import { formatInstant } from '../../domain/instant.ts';
import { describeAlarm } from './active-alarm.ts';
import type { AlarmRecord } from './queries.ts';
import type { ActiveAlarmEntry } from './schemas.ts';

type Entry = Omit<Static<typeof ActiveAlarmEntry>, 'can_operate'>;

/** The entry of the alarms list, up to whether the reader may operate: the same for all readers. */
export function writeEntry(record: AlarmRecord): string {
  const alarm = describeAlarm(record, { memberships: [] });
  const entry: Entry = {
    id: alarm.serviceId,
    service_id: alarm.serviceId,
    service_name: alarm.serviceName,
    channel: alarm.channel,
    channel_label: alarm.channelLabel,
    location_name: alarm.locationName,
    severity: alarm.severity,
    message: alarm.message,
    triggered_at: formatInstant(alarm.triggeredAt),
    acknowledged: alarm.acknowledgement !== null,
    acknowledged_by: alarm.acknowledgement?.by ?? null,
    acknowledged_at: alarm.acknowledgement && formatInstant(alarm.acknowledgement.at),
    is_stale: alarm.staleSince !== null,
    last_telemetry_time: alarm.lastTelemetryAt && formatInstant(alarm.lastTelemetryAt),
    stale_since: alarm.staleSince && formatInstant(alarm.staleSince),
  };
  return JSON.stringify(entry).slice(0, -1);
}

export const endEntry = (text: string, canOperate: boolean): string => `${text},"can_operate":${canOperate}}`;

// From an alarm to what its row shows.
import { type ShownTime, showTime } from '../../platform/html/time.tsx';
import type { ActiveAlarm } from './active-alarm.ts';

export interface AlarmRowModel {
  serviceId: number;
  serviceName: string;
  locationName: string | null;
  severity: ActiveAlarm['severity'];
  severityLabel: string;
  /** A value alarm whose service has also stopped reporting, and since when. */
  staleSince: ShownTime | null;
  message: string;
  since: ShownTime;
  acknowledgement: { label: string; at: ShownTime; comment: string | null } | null;
  canAcknowledge: boolean;
  canUnacknowledge: boolean;
}

const LABELS = { critical: 'Critical', warning: 'Warning', stale: 'Stale' };

export function toRow(alarm: ActiveAlarm, timeZone: string): AlarmRowModel {
  const { serviceId, serviceName, locationName, severity, message, staleSince, acknowledgement } = alarm;
  const isValueAlarm = severity !== 'stale';
  return {
    serviceId,
    serviceName,
    locationName,
    severity,
    severityLabel: LABELS[severity],
    staleSince: isValueAlarm && staleSince ? showTime(staleSince, timeZone) : null,
    message,
    since: showTime(alarm.triggeredAt, timeZone),
    acknowledgement: acknowledgement && {
      label: `Acknowledged at ${acknowledgement.severity.toLowerCase()} by ${acknowledgement.by}`,
      at: showTime(acknowledgement.at, timeZone),
      comment: acknowledgement.comment,
    },
    canAcknowledge: alarm.canOperate && isValueAlarm && !alarm.isAcknowledgedAtSeverity,
    canUnacknowledge: alarm.canOperate && acknowledgement !== null,
  };
}

import { organizationNameIn, type Requester, roleIn } from '../../domain/accounts/requester.ts';
import { canOperate } from '../../domain/accounts/role.ts';
import type { AccountId, OrganizationId, ServiceId } from '../../domain/ids.ts';
import { describeStale, type ToldChannel } from '../../domain/words/alarm-message.ts';
import type { AcknowledgedSeverity } from '../../engine/alarm-state/acknowledgements.ts';
import type { AlarmRecord } from './queries.ts';

export interface ActiveAlarm {
  serviceId: ServiceId;
  serviceName: string;
  organizationId: OrganizationId;
  /** null: the requester belongs to no other. */
  organizationName: string | null;
  channel: string | null;
  channelLabel: string | null;
  locationId: number | null;
  locationName: string | null;
  severity: 'critical' | 'warning' | 'stale';
  message: string;
  /** Whose value the message is about. */
  told: { channel: ToldChannel; value: number | null };
  /** The newest of the alarming channel. */
  value: { number: number; unit: string | null } | null;
  mute: { by: string; at: Date; reason: string | null } | null;
  triggeredAt: Date;
  /** The most recent active one, of any severity. */
  acknowledgement: { severity: AcknowledgedSeverity; by: string; at: Date; comment: string | null } | null;
  acknowledgedById: AccountId | null;
  isAcknowledgedAtSeverity: boolean;
  lastTelemetryAt: Date | null;
  staleSince: Date | null;
  canOperate: boolean;
}

/**
 * A value alarm beats staleness; a service that is only stale has no alarming channel. Field by field: objects made by
 * spreading come in many shapes, which costs more than all the rest of a long list.
 */
export function describeAlarm(record: AlarmRecord, requester: Pick<Requester, 'memberships'>): ActiveAlarm {
  const {
    serviceId,
    serviceName,
    organizationId,
    locationId,
    locationName,
    triggeredAt,
    lastTelemetryAt,
    staleSince,
  } = record;
  const isStaleOnly = record.severity === 'normal';
  return {
    serviceId,
    serviceName,
    organizationId,
    organizationName: organizationNameIn(requester, organizationId),
    channel: isStaleOnly ? null : record.channel,
    channelLabel: isStaleOnly ? null : record.channelLabel,
    locationId,
    locationName,
    severity: record.severity === 'normal' ? 'stale' : record.severity,
    message: isStaleOnly
      ? describeStale({ lastTelemetryAt, createdAt: record.serviceCreatedAt })
      : (record.message ?? ''),
    told: { channel: isStaleOnly ? null : findChannel(record), value: record.alarmValue },
    value: isStaleOnly || record.value === null ? null : { number: record.value, unit: record.unit },
    mute: findMute(record),
    triggeredAt,
    acknowledgement: findAcknowledgement(record),
    acknowledgedById: record.acknowledgedById,
    isAcknowledgedAtSeverity: record.isAcknowledgedAtSeverity,
    lastTelemetryAt,
    staleSince,
    canOperate: canOperate(roleIn(requester, record.organizationId)),
  };
}

function findChannel({
  channel: name,
  channelLabel: label,
  channelKind: kind,
  offWord,
  onWord,
}: AlarmRecord): ToldChannel {
  return name !== null && kind ? { name, label, kind, offWord, onWord } : null;
}

const findMute = ({ mutedBy: by, mutedAt: at, muteReason: reason }: AlarmRecord): ActiveAlarm['mute'] =>
  by !== null && at ? { by, at, reason } : null;

function findAcknowledgement(record: AlarmRecord): ActiveAlarm['acknowledgement'] {
  const { acknowledgedSeverity: severity, acknowledgedBy: by, acknowledgedAt: at, comment } = record;
  return severity && by !== null && at ? { severity, by, at, comment } : null;
}

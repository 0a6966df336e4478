// From an alarm to what its row shows.
import { sayToPeople } from '../../domain/words/alarm-message.ts';
import { listPlace, nameWithPlace } from '../../domain/words/place.ts';
import { sayValue } from '../../domain/words/say-value.ts';
import { findStateWords } from '../../domain/words/state-words.ts';
import type { UntoldModel } from '../../engine/pages/untold.tsx';
import {
  type Reader,
  type ShownText,
  type ShownTime,
  showText,
  showTime,
} from '../../platform/html/time.tsx';
import type { ActiveAlarm } from './active-alarm.ts';

export interface AlarmRowModel {
  serviceId: number;
  serviceName: string;
  /** Name and place in one line, for who cannot see the row. */
  fullName: string;
  place: string[];
  severity: ActiveAlarm['severity'];
  severityLabel: string;
  /** The newest value with its unit. */
  value: string | null;
  /** A value alarm whose service has also stopped reporting, and since when. */
  staleSince: ShownTime | null;
  message: ShownText;
  since: ShownTime;
  lastedMs: number;
  acknowledgement: { label: string; at: ShownTime; comment: string | null } | null;
  mute: { by: string; at: ShownTime; reason: string | null } | null;
  /** Nobody is told of it, and why. */
  untold: UntoldModel | null;
  /** Critical, and nobody has taken it on yet. */
  isUnheard: boolean;
  canOperate: boolean;
  canAcknowledge: boolean;
  canUnacknowledge: boolean;
}

const LABELS = { critical: 'Critical', warning: 'Warning', stale: 'Stale' };

export function toRow(alarm: ActiveAlarm, reader: Reader, untold: UntoldModel | null): AlarmRowModel {
  const { serviceId, serviceName, severity, message, told, staleSince, acknowledgement, mute } = alarm;
  const isValueAlarm = severity !== 'stale';
  return {
    serviceId,
    serviceName,
    fullName: nameWithPlace(serviceName, alarm),
    place: listPlace(alarm),
    severity,
    severityLabel: LABELS[severity],
    value: showValue(alarm),
    staleSince: isValueAlarm && staleSince ? showTime(staleSince, reader) : null,
    message: showText(sayToPeople(message, told.channel, told.value), reader),
    since: showTime(alarm.triggeredAt, reader),
    lastedMs: reader.now.getTime() - alarm.triggeredAt.getTime(),
    acknowledgement: acknowledgement && {
      label: `Acknowledged at ${acknowledgement.severity.toLowerCase()} by ${acknowledgement.by}`,
      at: showTime(acknowledgement.at, reader),
      comment: acknowledgement.comment,
    },
    mute: mute && { ...mute, at: showTime(mute.at, reader) },
    untold,
    isUnheard: severity === 'critical' && !alarm.isAcknowledgedAtSeverity,
    canOperate: alarm.canOperate,
    canAcknowledge: alarm.canOperate && isValueAlarm && !alarm.isAcknowledgedAtSeverity,
    canUnacknowledge: alarm.canOperate && acknowledgement !== null,
  };
}

const showValue = ({ value, told: { channel } }: ActiveAlarm): string | null =>
  value && sayValue(value.number, { unit: value.unit, words: channel && findStateWords(channel) });

import {
  findMissing,
  MISSING_WORDS,
  type Missing,
  type Watching,
} from '../../../domain/equipment/watching.ts';
import type { Severity } from '../../../domain/judging/severity.ts';
import { message } from '../../../domain/language/message.ts';
import type { Language } from '../../../domain/language/speak.ts';

export const SERVICE_STATES = {
  // For translators: how a piece of equipment stands, beside its name
  critical: message('Critical'),
  warning: message('Warning'),
  // For translators: no readings have come for too long
  stale: message('Stale'),
  normal: message('Normal'),
  unwatched: message('Not watched yet'),
  acknowledged: message('Acknowledged'),
  muted: message('Muted'),
  downtime: message('In downtime'),
} as const;

export interface ServiceState {
  severity: 'critical' | 'warning' | 'stale' | 'normal' | 'unwatched';
  /** What stands beside it. */
  marks: ('stale' | 'acknowledged' | 'muted' | 'downtime')[];
  /** What has to be there before it can raise an alarm. */
  missing: Missing[];
}

interface StoredState extends Watching {
  severity: Severity;
  staleSince: Date | null;
  isMuted: boolean;
  isInDowntime: boolean;
  isAcknowledged: boolean;
}

/** A value alarm beats staleness, which then stands beside it. */
export function toState({
  severity,
  staleSince,
  isMuted,
  isInDowntime,
  isAcknowledged,
  ...watching
}: StoredState): ServiceState {
  const missing = findMissing(watching);
  const calm = missing.length > 0 ? 'unwatched' : 'normal';
  const shown = severity !== 'normal' ? severity : staleSince ? 'stale' : calm;
  const marks = [
    severity !== 'normal' && staleSince && 'stale',
    isAcknowledged && 'acknowledged',
    isMuted && 'muted',
    isInDowntime && 'downtime',
  ] as const;
  return {
    severity: shown,
    marks: marks.filter((mark) => typeof mark === 'string'),
    missing,
  };
}

export const sayMissing = (missing: readonly Missing[], { say }: Language): string =>
  missing.map((one) => say(MISSING_WORDS[one])).join(', ');

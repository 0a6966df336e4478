import {
  findMissing,
  MISSING_WORDS,
  type Missing,
  type Watching,
} from '../../../domain/equipment/watching.ts';
import type { Severity } from '../../../domain/judging/severity.ts';

export interface ServiceState {
  severity: 'critical' | 'warning' | 'stale' | 'normal' | 'unwatched';
  label: string;
  /** What stands beside it. */
  marks: string[];
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

const LABELS = {
  critical: 'Critical',
  warning: 'Warning',
  stale: 'Stale',
  normal: 'Normal',
  unwatched: 'Not watched yet',
};

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
    severity !== 'normal' && staleSince && 'Stale',
    isAcknowledged && 'Acknowledged',
    isMuted && 'Muted',
    isInDowntime && 'In downtime',
  ];
  return {
    severity: shown,
    label: LABELS[shown],
    marks: marks.filter((mark) => typeof mark === 'string'),
    missing,
  };
}

export const sayMissing = (missing: readonly Missing[]): string =>
  missing.map((one) => MISSING_WORDS[one]).join(', ');

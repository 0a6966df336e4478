import type { Severity } from '../../../domain/judging/severity.ts';

export interface ServiceState {
  severity: 'critical' | 'warning' | 'stale' | 'normal';
  label: string;
  /** What stands beside it. */
  marks: string[];
}

interface StoredState {
  severity: Severity;
  staleSince: Date | null;
  isMuted: boolean;
  isInDowntime: boolean;
  isAcknowledged: boolean;
}

const LABELS = { critical: 'Critical', warning: 'Warning', stale: 'Stale', normal: 'Normal' };

/** A value alarm beats staleness, which then stands beside it. */
export function toState({
  severity,
  staleSince,
  isMuted,
  isInDowntime,
  isAcknowledged,
}: StoredState): ServiceState {
  const shown = severity === 'normal' && staleSince ? 'stale' : severity;
  const marks = [
    severity !== 'normal' && staleSince && 'Stale',
    isAcknowledged && 'Acknowledged',
    isMuted && 'Muted',
    isInDowntime && 'In downtime',
  ];
  return { severity: shown, label: LABELS[shown], marks: marks.filter((mark) => typeof mark === 'string') };
}

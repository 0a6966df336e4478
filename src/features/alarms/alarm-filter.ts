// Which of the alarms the page shows, as its address says it.
import { readPageId } from '../../engine/pages/page-routes.ts';
import type { ActiveAlarm } from './active-alarm.ts';

export const SEVERITIES = ['critical', 'warning', 'stale'] as const;
export type Severity = (typeof SEVERITIES)[number];

export interface AlarmFilter {
  organizationId: number | null;
  locationId: number | null;
  severity: Severity | null;
  /** Those that the reader has taken on, or is asked to. */
  isMine: boolean;
}

export const NO_FILTER: AlarmFilter = {
  organizationId: null,
  locationId: null,
  severity: null,
  isMine: false,
};

/** What means nothing counts as not given: an old link still shows alarms. */
export const readAlarmFilter = (query: Record<string, string | undefined>): AlarmFilter => ({
  organizationId: readPageId(query.organization),
  locationId: readPageId(query.location),
  severity: SEVERITIES.find((one) => one === query.severity) ?? null,
  isMine: query.mine === 'yes',
});

export const isFiltered = ({ organizationId, locationId, severity, isMine }: AlarmFilter): boolean =>
  organizationId !== null || locationId !== null || severity !== null || isMine;

export function writeAlarmFilter({ organizationId, locationId, severity, isMine }: AlarmFilter): string {
  const words = new URLSearchParams();
  if (organizationId !== null) words.set('organization', String(organizationId));
  if (locationId !== null) words.set('location', String(locationId));
  if (severity !== null) words.set('severity', severity);
  if (isMine) words.set('mine', 'yes');
  return words.size === 0 ? '/' : `/?${words}`;
}

type Filtered = Pick<
  ActiveAlarm,
  'serviceId' | 'organizationId' | 'locationId' | 'severity' | 'acknowledgedById'
>;

/** Of any severity: what is counted beside the alarms. */
export const isWithin = (
  alarm: Filtered,
  { organizationId, locationId, isMine }: AlarmFilter,
  reader: { accountId: number; offered: ReadonlySet<number> },
): boolean =>
  (organizationId === null || alarm.organizationId === organizationId) &&
  (locationId === null || alarm.locationId === locationId) &&
  (!isMine || alarm.acknowledgedById === reader.accountId || reader.offered.has(alarm.serviceId));

export const isOfSeverity = (alarm: Pick<ActiveAlarm, 'severity'>, { severity }: AlarmFilter): boolean =>
  severity === null || alarm.severity === severity;

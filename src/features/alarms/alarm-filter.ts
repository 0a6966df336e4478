// Which of the alarms the page shows, as its address says it.
import { readPageId } from '../../engine/pages/page-routes.ts';
import {
  ANY_PLACE,
  isAnyPlace,
  isAtPlace,
  readWantedPlace,
  type WantedPlace,
  writeWantedPlace,
} from '../../engine/pages/wanted-place.ts';
import type { ActiveAlarm } from './active-alarm.ts';

export const SEVERITIES = ['critical', 'warning', 'stale'] as const;
export type Severity = (typeof SEVERITIES)[number];

export interface AlarmFilter extends WantedPlace {
  organizationId: number | null;
  severity: Severity | null;
  /** Those that the reader has taken on, or is asked to. */
  isMine: boolean;
}

export const NO_FILTER: AlarmFilter = {
  ...ANY_PLACE,
  organizationId: null,
  severity: null,
  isMine: false,
};

/** What means nothing counts as not given: an old link still shows alarms. */
export const readAlarmFilter = (query: Record<string, string | undefined>): AlarmFilter => ({
  organizationId: readPageId(query.organization),
  ...readWantedPlace(query.location),
  severity: SEVERITIES.find((one) => one === query.severity) ?? null,
  isMine: query.mine === 'yes',
});

export const isFiltered = ({ organizationId, severity, isMine, ...place }: AlarmFilter): boolean =>
  organizationId !== null || !isAnyPlace(place) || severity !== null || isMine;

export function writeAlarmFilter({ organizationId, severity, isMine, ...place }: AlarmFilter): string {
  const words = new URLSearchParams();
  const location = writeWantedPlace(place);
  if (organizationId !== null) words.set('organization', String(organizationId));
  if (location !== null) words.set('location', location);
  if (severity !== null) words.set('severity', severity);
  if (isMine) words.set('mine', 'yes');
  return words.size === 0 ? '/' : `/?${words}`;
}

type Filtered = Pick<
  ActiveAlarm,
  'serviceId' | 'organizationId' | 'locationId' | 'locationName' | 'severity' | 'acknowledgedById'
>;

/** Of any severity: what is counted beside the alarms. */
export const isWithin = (
  alarm: Filtered,
  { organizationId, isMine, ...place }: AlarmFilter,
  reader: { accountId: number; offered: ReadonlySet<number> },
): boolean =>
  (organizationId === null || alarm.organizationId === organizationId) &&
  isAtPlace(alarm, place) &&
  (!isMine || alarm.acknowledgedById === reader.accountId || reader.offered.has(alarm.serviceId));

export const isOfSeverity = (alarm: Pick<ActiveAlarm, 'severity'>, { severity }: AlarmFilter): boolean =>
  severity === null || alarm.severity === severity;

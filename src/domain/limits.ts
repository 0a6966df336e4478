import type { Band, BandName } from './band.ts';

/** What is in force for one channel; channel null means service-wide. */
export interface Limits {
  channel: string | null;
  isPercentage: boolean;
  setpointChannel: string | null;
  stateChannel: string | null;
  bands: Band[];
}

type LimitsFault =
  | 'Critical high must be strictly greater than warning high'
  | 'Critical low must be strictly less than warning low'
  | 'All low thresholds must be strictly less than all high thresholds'
  | 'For percentage mode, critical high deviation must be strictly greater than warning high deviation'
  | 'For percentage mode, critical low deviation must be strictly less than warning low deviation';

/** Contract, edit-service validation: only pairs where both limits are given are compared, in the table's order. */
export function findLimitsFault(limits: Pick<Limits, 'isPercentage' | 'bands'>): LimitsFault | null {
  const limitOf = (name: BandName) => limits.bands.find((band) => band.band === name)?.limit ?? null;
  const inOrder = (low: number | null, high: number | null) => low === null || high === null || low < high;
  const criticalHigh = limitOf('CRITICAL_HIGH');
  const criticalLow = limitOf('CRITICAL_LOW');
  const warningHigh = limitOf('WARNING_HIGH');
  const warningLow = limitOf('WARNING_LOW');

  if (!inOrder(warningHigh, criticalHigh)) {
    return limits.isPercentage
      ? 'For percentage mode, critical high deviation must be strictly greater than warning high deviation'
      : 'Critical high must be strictly greater than warning high';
  }
  if (!inOrder(criticalLow, warningLow)) {
    return limits.isPercentage
      ? 'For percentage mode, critical low deviation must be strictly less than warning low deviation'
      : 'Critical low must be strictly less than warning low';
  }
  if (limits.isPercentage) return null;
  const crossed = [criticalLow, warningLow].some((low) =>
    [criticalHigh, warningHigh].some((high) => !inOrder(low, high)),
  );
  return crossed ? 'All low thresholds must be strictly less than all high thresholds' : null;
}

/** True when both say the same, whatever the order of their bands. */
export function areSameLimits(one: Limits, other: Limits): boolean {
  const inOrder = (limits: Limits) => ({
    ...limits,
    bands: limits.bands.toSorted((a, b) => a.band.localeCompare(b.band)),
  });
  return JSON.stringify(inOrder(one)) === JSON.stringify(inOrder(other));
}

import { unlessBlank } from '../blank.ts';
import { type Changes, findChanges } from '../changes.ts';
import { message } from '../language/message.ts';
import { BANDS, type Band, type BandName, severityOfBand } from './band.ts';

/** What is in force for one channel; channel null means service-wide. */
export interface Limits {
  channel: string | null;
  isPercentage: boolean;
  setpointChannel: string | null;
  stateChannel: string | null;
  bands: Band[];
}

export const noLimits = (channel: string | null): Limits => ({
  channel,
  isPercentage: false,
  setpointChannel: null,
  stateChannel: null,
  bands: [],
});

/** A channel is judged by its own limits if it has any version, else, if it is a metric, by the service-wide ones. */
export function findLimitsFor<Own extends Pick<Limits, 'channel'>>(
  inForce: readonly Own[],
  { name, kind }: { name: string; kind: string },
): Own | null {
  const limitsOf = (channel: string | null) => inForce.find((limits) => limits.channel === channel) ?? null;
  return limitsOf(name) ?? (kind === 'metric' ? limitsOf(null) : null);
}

/**
 * How soon an alarm of that severity is told at the earliest, by the bands that any of its channels may breach. Where none
 * has reported yet, the service-wide limits will judge those that come.
 */
export function findShortestDelay(
  inForce: readonly Pick<Limits, 'channel' | 'bands'>[],
  channels: readonly { name: string; kind: string }[],
  severity: 'critical' | 'warning',
): number {
  const isUsed = (limits: Pick<Limits, 'channel'>) =>
    limits.channel !== null ||
    channels.every(({ kind }) => kind !== 'metric') ||
    channels.some((channel) => findLimitsFor(inForce, channel) === limits);
  const delays = inForce
    .filter(isUsed)
    .flatMap(({ bands }) => bands)
    .filter(({ band, limit }) => limit !== null && severityOfBand(band) === severity)
    .map(({ delayMinutes }) => delayMinutes);
  return delays.length === 0 ? 0 : Math.min(...delays);
}

/** Contract, Service settings: empty or `default` means service-wide limits. */
export const readChannel = (sent: string | undefined): string | null =>
  sent === 'default' ? null : unlessBlank(sent);

/** As forms, files and records name it. */
export const nameChannel = (channel: string | null): string => channel ?? 'default';

export const LIMITS_FAULTS = [
  message('Critical high must be strictly greater than warning high'),
  message('Critical low must be strictly less than warning low'),
  message('All low thresholds must be strictly less than all high thresholds'),
  message(
    'For percentage mode, critical high deviation must be strictly greater than warning high deviation',
  ),
  message('For percentage mode, critical low deviation must be strictly less than warning low deviation'),
] as const;
export type LimitsFault = (typeof LIMITS_FAULTS)[number];

/** Contract, Edit messages: only pairs where both limits are given are compared, in the table's order. */
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

/** What changed from one version to the next, by the contract's names. The first one changes what was not there. */
export const findLimitsChanges = (before: Limits | null, after: Limits): Changes =>
  findChanges(listParts(before ?? noLimits(after.channel)), listParts(after));

const listParts = ({ isPercentage, setpointChannel, stateChannel, bands }: Omit<Limits, 'channel'>) => ({
  is_percentage: isPercentage,
  setpoint_channel: setpointChannel,
  state_channel: stateChannel,
  ...Object.fromEntries(BANDS.map((name) => [name, writeBand(bands.find(({ band }) => band === name))])),
});

const writeBand = (band: Band | undefined) =>
  band ? { limit: band.limit, delay: band.delayMinutes, sustained: band.sustainedMinutes } : null;

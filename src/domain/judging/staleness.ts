import type { Instant } from '../instant.ts';
import type { ChannelState } from './judge.ts';

const MINUTE_MS = 60_000;

interface Freshness {
  createdAt: Instant;
  staleAfterMinutes: number;
  /** Sent from the service; while there is one, twice the interval applies. Of several devices, the shortest. */
  uplinkIntervalMinutes: number | null;
}

export interface ReportingDevice {
  id: number;
  uplinkIntervalMinutes: number | null;
}

export const findShortestInterval = (devices: readonly ReportingDevice[]): number | null =>
  pickInterval(devices, Math.min);

const pickInterval = (devices: readonly ReportingDevice[], pick: (...minutes: number[]) => number) => {
  const known = devices.flatMap(({ uplinkIntervalMinutes }) => uplinkIntervalMinutes ?? []);
  return known.length > 0 ? pick(...known) : null;
};

/** How long one channel may be silent, by the device that says it; nobody knows which: by the slowest. */
export function findChannelSpan(
  service: Omit<Freshness, 'createdAt'> & { devices: readonly ReportingDevice[] },
  deviceId: number | null,
): number | null {
  const { devices, staleAfterMinutes } = service;
  if (devices.length < 2) return findStaleSpan(service);
  const own = devices.find(({ id }) => id === deviceId);
  const uplinkIntervalMinutes = own ? own.uplinkIntervalMinutes : pickInterval(devices, Math.max);
  return findStaleSpan({ staleAfterMinutes, uplinkIntervalMinutes });
}

/** When the data goes stale if nothing comes any more; null when it never does. A service that never reported counts from its creation. */
export function findStaleAt(freshness: Freshness, lastTelemetryAt: Instant | null): Instant | null {
  const spanMs = findStaleSpan(freshness);
  return spanMs === null ? null : (lastTelemetryAt ?? freshness.createdAt) + spanMs;
}

/** null: never. */
export function findStaleSpan({
  staleAfterMinutes,
  uplinkIntervalMinutes,
}: Omit<Freshness, 'createdAt'>): number | null {
  const minutes = uplinkIntervalMinutes === null ? staleAfterMinutes : 2 * uplinkIntervalMinutes;
  // Contract, Judging: 0 switches off the setting, not the rule of twice the interval.
  return minutes === 0 ? null : minutes * MINUTE_MS;
}

/** The newest judged reading of any channel; null when there is none. */
export function findLastTelemetry(channels: ReadonlyMap<string, ChannelState>): Instant | null {
  let last: Instant | null = null;
  for (const { at } of channels.values()) if (at !== null && (last === null || at > last)) last = at;
  return last;
}

import {
  type ChannelState,
  type Instant,
  isBreached,
  type JudgedLimits,
  type Moment,
} from '../domain/judge.ts';
import { findStaleAt } from '../domain/staleness.ts';
import type { ChannelWrite, StoredAlarm } from './alarm-store.ts';
import type { Assessment } from './assessment.ts';
import type { ServiceConfig } from './service-config.ts';

/**
 * The short way for what nearly all readings are: a quiet service, values within absolute limits, fresh data. Says the
 * same as the long way, or null when that has to be taken.
 */
export function assessQuietly(
  config: ServiceConfig,
  stored: StoredAlarm,
  channels: ReadonlyMap<string, ChannelState>,
  moments: readonly Moment[],
  now: Instant,
): Assessment | null {
  if (stored.severity !== 'normal' || stored.staleSince !== null || moments.length === 0) return null;
  // A percentage depends on other channels as well.
  for (const limits of config.limits.values()) if (limits.isPercentage) return null;
  let lastTelemetryAt = 0;
  for (const state of channels.values()) {
    if (!isQuiet(state)) return null;
    if (state.at !== null && state.at > lastTelemetryAt) lastTelemetryAt = state.at;
  }
  const writes: ChannelWrite[] = [];
  for (const { at, values } of moments) {
    if (at > lastTelemetryAt) lastTelemetryAt = at;
    for (const [name, value] of values) {
      const channel = config.channels.get(name);
      const earlier = channels.get(name);
      if (!channel || !earlier || !isWithin(config.limits.get(name), value)) return null;
      const state = {
        at,
        value,
        breaches: earlier.breaches,
        severity: earlier.severity,
        since: null,
        band: null,
      };
      writes.push({ serviceId: config.serviceId, channelId: channel.id, state, isPlain: true });
    }
  }
  const staleAt = findStaleAt(config, lastTelemetryAt);
  if (staleAt !== null && staleAt <= now) return null;
  return {
    channels: moments.length === 1 ? writes : keepLast(writes),
    alarm: null,
    nextDueAt: staleAt,
    events: [],
  };
}

/** Of several values of a channel only the last one stays. */
const keepLast = (writes: ChannelWrite[]): ChannelWrite[] => [
  ...new Map(writes.map((write) => [write.channelId, write])).values(),
];

const isWithin = (limits: JudgedLimits | undefined, value: number): boolean =>
  limits === undefined || !limits.bands.some((band) => isBreached(band, value));

export function isQuiet({ severity, breaches }: ChannelState): boolean {
  for (const _ in breaches) return false;
  return severity === 'normal';
}

import { type Instant, isBreached, isQuiet, type JudgedLimits, type Moment } from '../domain/judge.ts';
import { findLastTelemetry, findStaleAt } from '../domain/staleness.ts';
import type { Assessment } from './assessment.ts';
import type { WatchedService } from './watched-service.ts';

/**
 * The short way for what nearly all readings are: a quiet service, values within absolute limits, fresh data. Says the
 * same as the long way, or null when that has to be taken.
 */
export function assessQuietly(
  watched: WatchedService,
  moments: readonly Moment[],
  now: Instant,
): Assessment | null {
  const { config, alarm, channels: before } = watched;
  if (alarm.severity !== 'normal' || alarm.staleSince !== null || moments.length === 0) return null;
  // A percentage depends on other channels as well.
  for (const limits of config.limits.values()) if (limits.isPercentage) return null;
  for (const state of before.values()) if (!isQuiet(state)) return null;
  let lastTelemetryAt = findLastTelemetry(before);
  for (const { at, values } of moments) {
    if (lastTelemetryAt === null || at > lastTelemetryAt) lastTelemetryAt = at;
    for (const [name, value] of values)
      if (!before.has(name) || !isWithin(config.limits.get(name), value)) return null;
  }
  const staleAt = findStaleAt(config, lastTelemetryAt);
  if (staleAt !== null && staleAt <= now) return null;
  const nextDueAt = staleAt ?? Number.POSITIVE_INFINITY;
  return { watched, rowVersion: alarm.rowVersion, moved: { moments }, alarm: null, nextDueAt, events: NONE };
}

const NONE: Assessment['events'] = [];

const isWithin = (limits: JudgedLimits | undefined, value: number): boolean =>
  limits === undefined || !limits.bands.some((band) => isBreached(band, value));

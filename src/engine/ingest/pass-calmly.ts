// What nearly all readings are: a quiet service gets newer values of channels it knows, within absolute limits. They
// change times and values and nothing else, which is seen here without judging anything.

import type { Instant } from '../../domain/instant.ts';
import { isHigh } from '../../domain/judging/band.ts';
import { isAhead } from '../../domain/judging/clock-set-back.ts';
import { isQuiet, type JudgedLimits } from '../../domain/judging/judge.ts';
import { isCelsius, mayBeFaultValue } from '../../domain/judging/probe-fault.ts';
import { findStaleAt } from '../../domain/judging/staleness.ts';
import type { Assessment } from '../alarm-state/assessment.ts';
import { findSpanOf, type ServiceConfig } from '../alarm-state/service-config.ts';
import type { CalmChannel, WatchedService } from '../alarm-state/watched-service.ts';
import type { ReadingColumns } from '../journal/inbox.ts';
import { saysUnit } from './sent-units.ts';
import type { Parcel, PostAnswer } from './sort-readings.ts';

/** Says the same as the long way, or null when that has to be taken. */
export function passCalmly({ watched, entries }: Parcel, now: Instant): Assessment | null {
  if (watched.calm === undefined) watched.calm = findCalm(watched);
  const { calm, config, alarm } = watched;
  if (calm === null) return null;
  const ats = calm.map(({ state }) => state.at);
  const values = calm.map(({ state }) => state.value);
  const knownUntil = alarm.aheadUntil ?? Number.NEGATIVE_INFINITY;
  for (const { entry } of entries) {
    if (entry.at > now || entry.at <= knownUntil || entry.faults) return null;
    for (const [name, value] of entry.values) {
      const index = findIndex(calm, name);
      const channel = calm[index];
      const lastAt = ats[index] ?? Number.NEGATIVE_INFINITY;
      if (!channel || entry.at <= lastAt || value < channel.low || value > channel.high) return null;
      if (channel.isCelsius && mayBeFaultValue(value)) return null;
      if (entry.units && saysUnit(config, entry, name)) return null;
      ats[index] = entry.at;
      values[index] = value;
    }
  }
  const newest = findNewest(ats);
  if (isAhead(newest, now)) return null;
  const dueAt = findDueAt(config, calm, ats, newest);
  if (dueAt !== null && dueAt <= now) return null;
  // It may be due before it need be, never after.
  const isDueEarlier = (dueAt ?? Number.POSITIVE_INFINITY) < (alarm.nextDueAt ?? Number.POSITIVE_INFINITY);
  const nextDueAt = isDueEarlier ? dueAt : null;
  return { watched, moved: { calm, ats, values }, alarm: null, nextDueAt, events: NONE };
}

const NONE: Assessment['events'] = [];

/** When it goes stale, or a channel of it falls silent before that. */
function findDueAt(
  config: ServiceConfig,
  calm: readonly CalmChannel[],
  ats: readonly (Instant | null)[],
  newest: Instant | null,
): Instant | null {
  let dueAt = findStaleAt(config, newest);
  for (let index = 0; index < calm.length; index += 1) {
    const at = ats[index] ?? null;
    const spanMs = calm[index]?.listenedMs ?? null;
    if (spanMs !== null && at !== null) dueAt = Math.min(dueAt ?? at + spanMs, at + spanMs);
  }
  return dueAt;
}

/** For a parcel that passes calmly: all its values are new. */
export function takeAll(
  { watched: { config, calm }, entries }: Parcel,
  fresh: ReadingColumns,
  answers: readonly PostAnswer[],
): void {
  for (const { post, entry } of entries) {
    for (const [name, value] of entry.values) {
      const channel = calm?.[findIndex(calm, name)];
      if (!channel) throw new Error(`Service ${config.serviceId} has no channel ${name}`);
      fresh.serviceIds.push(config.serviceId);
      fresh.channelIds.push(channel.id);
      fresh.ats.push(entry.at);
      fresh.values.push(value);
    }
    const answer = answers[post];
    if (answer) answer.accepted += entry.values.length;
  }
}

/** A loop of its own: services have few channels, and this is asked for every reading. */
function findIndex(calm: readonly CalmChannel[], name: string): number {
  for (let index = 0; index < calm.length; index += 1) if (calm[index]?.name === name) return index;
  return -1;
}

function findNewest(ats: readonly (Instant | null)[]): Instant | null {
  let newest: Instant | null = null;
  for (const at of ats) if (at !== null && (newest === null || at > newest)) newest = at;
  return newest;
}

function findCalm({ config, alarm, channels }: WatchedService): CalmChannel[] | null {
  if (alarm.severity !== 'normal' || alarm.staleSince !== null) return null;
  // A percentage depends on other channels as well.
  for (const limits of config.limits.values()) if (limits.isPercentage) return null;
  const calm: CalmChannel[] = [];
  for (const [name, state] of channels) {
    const channel = config.channels.get(name);
    if (!channel || !isQuiet(state)) return null;
    // Whoever says it next has it for its own.
    if (config.devices.length > 1 && channel.deviceId === null) return null;
    // The next good value says that its probe measures again.
    if (channel.faultOf !== null && state.value === 1) return null;
    const limits = config.limits.get(name);
    const { low, high } = findRange(limits);
    const isListenedTo = channel.kind === 'metric' && (limits?.bands.length ?? 0) > 0;
    const listenedMs = isListenedTo ? findSpanOf(config, name) : null;
    calm.push({ name, id: channel.id, low, high, isCelsius: isCelsius(channel.unit), listenedMs, state });
  }
  return calm;
}

/** From the lowest to the highest value that breaches nothing. */
function findRange(limits: JudgedLimits | undefined): { low: number; high: number } {
  let low = Number.NEGATIVE_INFINITY;
  let high = Number.POSITIVE_INFINITY;
  for (const { band, limit } of limits?.bands ?? []) {
    if (isHigh(band)) high = Math.min(high, limit);
    else low = Math.max(low, limit);
  }
  return { low, high };
}

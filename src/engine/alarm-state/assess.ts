// One service meets its new readings and the passing of time: rows go in, the rows to write come out. Decides nothing
// itself; the judging is domain/judging/judge.ts and domain/judging/staleness.ts.

import type { Instant } from '../../domain/instant.ts';
import type { BandName } from '../../domain/judging/band.ts';
import { setBack, setBackChannels } from '../../domain/judging/clock-set-back.ts';
import {
  type ChannelState,
  findNextDue,
  type JudgedService,
  type Judgement,
  judge,
  measure,
  rejudge,
  type SeverityChange,
} from '../../domain/judging/judge.ts';
import type { Measurement } from '../../domain/judging/measurement.ts';
import { findSilent } from '../../domain/judging/probe-fault.ts';
import { findLastTelemetry, findStaleAt } from '../../domain/judging/staleness.ts';
import type { AlarmEvent } from '../../domain/notifications/alarm-event.ts';
import { describeValueAlarm } from '../../domain/words/alarm-message.ts';
import { describeProbeFault } from '../../domain/words/probe-words.ts';
import type { AlarmWrite, Assessment } from './assessment.ts';
import { listen, type ServiceConfig } from './service-config.ts';
import type { StoredAlarm, WatchedService } from './watched-service.ts';

export const assess = (
  watched: WatchedService,
  measurements: readonly Measurement[],
  now: Instant,
): Assessment => conclude(watched, judge(toJudge(watched, now), measurements, now), now);

/** After new limits: the same, from what the stored readings make of the channels. */
export const assessAgain = (
  watched: WatchedService,
  replayed: ReadonlyMap<string, ChannelState>,
  now: Instant,
): Assessment =>
  conclude(watched, rejudge(toJudge(watched, now), setBackChannels(replayed, now), now), now, true);

function toJudge({ config, channels, alarm }: WatchedService, now: Instant): JudgedService {
  const verdict = { severity: alarm.severity, since: alarm.severitySince, channel: alarm.channel };
  return setBack({ limits: config.limits, channels, verdict }, now);
}

function conclude(
  watched: WatchedService,
  judged: Judgement,
  now: Instant,
  hasNewLimits = false,
): Assessment {
  const { config, alarm: stored } = watched;
  const events = judged.changes.map((change) => toEvent(config, change));

  const staleBefore = stored.staleSince;
  const staleAt = findStaleAt(config, findLastTelemetry(judged.channels));
  const staleSince = staleAt !== null && staleAt <= now ? staleAt : null;
  const { severity } = judged.verdict;
  if (staleBefore === null && staleSince !== null)
    events.push(staleEvent(config, 'stale', severity, staleSince));
  if (staleBefore !== null && staleSince === null) events.push(staleEvent(config, 'back', severity, now));

  const activatesAt = findNextDue(config.limits, judged.channels) ?? NEVER;
  const goesStaleAt = (staleSince === null ? staleAt : null) ?? NEVER;
  const { silent, nextAt } = findSilent(listen(config, judged.channels), now);
  const fallsSilentAt = (silent.length > 0 ? now : nextAt) ?? NEVER;
  const isChanged =
    judged.changes.length > 0 ||
    (hasNewLimits && severity !== 'normal') ||
    judged.verdict.channel !== stored.channel ||
    judged.verdict.since !== stored.severitySince ||
    staleSince !== staleBefore;

  return {
    watched,
    moved: { channels: judged.channels },
    alarm: isChanged ? writeAlarm(config, stored, judged.verdict, judged.channels, staleSince) : null,
    nextDueAt: Math.min(activatesAt, goesStaleAt, fallsSilentAt),
    events,
  };
}

const NEVER = Number.POSITIVE_INFINITY;

/** What is shown: the channel that made it so, by how much, and in words. */
function describe(
  config: ServiceConfig,
  name: string,
  shown: { band: BandName | null; measured: number | null; limit: number | null },
): string | null {
  const { band, measured, limit } = shown;
  if (band === null || measured === null || limit === null) return null;
  const channel = config.channels.get(name);
  const isPercentage = config.limits.get(name)?.isPercentage ?? false;
  const { label = null, unit = null } = channel ?? {};
  if (channel?.faultOf) return describeProbeFault(label ?? name);
  return describeValueAlarm({ channel: name, label, unit, value: measured, band, limit, isPercentage });
}

function findShown(config: ServiceConfig, channels: ReadonlyMap<string, ChannelState>, name: string | null) {
  const state = name === null ? undefined : channels.get(name);
  const limits = name === null ? undefined : config.limits.get(name);
  if (name === null || !state || !limits) return { band: null, value: null, limit: null, message: null };
  const measured = measure(channels, name, limits);
  const limit = limits.bands.find(({ band }) => band === state.band)?.limit ?? null;
  const shown = { band: state.band, measured: 'value' in measured ? measured.value : state.value, limit };
  return { band: state.band, value: state.value, limit, message: describe(config, name, shown) };
}

function writeAlarm(
  config: ServiceConfig,
  stored: StoredAlarm,
  verdict: { severity: AlarmWrite['severity']; since: Instant | null; channel: string | null },
  channels: ReadonlyMap<string, ChannelState>,
  staleSince: Instant | null,
): AlarmWrite {
  return {
    severity: verdict.severity,
    severitySince: verdict.since,
    channel: verdict.channel,
    ...findShown(config, channels, verdict.channel),
    episodeId: verdict.severity === 'normal' ? null : stored.episodeId,
    staleSince,
  };
}

function toEvent(config: ServiceConfig, change: SeverityChange): AlarmEvent {
  const { from, to, channel, band, value, limit, versionId, overSince, at } = change;
  const message = to === 'normal' || channel === null ? null : describe(config, channel, change);
  return {
    serviceId: config.serviceId,
    episodeId: null,
    subject: to === 'normal' ? 'recovery' : to,
    from,
    to,
    channel,
    band,
    value,
    limit,
    versionId,
    message,
    overSince,
    at,
  };
}

const staleEvent = (
  { serviceId }: ServiceConfig,
  subject: 'stale' | 'back',
  severity: AlarmWrite['severity'],
  at: Instant,
): AlarmEvent => ({
  serviceId,
  episodeId: null,
  subject,
  from: severity,
  to: severity,
  channel: null,
  band: null,
  value: null,
  limit: null,
  versionId: null,
  message: null,
  overSince: null,
  at,
});

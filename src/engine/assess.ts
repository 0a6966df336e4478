// One service meets its new readings and the passing of time: rows go in, the rows to write come out. Decides nothing
// itself; the judging is domain/judge.ts and domain/staleness.ts.
import { describeValueAlarm } from '../domain/alarm-message.ts';
import type { BandName } from '../domain/band.ts';
import {
  type ChannelState,
  findNextActivation,
  type Instant,
  type Judgement,
  judge,
  type Moment,
  measure,
  rejudge,
  type SeverityChange,
} from '../domain/judge.ts';
import { findLastTelemetry, findStaleAt } from '../domain/staleness.ts';
import type { AlarmEvent, AlarmWrite, ChannelWrite, StoredAlarm } from './alarm-store.ts';
import { assessQuietly, isQuiet } from './assess-quietly.ts';
import type { Assessment } from './assessment.ts';
import type { ServiceConfig } from './service-config.ts';

export function assess(
  config: ServiceConfig,
  stored: StoredAlarm,
  channels: ReadonlyMap<string, ChannelState>,
  moments: readonly Moment[],
  now: Instant,
): Assessment {
  return (
    assessQuietly(config, stored, channels, moments, now) ??
    assessAtLength(config, stored, channels, moments, now)
  );
}

export function assessAtLength(
  config: ServiceConfig,
  stored: StoredAlarm,
  channels: ReadonlyMap<string, ChannelState>,
  moments: readonly Moment[],
  now: Instant,
): Assessment {
  const service = { limits: config.limits, channels, verdict: verdictOf(stored) };
  return conclude(config, stored, channels, judge(service, moments, now), now);
}

/** After new limits: the same, from the stored readings. */
export function assessAgain(
  config: ServiceConfig,
  stored: StoredAlarm,
  channels: ReadonlyMap<string, ChannelState>,
  history: readonly Moment[],
  now: Instant,
): Assessment {
  const service = { limits: config.limits, channels, verdict: verdictOf(stored) };
  return conclude(config, stored, channels, rejudge(service, history, now), now, true);
}

const verdictOf = ({ severity, severitySince, channel }: StoredAlarm) => ({
  severity,
  since: severitySince,
  channel,
});

function conclude(
  config: ServiceConfig,
  stored: StoredAlarm,
  channels: ReadonlyMap<string, ChannelState>,
  judged: Judgement,
  now: Instant,
  hasNewLimits = false,
): Assessment {
  const events = judged.changes.map((change) => toEvent(config, change));

  const staleBefore = stored.staleSince;
  const staleAt = findStaleAt(config, findLastTelemetry(judged.channels));
  const staleSince = staleAt !== null && staleAt <= now ? staleAt : null;
  const { severity } = judged.verdict;
  if (staleBefore === null && staleSince !== null)
    events.push(staleEvent(config, 'went_stale', severity, staleSince));
  if (staleBefore !== null && staleSince === null)
    events.push(staleEvent(config, 'came_back', severity, now));

  const activatesAt = findNextActivation(config.limits, judged.channels);
  const nextDueAt = earliest(activatesAt, staleSince === null ? staleAt : null);
  const isChanged =
    judged.changes.length > 0 ||
    (hasNewLimits && severity !== 'normal') ||
    judged.verdict.channel !== stored.channel ||
    staleSince !== staleBefore;

  return {
    channels: collectChanged(config, channels, judged.channels),
    alarm: isChanged
      ? writeAlarm(config, stored, judged.verdict, judged.channels, staleSince, nextDueAt)
      : null,
    nextDueAt,
    events,
  };
}

const earliest = (one: Instant | null, other: Instant | null) =>
  one === null ? other : other === null ? one : Math.min(one, other);

function collectChanged(
  config: ServiceConfig,
  before: ReadonlyMap<string, ChannelState>,
  after: ReadonlyMap<string, ChannelState>,
): ChannelWrite[] {
  const writes: ChannelWrite[] = [];
  for (const [name, state] of after) {
    const channel = config.channels.get(name);
    const earlier = before.get(name);
    if (!channel || state === earlier || state.at === null) continue;
    const isPlain = earlier !== undefined && isQuiet(earlier) && isQuiet(state);
    writes.push({ serviceId: config.serviceId, channelId: channel.id, state, isPlain });
  }
  return writes;
}

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
  nextDueAt: Instant | null,
): AlarmWrite {
  return {
    serviceId: config.serviceId,
    severity: verdict.severity,
    severitySince: verdict.since,
    channel: verdict.channel,
    ...findShown(config, channels, verdict.channel),
    episodeId: verdict.severity === 'normal' ? null : stored.episodeId,
    staleSince,
    nextDueAt,
  };
}

function toEvent(config: ServiceConfig, change: SeverityChange): AlarmEvent {
  const { from, to, channel, band, value, limit, versionId, at } = change;
  const kind = to === 'normal' ? 'recovered' : from === 'normal' ? 'raised' : 'changed';
  const message = to === 'normal' || channel === null ? null : describe(config, channel, change);
  return {
    serviceId: config.serviceId,
    episodeId: null,
    kind,
    from,
    to,
    channel,
    band,
    value,
    limit,
    versionId,
    message,
    at,
  };
}

const staleEvent = (
  { serviceId }: ServiceConfig,
  kind: 'went_stale' | 'came_back',
  severity: AlarmWrite['severity'],
  at: Instant,
): AlarmEvent => ({
  serviceId,
  episodeId: null,
  kind,
  from: severity,
  to: severity,
  channel: null,
  band: null,
  value: null,
  limit: null,
  versionId: null,
  message: null,
  at,
});

/** An episode begins when a service leaves normal and ends when it is normal again. Hands out the ids in order. */
export function numberEpisodes(
  assessments: readonly { stored: StoredAlarm; assessment: Assessment }[],
  newIds: string[],
): void {
  for (const { stored, assessment } of assessments) {
    let episodeId = stored.episodeId;
    for (const event of assessment.events) {
      if (event.kind === 'raised') episodeId = newIds.shift() ?? null;
      event.episodeId = episodeId;
      if (event.kind === 'recovered') episodeId = null;
    }
    if (assessment.alarm && assessment.alarm.severity !== 'normal') assessment.alarm.episodeId = episodeId;
  }
}

// From readings to alarms: Contract, Judging. Pure: a service's limits and what is known of its channels go in, together
// with measurements of new values; what is known afterwards and what happened on the way come out.
import type { Instant } from '../instant.ts';
import { type BandName, isHigh, severityOfBand } from './band.ts';
import { beginLately, goOn, goOnUncounted, type Lately } from './lately.ts';
import type { Measurement } from './measurement.ts';
import { isWorse, type Severity } from './severity.ts';

interface JudgedBand {
  band: BandName;
  limit: number;
  sustainedMs: number;
}

/** How one channel is judged: by its own limits if it has any version, else, if it is a metric, by the service's. */
export interface JudgedLimits {
  versionId: number;
  isPercentage: boolean;
  setpointChannel: string | null;
  stateChannel: string | null;
  bands: JudgedBand[];
  /** Left out: an alarm is over with the first reading within the limits. */
  clear?: Clearing;
}

/** When an active band is over: so far within its limit, for so long. */
export interface Clearing {
  margin: number;
  forMs: number;
}

export const LONGEST_CLEARING_MINUTES = 1_440;

export interface ChannelState {
  /** The newest judged reading; older ones change nothing. */
  at: Instant | null;
  value: number | null;
  /** When each running breach began, in reading time. */
  breaches: Partial<Record<BandName, Instant>>;
  /** Since when active bands are back far enough, where that has to last. */
  clearing?: Partial<Record<BandName, Instant>>;
  severity: Severity;
  /** When this severity began; null while normal. */
  since: Instant | null;
  /** The band that made it so. */
  band: BandName | null;
  /** Since it is not quiet any more. */
  lately?: Lately;
}

interface ServiceVerdict {
  severity: Severity;
  since: Instant | null;
  channel: string | null;
}

export interface JudgedService {
  limits: ReadonlyMap<string, JudgedLimits>;
  channels: ReadonlyMap<string, ChannelState>;
  verdict: ServiceVerdict;
}

/** The service's severity changed, because of this channel. */
export interface SeverityChange {
  at: Instant;
  from: Severity;
  to: Severity;
  /** null on recovery of a channel that has no state any more. */
  channel: string | null;
  band: BandName | null;
  value: number | null;
  /** What was compared with the limit: the value, or its deviation in percent. */
  measured: number | null;
  limit: number | null;
  versionId: number | null;
  /** When the breach began that made it so; null: none did. */
  overSince: Instant | null;
}

export interface Judgement {
  channels: Map<string, ChannelState>;
  verdict: ServiceVerdict;
  changes: SeverityChange[];
}

const UNKNOWN_CHANNEL: ChannelState = {
  at: null,
  value: null,
  breaches: {},
  severity: 'normal',
  since: null,
  band: null,
};

/** Normal, and nothing is on its way to become otherwise. */
export function isQuiet({ severity, breaches }: ChannelState): boolean {
  for (const _ in breaches) return false;
  return severity === 'normal';
}

/** Strictly beyond its limit. */
export const isBreached = (band: JudgedBand, measure: number): boolean =>
  isHigh(band.band) ? measure > band.limit : measure < band.limit;

const isBackFarEnough = ({ band, limit }: JudgedBand, measure: number, { margin }: Clearing): boolean =>
  isHigh(band) ? measure <= limit - margin : measure >= limit + margin;

/** Takes a service through the measurements in order, and on to `until`: breaches that run become active as time passes. */
export function judge(
  service: JudgedService,
  measurements: readonly Measurement[],
  until: Instant,
): Judgement {
  const channels = new Map(service.channels);
  const changes: SeverityChange[] = [];
  let verdict = service.verdict;

  const settle = (at: Instant) => {
    const next = findVerdict(channels, verdict, at);
    if (next.severity !== verdict.severity)
      changes.push(describeChange(service.limits, channels, verdict, next, at));
    verdict = next;
  };
  const activateUntil = (end: Instant) => {
    for (let at = findNextDue(service.limits, channels); at !== null && at <= end; ) {
      for (const [name, limits] of service.limits) activate(channels, name, limits, at);
      settle(at);
      at = findNextDue(service.limits, channels);
    }
  };

  for (const { at, values } of measurements) {
    activateUntil(at);
    const before = new Map(channels);
    for (const [name, value] of values) {
      channels.set(name, { ...(channels.get(name) ?? UNKNOWN_CHANNEL), at, value });
    }
    const arrived = new Set(values.map(([name]) => name));
    for (const [name, limits] of service.limits) {
      if (!isConcerned(name, limits, arrived)) continue;
      takeMeasure(channels, name, limits, at);
      // A delayed reading cannot undo the time that made a running breach active.
      activate(channels, name, limits, Math.max(at, channels.get(name)?.since ?? at));
      keepLately(channels, name, before.get(name));
    }
    settle(at);
  }
  activateUntil(until);
  return { channels, verdict, changes };
}

/** What readings make of the channels, from nothing or going on from where earlier readings left them. */
export const replay = (
  limits: JudgedService['limits'],
  channels: ReadonlyMap<string, ChannelState>,
  measurements: readonly Measurement[],
): Map<string, ChannelState> =>
  judge(
    { limits, channels, verdict: NORMAL },
    measurements,
    measurements.at(-1)?.at ?? Number.NEGATIVE_INFINITY,
  ).channels;

/**
 * Judges every channel again after its limits changed, from what its stored readings came to (`replay`): a breach that
 * has lasted long enough is active at once. A severity that the new limits bring begins now; one that stays keeps its
 * beginning.
 */
export function rejudge(
  service: JudgedService,
  history: ReadonlyMap<string, ChannelState>,
  now: Instant,
): Judgement {
  const replayed = judge({ limits: service.limits, channels: history, verdict: NORMAL }, [], now).channels;
  const channels = new Map<string, ChannelState>();
  for (const [name, state] of service.channels) {
    const fresh = service.limits.has(name) ? replayed.get(name) : undefined;
    const { breaches, clearing, severity, band, lately } = fresh ?? UNKNOWN_CHANNEL;
    const since = severity === 'normal' ? null : severity === state.severity ? state.since : now;
    const { at, value } = state;
    channels.set(name, {
      at,
      value,
      breaches,
      ...(clearing && { clearing }),
      severity,
      since,
      band,
      ...(lately && { lately }),
    });
  }
  const verdict = findVerdict(channels, service.verdict, now);
  const isSame = verdict.severity === service.verdict.severity;
  const changes = isSame ? [] : [describeChange(service.limits, channels, service.verdict, verdict, now)];
  return { channels, verdict, changes };
}

const NORMAL: ServiceVerdict = { severity: 'normal', since: null, channel: null };

/** A new setpoint or state judges the channels that depend on it again. */
const isConcerned = (name: string, limits: JudgedLimits, arrived: ReadonlySet<string>) =>
  arrived.has(name) ||
  (limits.isPercentage &&
    ((limits.setpointChannel !== null && arrived.has(limits.setpointChannel)) ||
      (limits.stateChannel !== null && arrived.has(limits.stateChannel))));

type Measure = { value: number } | { notJudged: 'no reading' | 'no setpoint' | 'off' };

/** What is compared with the limits: the value, or its deviation from the setpoint in percent. */
export function measure(
  channels: ReadonlyMap<string, ChannelState>,
  name: string,
  limits: JudgedLimits,
): Measure {
  const value = channels.get(name)?.value ?? null;
  if (value === null) return { notJudged: 'no reading' };
  if (!limits.isPercentage) return { value };
  if (limits.stateChannel !== null && channels.get(limits.stateChannel)?.value === 0)
    return { notJudged: 'off' };
  const setpoint = (limits.setpointChannel !== null && channels.get(limits.setpointChannel)?.value) || 0;
  if (setpoint === 0) return { notJudged: 'no setpoint' };
  const deviation = ((value - setpoint) / Math.abs(setpoint)) * 100;
  // Beyond every limit, but a number.
  return { value: Math.min(Math.max(deviation, -Number.MAX_VALUE), Number.MAX_VALUE) };
}

/** Whether any breach runs, which the newest values of all channels tell: since when, only the readings before them. */
export function isInBreach({ limits, channels }: Pick<JudgedService, 'limits' | 'channels'>): boolean {
  for (const [name, judgedBy] of limits) {
    const measured = measure(channels, name, judgedBy);
    if ('value' in measured && judgedBy.bands.some((band) => isBreached(band, measured.value))) return true;
  }
  return false;
}

/** Begins, continues or ends the breach of each band. One that is active may have to be back for a while. */
function takeMeasure(
  channels: Map<string, ChannelState>,
  name: string,
  limits: JudgedLimits,
  at: Instant,
): void {
  const state = channels.get(name);
  if (!state) return;
  const measured = measure(channels, name, limits);
  const breaches: ChannelState['breaches'] = {};
  const clearing: ChannelState['clearing'] = {};
  for (const band of limits.bands) {
    if (!('value' in measured)) continue;
    const since = state.breaches[band.band];
    if (isBreached(band, measured.value)) breaches[band.band] = since ?? at;
    else if (limits.clear && since !== undefined && since + band.sustainedMs <= at) {
      breaches[band.band] = since;
      if (isBackFarEnough(band, measured.value, limits.clear))
        clearing[band.band] = state.clearing?.[band.band] ?? at;
    }
  }
  if (!limits.clear && !state.clearing) channels.set(name, { ...state, breaches });
  else channels.set(name, { ...state, breaches, clearing });
}

function keepLately(
  channels: Map<string, ChannelState>,
  name: string,
  before: ChannelState | undefined,
): void {
  const state = channels.get(name);
  if (!state || (isQuiet(state) && !state.lately)) return;
  const { lately, ...rest } = state;
  if (isQuiet(state) || state.at === null || state.value === null) {
    channels.set(name, rest);
    return;
  }
  const newest = [state.at, state.value] as const;
  const last =
    before && before.at !== null && before.value !== null ? ([before.at, before.value] as const) : null;
  const begin = !before || isQuiet(before) ? beginLately : goOnUncounted;
  const isGoingOn = begin === goOnUncounted && lately;
  channels.set(name, { ...rest, lately: isGoingOn ? goOn(lately, newest) : begin(last, newest) });
}

/** The channel's severity at this instant, from the breaches that have lasted long enough. */
function activate(
  channels: Map<string, ChannelState>,
  name: string,
  limits: JudgedLimits,
  at: Instant,
): void {
  const known = channels.get(name);
  if (!known) return;
  const state = known.clearing ? endCleared(known, limits, at) : known;
  if (state !== known) channels.set(name, state);
  const active = limits.bands.filter(({ band, sustainedMs }) => {
    const since = state.breaches[band];
    return since !== undefined && since + sustainedMs <= at;
  });
  const worst = active.find(({ band }) => severityOfBand(band) === 'critical') ?? active[0];
  const severity: Severity = worst ? severityOfBand(worst.band) : 'normal';
  if (severity === state.severity) return;
  const since = severity === 'normal' ? null : Math.max(at, state.since ?? at);
  channels.set(name, { ...state, severity, since, band: worst?.band ?? null });
}

/** Without the bands that have been back for long enough. */
function endCleared(state: ChannelState, { clear }: JudgedLimits, at: Instant): ChannelState {
  const breaches = { ...state.breaches };
  const clearing = { ...state.clearing };
  for (const [band, since] of Object.entries(clearing) as [BandName, Instant][]) {
    if (since + (clear?.forMs ?? 0) > at) continue;
    delete breaches[band];
    delete clearing[band];
  }
  const { clearing: _, ...rest } = state;
  return { ...rest, breaches, ...(Object.keys(clearing).length > 0 && { clearing }) };
}

/** When the next running breach becomes active or an active one is over, if no reading comes before; null: never. */
export function findNextDue(
  limitsByChannel: ReadonlyMap<string, JudgedLimits>,
  channels: ReadonlyMap<string, ChannelState>,
): Instant | null {
  let next: Instant | null = null;
  for (const [name, limits] of limitsByChannel) {
    const state = channels.get(name);
    if (!state) continue;
    for (const { band, sustainedMs } of limits.bands) {
      const clearingSince = state.clearing?.[band];
      if (clearingSince !== undefined) {
        next = Math.min(next ?? Number.POSITIVE_INFINITY, clearingSince + (limits.clear?.forMs ?? 0));
        continue;
      }
      const since = state.breaches[band];
      // One that could only make it as bad as it is already changes nothing.
      if (since === undefined || !isWorse(severityOfBand(band), state.severity)) continue;
      const activeAt = since + sustainedMs;
      if (next === null || activeAt < next) next = activeAt;
    }
  }
  return next;
}

/** The worst of the channels; among equals the one that became so last. */
function findVerdict(
  channels: ReadonlyMap<string, ChannelState>,
  current: ServiceVerdict,
  at: Instant,
): ServiceVerdict {
  let worst: { name: string; severity: Severity; since: Instant } | null = null;
  for (const [name, { severity, since }] of channels) {
    if (severity === 'normal' || since === null) continue;
    if (
      !worst ||
      isWorse(severity, worst.severity) ||
      (severity === worst.severity && since >= worst.since)
    ) {
      worst = { name, severity, since };
    }
  }
  if (!worst) return current.severity === 'normal' ? current : NORMAL;
  if (worst.severity !== current.severity) {
    return { severity: worst.severity, since: Math.max(at, current.since ?? at), channel: worst.name };
  }
  return current.channel === worst.name ? current : { ...current, channel: worst.name };
}

function describeChange(
  limitsByChannel: ReadonlyMap<string, JudgedLimits>,
  channels: ReadonlyMap<string, ChannelState>,
  current: ServiceVerdict,
  next: ServiceVerdict,
  at: Instant,
): SeverityChange {
  // A recovery is told of the channel that was shown.
  const name = next.channel ?? current.channel;
  const state = name === null ? undefined : channels.get(name);
  const limits = name === null ? undefined : limitsByChannel.get(name);
  const measured = name !== null && limits ? measure(channels, name, limits) : null;
  return {
    at: next.since ?? Math.max(at, current.since ?? at),
    from: current.severity,
    to: next.severity,
    channel: name,
    band: state?.band ?? null,
    value: state?.value ?? null,
    measured: measured && 'value' in measured ? measured.value : null,
    limit: limits?.bands.find(({ band }) => band === state?.band)?.limit ?? null,
    versionId: limits?.versionId ?? null,
    overSince: (state?.band && state.breaches[state.band]) ?? null,
  };
}

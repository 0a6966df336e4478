// A clock that was ahead leaves times that have not come yet. Nobody can know of them: what bears one counts from now.
import type { Instant } from '../instant.ts';
import type { ChannelState, JudgedService } from './judge.ts';

export const isAhead = (at: Instant | null, now: Instant): boolean => at !== null && at > now;

export function setBack(service: JudgedService, now: Instant): JudgedService {
  const { verdict } = service;
  const channels = setBackChannels(service.channels, now);
  if (channels === service.channels && !isAhead(verdict.since, now)) return service;
  return { ...service, channels, verdict: { ...verdict, since: notAfter(verdict.since, now) } };
}

/** The same ones, if none is ahead. */
export function setBackChannels(
  channels: ReadonlyMap<string, ChannelState>,
  now: Instant,
): ReadonlyMap<string, ChannelState> {
  let changed: Map<string, ChannelState> | null = null;
  for (const [name, state] of channels) {
    if (!isStateAhead(state, now)) continue;
    changed ??= new Map(channels);
    changed.set(name, setBackState(state, now));
  }
  return changed ?? channels;
}

function isStateAhead({ at, since, breaches, clearing }: ChannelState, now: Instant): boolean {
  if (isAhead(at, now) || isAhead(since, now)) return true;
  for (const begunAt of Object.values(breaches)) if (begunAt > now) return true;
  if (clearing) for (const begunAt of Object.values(clearing)) if (begunAt > now) return true;
  return false;
}

const setBackState = (state: ChannelState, now: Instant): ChannelState => ({
  ...state,
  at: notAfter(state.at, now),
  since: notAfter(state.since, now),
  breaches: eachNotAfter(state.breaches, now),
  ...(state.clearing && { clearing: eachNotAfter(state.clearing, now) }),
  ...(state.lately && {
    lately: { ...state.lately, readings: state.lately.readings.filter(([at]) => at <= now) },
  }),
});

const eachNotAfter = (begun: ChannelState['breaches'], now: Instant): ChannelState['breaches'] =>
  Object.fromEntries(Object.entries(begun).map(([band, begunAt]) => [band, Math.min(begunAt, now)]));

const notAfter = (at: Instant | null, now: Instant): Instant | null =>
  at === null ? null : Math.min(at, now);

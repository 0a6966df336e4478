// Why a service is in alarm, or why not: band by band, for the service page and for support.

import type { Instant } from '../instant.ts';
import { BANDS, type BandName } from './band.ts';
import { type ChannelState, isBreached, type JudgedLimits, measure } from './judge.ts';

const MINUTE_MS = 60_000;

type BandStanding =
  | 'active'
  | 'running'
  /** Within its limit again, not far or not long enough. */
  | 'clearing'
  | 'within limits'
  | 'no limit'
  | 'not judged: no reading'
  | 'not judged: no setpoint'
  | 'not judged: off';

export interface BandExplanation {
  channel: string;
  band: BandName;
  limit: number | null;
  sustainedMinutes: number;
  /** What is compared with the limit: the value, or its deviation in percent. */
  measured: number | null;
  standing: BandStanding;
  /** First reading of the breach that runs. */
  breachedSince: Instant | null;
  /** Until it becomes active, or is over, if no reading comes before. */
  minutesLeft: number | null;
}

export function explainBands(
  limitsByChannel: ReadonlyMap<string, JudgedLimits>,
  channels: ReadonlyMap<string, ChannelState>,
  now: Instant,
): BandExplanation[] {
  return [...limitsByChannel].flatMap(([channel, limits]) =>
    BANDS.map((band) => explainBand(channel, band, limits, channels, now)),
  );
}

function explainBand(
  channel: string,
  name: BandName,
  limits: JudgedLimits,
  channels: ReadonlyMap<string, ChannelState>,
  now: Instant,
): BandExplanation {
  const band = limits.bands.find((one) => one.band === name);
  const measured = measure(channels, channel, limits);
  const value = 'value' in measured ? measured.value : null;
  const unexplained = { channel, band: name, measured: value, breachedSince: null, minutesLeft: null };
  if (!band) return { ...unexplained, limit: null, sustainedMinutes: 0, standing: 'no limit' };
  const described = { ...unexplained, limit: band.limit, sustainedMinutes: band.sustainedMs / MINUTE_MS };
  if ('notJudged' in measured) return { ...described, standing: `not judged: ${measured.notJudged}` };
  const since = channels.get(channel)?.breaches[name] ?? null;
  if (since === null) return { ...described, standing: 'within limits' };
  if (!isBreached(band, measured.value)) {
    if (!limits.clear) return { ...described, standing: 'within limits' };
    const clearingSince = channels.get(channel)?.clearing?.[name];
    const clearMs =
      clearingSince === undefined ? null : Math.max(0, clearingSince + limits.clear.forMs - now);
    const minutesLeft = clearMs === null ? null : clearMs / MINUTE_MS;
    return { ...described, standing: 'clearing', breachedSince: since, minutesLeft };
  }
  const msLeft = Math.max(0, since + band.sustainedMs - now);
  const standing = msLeft === 0 ? 'active' : 'running';
  return { ...described, standing, breachedSince: since, minutesLeft: msLeft / MINUTE_MS };
}

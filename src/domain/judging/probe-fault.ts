// A probe that does not measure is no reading, and must not go unnoticed: it is a state of its own, `<channel>_fault`, that
// is 1 from the first word of it, and 0 from the next good value. Nothing else of the channel changes.

import type { Instant } from '../instant.ts';
import type { Band } from './band.ts';
import { type ChannelState, type JudgedLimits, measure } from './judge.ts';
import { findLastTelemetry } from './staleness.ts';

export const nameFault = (channel: string): string => `${channel}_fault`;

/** What is known of a channel, and of whether its probe measures. */
export interface Probe {
  at: Instant | null;
  value: number | null;
  isFaulty: boolean;
  /** When that was last said. */
  faultAt: Instant | null;
}

interface Said {
  at: Instant;
  /** null: that it cannot measure. */
  value: number | null;
  isCelsius: boolean;
}

interface Heard {
  probe: Probe;
  isFault: boolean;
  /** What its fault becomes; null: it stays as it is, or this came too late to say anything about it. */
  becomes: 0 | 1 | null;
}

export function hearProbe(probe: Probe, { at, value, isCelsius }: Said): Heard {
  const isFault = value === null || (isCelsius && isFaultValue(value, probe));
  const isLate = at <= (probe.faultAt ?? NEVER) || at <= (probe.at ?? NEVER);
  const moved = value !== null && !isLate ? { ...probe, at, value } : probe;
  if (isLate || isFault === probe.isFaulty) return { probe: moved, isFault, becomes: null };
  return { probe: { ...moved, isFaulty: isFault, faultAt: at }, isFault, becomes: isFault ? 1 : 0 };
}

const NEVER = Number.NEGATIVE_INFINITY;

const ABSOLUTE_ZERO = -273.15;
/** What converters and gateways say in the place of a temperature. */
const NEVER_MEASURED = new Set([
  327.67, -327.67, 327.68, -327.68, 3276.7, -3276.7, 3276.8, -3276.8, -999, -9999,
]);
/** Of a DS18B20: not there, and just switched on. Both are temperatures too. */
const DOUBTFUL = [-127, 85];
const FAR = 10;

/** Which of them is one depends on what was measured before. */
export const mayBeFaultValue = (value: number): boolean =>
  (value <= -127 || value >= 85) &&
  (value < ABSOLUTE_ZERO || DOUBTFUL.includes(value) || NEVER_MEASURED.has(value));

function isFaultValue(value: number, { at, value: last, isFaulty, faultAt }: Probe): boolean {
  if (!DOUBTFUL.includes(value)) return mayBeFaultValue(value);
  // Where it was kept all the same, what was measured last is the fault itself.
  const isAsBefore = isFaulty && last === value && (at ?? NEVER) >= (faultAt ?? NEVER);
  return isAsBefore || (last !== null && Math.abs(value - last) > FAR);
}

export const isCelsius = (unit: string | null): boolean =>
  unit !== null && /^(°\s?c|℃|c|cel|celsius|deg\s?c)$/i.test(unit.trim());

interface Listened {
  limits: ReadonlyMap<string, JudgedLimits>;
  channels: ReadonlyMap<string, ChannelState>;
  isMetric: (channel: string) => boolean;
  /** After which the service would be stale; null: never. */
  spanMs: number | null;
  /** For how long a channel may say nothing; null: for ever. */
  spanOf: (channel: string) => number | null;
}

interface Silent {
  /** Channels that had said nothing for as long when their device was last heard. */
  silent: string[];
  heardAt: Instant;
  /** When the next one may be. */
  nextAt: Instant | null;
}

/** A device that stops altogether goes stale, and its probes are not to blame. */
export function findSilent(listened: Listened, now: Instant): Silent {
  const { limits, channels, isMetric, spanMs, spanOf } = listened;
  const heardAt = findLastTelemetry(channels) ?? NEVER;
  const found: Silent = { silent: [], heardAt, nextAt: null };
  if (spanMs === null || heardAt + spanMs <= now) return found;
  for (const [name, judgedBy] of limits) {
    const at = channels.get(name)?.at ?? null;
    if (at === null || judgedBy.bands.length === 0 || !isMetric(name)) continue;
    if (channels.get(nameFault(name))?.value === 1) continue;
    const measured = measure(channels, name, judgedBy);
    if ('notJudged' in measured && measured.notJudged === 'off') continue;
    const ownSpanMs = spanOf(name);
    if (ownSpanMs === null) continue;
    const dueAt = at + ownSpanMs;
    if (heardAt >= dueAt) found.silent.push(name);
    else if (dueAt > now) found.nextAt = Math.min(found.nextAt ?? dueAt, dueAt);
  }
  return found;
}

/** Until somebody chooses others. Contract, Edit messages: the critical limit has to be above that of the warning. */
export const faultBands = (spanMinutes: number): Band[] => [
  { band: 'WARNING_HIGH', limit: 0.5, delayMinutes: 0, sustainedMinutes: 5 },
  { band: 'CRITICAL_HIGH', limit: 0.6, delayMinutes: 0, sustainedMinutes: spanMinutes },
];

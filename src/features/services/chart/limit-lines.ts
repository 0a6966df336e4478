// The limits that a channel was judged by over a span of time, as lines on its chart.
import type { Band, BandName } from '../../../domain/judging/band.ts';

export interface LimitsSpan {
  /** null: service-wide. */
  channel: string | null;
  isPercentage: boolean;
  from: number;
  /** null: in force. */
  to: number | null;
  bands: Pick<Band, 'band' | 'limit'>[];
}

export interface LimitLine {
  band: BandName;
  value: number;
  from: number;
  to: number;
}

/**
 * A channel with a version of its own is judged by its own ones from then on. Percentages are drawn where they are at
 * the given setpoint; without one there is no place for them.
 */
export function drawLimits(
  versions: readonly LimitsSpan[],
  setpoint: number | null,
  window: { from: number; to: number },
): LimitLine[] {
  const first = Math.min(...versions.map(({ from }) => from));
  const ownSince = Math.min(...versions.filter(({ channel }) => channel !== null).map(({ from }) => from));
  return versions.flatMap(({ channel, isPercentage, bands, ...version }) => {
    const until = Math.min(version.to ?? window.to, channel === null ? ownSince : window.to);
    // Before the first version nothing was judged, but one wants to see where the values stood.
    const since = version.from === first ? window.from : version.from;
    const span = { from: Math.max(since, window.from), to: Math.min(until, window.to) };
    if (span.from >= span.to) return [];
    return bands.flatMap(({ band, limit }) => {
      const value = isPercentage && limit !== null ? atSetpoint(limit, setpoint) : limit;
      return value === null ? [] : { band, value, ...span };
    });
  });
}

function atSetpoint(percent: number, setpoint: number | null): number | null {
  if (setpoint === null || setpoint === 0) return null;
  const limit = setpoint + (Math.abs(setpoint) * percent) / 100;
  return Number.isFinite(limit) ? limit : null;
}

import type { Instant } from '../instant.ts';

/** Values measured at one time. */
export interface Measurement {
  at: Instant;
  values: readonly (readonly [channel: string, value: number, ...unknown[]])[];
}

/** In order of time; what was measured at the same time belongs together. */
export function joinMeasurements(
  readings: readonly { channel: string; at: Instant; value: number }[],
): Measurement[] {
  const byTime = new Map<Instant, [channel: string, value: number][]>();
  for (const { at, channel, value } of readings) {
    const measured = byTime.get(at);
    if (measured) measured.push([channel, value]);
    else byTime.set(at, [[channel, value]]);
  }
  return [...byTime]
    .sort(([one], [other]) => one - other)
    .map(([at, measured]) => ({ at, values: measured }));
}

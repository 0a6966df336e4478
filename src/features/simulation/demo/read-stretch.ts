// What the units of the demonstration say in a time.
import type { Instant } from '../../../domain/instant.ts';
import { DAY_MS, MINUTE_MS } from '../../../domain/simulation/rhythms.ts';
import { readUnit } from '../../../domain/simulation/unit.ts';
import type { SimulatedReading } from '../gateway.ts';
import type { DemoUnit, Period } from './plan.ts';

/** Of the history and of its last days. */
const STEP_MS = { coarse: 10 * MINUTE_MS, fine: 5 * MINUTE_MS };
export const FINE_MS = 2 * DAY_MS;

/** Readings after `from` up to and with `until`. */
export function readStretch(unit: DemoUnit, { from, until }: Period, whole: Period): SimulatedReading[] {
  const readings: SimulatedReading[] = [];
  const next = (at: Instant) => {
    const stepMs = at >= whole.until - FINE_MS ? STEP_MS.fine : STEP_MS.coarse;
    return Math.floor(at / stepMs) * stepMs + stepMs;
  };
  for (let at = next(from); at <= until; at = next(at)) {
    const values = readUnit(unit, at);
    if (values) readings.push({ device: unit.device, at, values });
  }
  return readings;
}

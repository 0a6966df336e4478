import { findNearLimits } from '../../domain/chart/near-limits.ts';
import { isOnOff, ON_OFF_SCALE } from '../../domain/chart/scale.ts';
import type { ChartData } from './series.ts';

/** All of the curve, with limits that are not too far away to be drawn with it. */
export function findRange(data: ChartData, low: number | null, high: number | null): [number, number] {
  if (isOnOff(data)) return [ON_OFF_SCALE.low, ON_OFF_SCALE.high];
  if (low === null || high === null) return [0, 1];
  const near = findNearLimits(data.limits, low, high).map(({ value }) => value);
  const [bottom, top] = [Math.min(low, ...near), Math.max(high, ...near)];
  const room = Math.max((top - bottom) * 0.08, 0.1);
  return [bottom - room, top + room];
}

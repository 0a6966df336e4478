// The lines and areas of a drawn chart.
import { findExtent } from '../../../domain/chart/extent.ts';
import { findGap, splitAtGaps } from '../../../domain/chart/gaps.ts';
import { findNearLimits } from '../../../domain/chart/near-limits.ts';
import type { OverCurve } from '../../../domain/chart/over-scale.ts';
import { type PathPoint, traceArea, tracePath } from '../../../domain/chart/paths.ts';
import type { LimitLine } from './limit-lines.ts';
import type { ChartModel } from './read-chart.ts';

export const WIDTH = 1000;
export const HEIGHT = 300;

/** From an instant or a value to its place in the drawing. */
export type ToPixel = (value: number) => number;

/** Those far away are left out of the drawing, and listed below with the others. */
export function nearLimits({ min, max, limits }: ChartModel): LimitLine[] {
  const extent = findExtent([...min, ...max]);
  return extent ? findNearLimits(limits, extent.low, extent.high) : limits;
}

export function drawLine({ at, mean, stepMs, kind }: ChartModel, x: ToPixel, y: ToPixel): string {
  if (kind === 'state') return drawSteps(at, mean, x, y);
  return splitRuns(at, stepMs)
    .map((run) => tracePath(run.map((index) => [x(at[index] ?? 0), y(mean[index] ?? 0)])))
    .join('');
}

/** Of few points, with its pauses left out. */
export const drawJoined = ({ at, value }: OverCurve, x: ToPixel, y: ToPixel): string =>
  splitRuns(at, null)
    .map((run) => tracePath(run.map((index) => [x(at[index] ?? 0), y(value[index] ?? 0)])))
    .join('');

export function drawSteps(at: number[], values: number[], x: ToPixel, y: ToPixel): string {
  let path = '';
  for (const [index, time] of at.entries())
    path += index === 0 ? `M${x(time)} ${y(values[index] ?? 0)}` : `H${x(time)}V${y(values[index] ?? 0)}`;
  return path === '' ? '' : `${path}H${WIDTH}`;
}

export function drawSpread({ at, min, max, stepMs }: ChartModel, x: ToPixel, y: ToPixel): string {
  const trace = (run: number[], edge: number[]) =>
    run.map((index): PathPoint => [x(at[index] ?? 0), y(edge[index] ?? 0)]);
  return splitRuns(at, stepMs)
    .map((run) => traceArea(trace(run, max), trace(run, min)))
    .join('');
}

/** Indices: the columns stay as they are. */
const splitRuns = (at: number[], stepMs: number | null): number[][] =>
  splitAtGaps([...at.keys()], (index) => at[index] ?? 0, findGap(at, stepMs));

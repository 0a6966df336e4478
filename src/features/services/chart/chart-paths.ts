// The lines and areas of a drawn chart.
import type { LimitLine } from './limit-lines.ts';
import type { ChartModel } from './read-chart.ts';

export const WIDTH = 1000;
export const HEIGHT = 300;

/** From an instant or a value to its place in the drawing. */
export type ToPixel = (value: number) => number;

export const round = (value: number): number => Math.round(value * 10) / 10;

/** A limit far away would flatten the curve: those are left out of the drawing, and listed below with the others. */
export function nearLimits({ min, max, limits }: ChartModel): LimitLine[] {
  if (min.length === 0) return limits;
  const low = min.reduce((one, other) => Math.min(one, other));
  const high = max.reduce((one, other) => Math.max(one, other));
  const reach = 3 * Math.max(high - low, Math.abs(high) * 0.05, 1);
  return limits.filter(({ value }) => value >= low - reach && value <= high + reach);
}

/** Missing data is no line: a pause of several steps is left open. */
export function drawLine({ at, mean, stepMs, kind }: ChartModel, x: ToPixel, y: ToPixel): string {
  if (kind === 'state') return drawSteps(at, mean, x, y);
  const gap = findGap(at, stepMs);
  let path = '';
  for (const [index, time] of at.entries()) {
    const isOpen = index === 0 || time - (at[index - 1] ?? time) > gap;
    path += `${isOpen ? 'M' : 'L'}${x(time)} ${y(mean[index] ?? 0)}`;
  }
  return path;
}

export function drawSteps(at: number[], values: number[], x: ToPixel, y: ToPixel): string {
  let path = '';
  for (const [index, time] of at.entries())
    path += index === 0 ? `M${x(time)} ${y(values[index] ?? 0)}` : `H${x(time)}V${y(values[index] ?? 0)}`;
  return path === '' ? '' : `${path}H${WIDTH}`;
}

export function drawSpread({ at, min, max, stepMs }: ChartModel, x: ToPixel, y: ToPixel): string {
  const gap = findGap(at, stepMs);
  const runs: number[][] = [];
  for (const [index, time] of at.entries()) {
    if (index === 0 || time - (at[index - 1] ?? time) > gap) runs.push([]);
    runs.at(-1)?.push(index);
  }
  return runs
    .map((run) => {
      const above = run.map((index) => `${x(at[index] ?? 0)} ${y(max[index] ?? 0)}`);
      const below = run.map((index) => `${x(at[index] ?? 0)} ${y(min[index] ?? 0)}`).reverse();
      return `M${[...above, ...below].join('L')}Z`;
    })
    .join('');
}

/** Several times what usually lies between two points. */
function findGap(at: number[], stepMs: number | null): number {
  const pauses = at.slice(1).map((time, index) => time - (at[index] ?? time));
  const usual = pauses.sort((one, other) => one - other)[Math.floor(pauses.length / 2)] ?? 0;
  return 5 * Math.max(usual, stepMs ?? 0);
}

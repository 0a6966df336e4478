// From what the server answers to the columns that are drawn.
import { findGap } from '../../domain/chart/gaps.ts';
import type { ChartData } from './series.ts';

type Column = (number | null)[];

/** Two numbers beyond it may lie farther apart than a number can say: a broken sensor is drawn at the edge. */
const LARGEST = 1e300;
const draw = (value: number | null | undefined): number | null =>
  value == null ? null : Math.min(Math.max(value, -LARGEST), LARGEST);

/** Seconds; mean, lowest and highest; setpoint. A long pause leaves a gap: missing data is no line. */
export function toColumns(data: ChartData): [number[], Column, Column, Column, Column] {
  const setpoint = new Map(data.setpoint?.at.map((at, index) => [at, data.setpoint?.value[index] ?? null]));
  const points = new Map(data.at.map((at, index) => [at, index]));
  const gap = findGap(data.at, data.stepMs);
  const times = [...new Set([...data.at, ...setpoint.keys(), ...findBreaks(data.at, gap)])].sort(
    (one, other) => one - other,
  );
  const columns: [number[], Column, Column, Column, Column] = [[], [], [], [], []];
  let held: number | null = null;
  for (const at of times) {
    const index = points.get(at);
    held = setpoint.get(at) ?? held;
    columns[0].push(at / 1000);
    columns[1].push(index === undefined ? null : draw(data.mean[index]));
    columns[2].push(index === undefined ? null : draw(data.min[index]));
    columns[3].push(index === undefined ? null : draw(data.max[index]));
    columns[4].push(draw(held));
  }
  return columns;
}

const findBreaks = (at: number[], gap: number): number[] =>
  at.flatMap((time, index) => {
    const next = at[index + 1];
    return next !== undefined && next - time > gap ? time + gap / 2 : [];
  });

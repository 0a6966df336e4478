// From what the server answers to the columns that are drawn.
import { findGap } from '../../domain/chart/gaps.ts';
import type { ChartData } from './series.ts';

/** null: nothing was measured, which leaves a gap; undefined: others were measured then, which is none. */
type Column = (number | null | undefined)[];

/** Two numbers beyond it may lie farther apart than a number can say: a broken sensor is drawn at the edge. */
const LARGEST = 1e300;
const draw = (value: number | null): number | null =>
  value === null ? null : Math.min(Math.max(value, -LARGEST), LARGEST);

/** Seconds; mean, lowest and highest; setpoint; what is drawn over them. A long pause leaves a gap: missing data is no line. */
export type Columns = [number[], Column, Column, Column, Column, ...Column[]];

export function toColumns(data: ChartData): Columns {
  const setpoint = new Map(data.setpoint?.at.map((at, index) => [at, data.setpoint?.value[index] ?? null]));
  const points = new Map(data.at.map((at, index) => [at, index]));
  const breaks = new Set(findBreaks(data.at, findGap(data.at, data.stepMs)));
  const over = data.over.map(
    ({ at, value }) => new Map(at.map((time, index) => [time, value[index] ?? null])),
  );
  const times = [
    ...new Set([...data.at, ...setpoint.keys(), ...breaks, ...data.over.flatMap(({ at }) => at)]),
  ].sort((one, other) => one - other);
  const drawnOver = over.map((): Column => []);
  const columns: Columns = [[], [], [], [], [], ...drawnOver];
  let held: number | null = null;
  for (const at of times) {
    const index = points.get(at);
    const pick = (values: number[]) => {
      if (index !== undefined) return draw(values[index] ?? null);
      return breaks.has(at) ? null : undefined;
    };
    held = setpoint.get(at) ?? held;
    columns[0].push(at / 1000);
    columns[1].push(pick(data.mean));
    columns[2].push(pick(data.min));
    columns[3].push(pick(data.max));
    columns[4].push(draw(held));
    for (const [place, values] of over.entries()) {
      const value = values.get(at);
      drawnOver[place]?.push(value === undefined ? undefined : draw(value));
    }
  }
  return columns;
}

const findBreaks = (at: number[], gap: number): number[] =>
  at.flatMap((time, index) => {
    const next = at[index + 1];
    return next !== undefined && next - time > gap ? time + gap / 2 : [];
  });

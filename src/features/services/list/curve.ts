// A small curve of the last day, as the paths of an inline drawing.
import { shareOf } from '../../../domain/share-of.ts';

export interface CurvePoint {
  at: number;
  min: number;
  max: number;
  mean: number;
}

export interface Curve {
  /** Through the means. */
  line: string;
  /** From the lowest to the highest of every hour. */
  spread: string;
  /** Where it ends. */
  end: { x: number; y: number };
}

export const CURVE_SIZE = { width: 120, height: 32 };
const MARGIN = 3;
/** A longer gap is left open. */
const MOST_GAP_MS = 2.5 * 60 * 60 * 1000;

/** null: two points make a line, one does not. Points are in order of time. */
export function drawCurve(
  points: readonly CurvePoint[],
  { from, to }: { from: number; to: number },
): Curve | null {
  const last = points.at(-1);
  if (points.length < 2 || !last) return null;
  const low = Math.min(...points.map(({ min }) => min));
  const high = Math.max(...points.map(({ max }) => max));
  const x = (at: number) => round(MARGIN + ((at - from) / (to - from)) * (CURVE_SIZE.width - 2 * MARGIN));
  const y = (value: number) =>
    round(MARGIN + (1 - shareOf(value, low, high)) * (CURVE_SIZE.height - 2 * MARGIN));

  const runs = splitAtGaps(points);
  const line = runs.map((run) => path(run.map(({ at, mean }) => [x(at), y(mean)])));
  const spread = runs.map((run) => {
    const above = run.map(({ at, max }) => [x(at), y(max)]);
    const below = run.map(({ at, min }) => [x(at), y(min)]).reverse();
    return `${path([...above, ...below])}Z`;
  });
  return { line: line.join(''), spread: spread.join(''), end: { x: x(last.at), y: y(last.mean) } };
}

function splitAtGaps(points: readonly CurvePoint[]): CurvePoint[][] {
  const runs: CurvePoint[][] = [];
  let previous: CurvePoint | null = null;
  for (const point of points) {
    if (previous === null || point.at - previous.at > MOST_GAP_MS) runs.push([]);
    runs.at(-1)?.push(point);
    previous = point;
  }
  return runs;
}

const path = (points: number[][]) => `M${points.map((point) => point.join(' ')).join('L')}`;
const round = (value: number) => Math.round(value * 10) / 10;

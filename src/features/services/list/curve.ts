// A small curve of the last day, as the paths of an inline drawing.
import { splitAtGaps } from '../../../domain/chart/gaps.ts';
import { round, traceArea, tracePath } from '../../../domain/chart/paths.ts';
import { shareOf } from '../../../domain/chart/share-of.ts';

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

  const runs = splitAtGaps(points, ({ at }) => at, MOST_GAP_MS);
  const line = runs.map((run) => tracePath(run.map(({ at, mean }) => [x(at), y(mean)])));
  const spread = runs.map((run) =>
    traceArea(
      run.map(({ at, max }) => [x(at), y(max)]),
      run.map(({ at, min }) => [x(at), y(min)]),
    ),
  );
  return { line: line.join(''), spread: spread.join(''), end: { x: x(last.at), y: y(last.mean) } };
}

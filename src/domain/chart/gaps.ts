// Missing data is no line: a long pause is left open.

/** Runs of points with no gap in them. Points are in order of time. */
export function splitAtGaps<Point>(
  points: readonly Point[],
  atOf: (point: Point) => number,
  mostGapMs: number,
): Point[][] {
  const runs: Point[][] = [];
  let before = Number.NEGATIVE_INFINITY;
  for (const point of points) {
    const at = atOf(point);
    if (at - before > mostGapMs) runs.push([]);
    runs.at(-1)?.push(point);
    before = at;
  }
  return runs;
}

/** Several times what usually lies between two points. `stepMs`: how much time a point stands for; null: each is a reading. */
export function findGap(at: readonly number[], stepMs: number | null): number {
  const pauses = at.slice(1).map((time, index) => time - (at[index] ?? time));
  const usual = pauses.sort((one, other) => one - other)[Math.floor(pauses.length / 2)] ?? 0;
  return 5 * Math.max(usual, stepMs ?? 0);
}

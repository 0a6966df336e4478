// What a curve did, for whoever cannot see it: where it began and ended, and where it was lowest and highest.

interface Columns {
  at: number[];
  min: number[];
  max: number[];
  mean: number[];
}

export interface CurveCourse {
  first: { at: number; value: number };
  last: { at: number; value: number };
  lowest: { at: number; value: number };
  highest: { at: number; value: number };
}

/** null: there is no curve. The first of several that are equally low or high counts. */
export function findCourse({ at, min, max, mean }: Columns): CurveCourse | null {
  const point = (index: number, values: number[]) => ({ at: at[index] ?? 0, value: values[index] ?? 0 });
  if (at.length === 0) return null;
  let [low, high] = [0, 0];
  for (const index of at.keys()) {
    if ((min[index] ?? 0) < (min[low] ?? 0)) low = index;
    if ((max[index] ?? 0) > (max[high] ?? 0)) high = index;
  }
  return {
    first: point(0, mean),
    last: point(at.length - 1, mean),
    lowest: point(low, min),
    highest: point(high, max),
  };
}

export interface CourseRow {
  from: number;
  to: number;
  min: number;
  max: number;
}

/** At most `most` rows of equal length, without those in which nothing was measured. */
export function tabulate(
  { at, min, max }: Columns,
  span: { from: number; to: number },
  most = 24,
): CourseRow[] {
  const lengthMs = (span.to - span.from) / most;
  const rows = new Map<number, CourseRow>();
  for (const [index, instant] of at.entries()) {
    const place = Math.min(Math.max(Math.floor((instant - span.from) / lengthMs), 0), most - 1);
    const [low, high] = [min[index] ?? 0, max[index] ?? 0];
    const row = rows.get(place);
    if (row) [row.min, row.max] = [Math.min(row.min, low), Math.max(row.max, high)];
    else {
      const from = Math.round(span.from + place * lengthMs);
      rows.set(place, { from, to: Math.round(from + lengthMs), min: low, max: high });
    }
  }
  return [...rows.values()];
}

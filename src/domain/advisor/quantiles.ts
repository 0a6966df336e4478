export const sorted = (values: Float64Array): Float64Array => Float64Array.from(values).sort();

/** Of values in ascending order; `share` from 0 to 1. */
export function quantile(ascending: Float64Array, share: number): number {
  const position = share * (ascending.length - 1);
  const index = Math.floor(position);
  const below = ascending[index] ?? Number.NaN;
  const above = ascending[index + 1] ?? below;
  // Never a sum of both: two large values would overflow.
  return below + (above - below) * (position - index);
}

export const medianOf = (values: ArrayLike<number>): number =>
  quantile(sorted(Float64Array.from(values)), 0.5);

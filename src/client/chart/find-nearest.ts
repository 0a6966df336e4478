/** Of ascending instants the one that is nearest; null: there are none. */
export function findNearest(at: readonly number[], instant: number): number | null {
  let [low, high] = [0, at.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((at[middle] ?? 0) < instant) low = middle + 1;
    else high = middle;
  }
  const [before, after] = [at[low - 1], at[low]];
  if (after === undefined) return null;
  return before !== undefined && instant - before < Math.abs(after - instant) ? before : after;
}

/** Which of the stretches that begin so, one after the other, holds the moment; -1: it is before all of them. */
export function findStretch(starts: readonly number[], at: number): number {
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] as number) <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/**
 * Where a value lies between two others: 0 at `low`, 1 at `high`, in the middle where they are the same. By halves: the
 * largest numbers lie farther apart than a number can say.
 */
export function shareOf(value: number, low: number, high: number): number {
  const span = high / 2 - low / 2;
  return span === 0 ? 0.5 : (value / 2 - low / 2) / span;
}

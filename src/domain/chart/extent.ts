/** The lowest and the highest; null: there are none. Spreading thousands of values into Math.min would overflow the stack. */
export function findExtent(values: readonly number[]): { low: number; high: number } | null {
  if (values.length === 0) return null;
  return {
    low: values.reduce((one, other) => Math.min(one, other)),
    high: values.reduce((one, other) => Math.max(one, other)),
  };
}

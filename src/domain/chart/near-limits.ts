/** A limit far away would flatten the curve, which runs from `low` to `high`: only those near it are drawn with it. */
export function findNearLimits<Line extends { value: number }>(
  limits: readonly Line[],
  low: number,
  high: number,
): Line[] {
  const reach = 3 * Math.max(high - low, Math.abs(high) * 0.05, 1);
  return limits.filter(({ value }) => value >= low - reach && value <= high + reach);
}

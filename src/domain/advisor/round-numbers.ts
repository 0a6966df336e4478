// Numbers as a person would write them.

/** The nearest of 1, 2 and 5 times a power of ten. */
export function roundStep(size: number): number {
  const power = 10 ** Math.floor(Math.log10(size));
  const share = size / power;
  const times = share < Math.SQRT2 ? 1 : share < Math.sqrt(10) ? 2 : share < Math.sqrt(50) ? 5 : 10;
  return clean(times * power);
}

/** The next multiple of the step, upwards. */
export const roundUp = (value: number, step: number): number =>
  clean(Math.ceil(clean(value / step)) * step) + 0;

/** Without the dust that floating point leaves (0.1 + 0.2). */
const clean = (value: number): number => Number(value.toPrecision(12));

const MINUTES = [1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 35, 40, 45, 50, 60, 75, 90, 105, 120];

export function roundUpMinutes(minutes: number): number {
  if (minutes <= 0) return 0;
  return MINUTES.find((each) => each >= minutes) ?? Math.ceil(minutes / 30) * 30;
}

/** With as many decimals as the step has, and `more`. */
export function showNumber(value: number, step: number, more = 0): string {
  const decimals = Math.max(0, Math.ceil(-Math.log10(step) - 1e-9)) + more;
  return decimals > 15 ? String(value) : String(Number(value.toFixed(decimals)) + 0);
}

// Round numbers along the side of a chart.

export interface Scale {
  low: number;
  high: number;
  /** From the highest to the lowest, evenly spaced. */
  ticks: number[];
}

/** Beyond it no round number may be left above the highest value. */
const LARGEST = Number.MAX_VALUE / 10;
const EVERYTHING: Scale = {
  low: -Number.MAX_VALUE,
  high: Number.MAX_VALUE,
  ticks: [Number.MAX_VALUE, 0, -Number.MAX_VALUE],
};

const STEPS = [1, 2, 2.5, 5, 10];

/** Covers all values with about four round steps. */
export function chooseScale(values: readonly number[]): Scale {
  const lowest = values.reduce((low, value) => Math.min(low, value), Number.POSITIVE_INFINITY);
  const highest = values.reduce((high, value) => Math.max(high, value), Number.NEGATIVE_INFINITY);
  if (lowest > highest) return { low: 0, high: 1, ticks: [1, 0] };
  if (Math.max(-lowest, highest) > LARGEST) return EVERYTHING;
  const room = roomAround(lowest, highest);
  const step = roundStep((highest - lowest + 2 * room) / 4);
  const first = Math.floor((lowest - room) / step);
  const last = Math.ceil((highest + room) / step);
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => tidy((last - index) * step, step));
  return { low: tidy(first * step, step), high: tidy(last * step, step), ticks };
}

/** A twentieth of the span; never so little that a number of this size cannot tell two ticks apart. */
function roomAround(lowest: number, highest: number): number {
  const size = Math.max(Math.abs(lowest), Math.abs(highest), 1);
  return highest === lowest ? Math.max(size * 0.1, 1) : Math.max((highest - lowest) * 0.05, size * 1e-9);
}

function roundStep(wanted: number): number {
  const magnitude = 10 ** Math.floor(Math.log10(wanted));
  return (STEPS.find((step) => step * magnitude >= wanted) ?? 10) * magnitude;
}

/** Without the crumbs of binary fractions: no more decimals than the step has. */
const tidy = (value: number, step: number): number =>
  Number(value.toFixed(Math.max(0, 1 - Math.floor(Math.log10(step))))) + 0;

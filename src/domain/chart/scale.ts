// Round numbers along the side of a chart.
import type { StateWords } from '../words/state-words.ts';
import { findExtent } from './extent.ts';

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
  const extent = findExtent(values);
  if (!extent) return { low: 0, high: 1, ticks: [1, 0] };
  const { low: lowest, high: highest } = extent;
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

/** Whether a chart has to tell nothing apart but the two. */
export const isOnOff = ({ words, min, max }: { words: StateWords | null; min: number[]; max: number[] }) =>
  words !== null && min.every((value) => value >= 0) && max.every((value) => value <= 1);

/** Where the two have their places in a chart. */
export const ON_OFF_SCALE: Scale = { low: -0.5, high: 1.5, ticks: [1, 0] };

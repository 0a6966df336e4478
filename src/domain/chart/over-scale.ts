// Where another curve lies in a chart whose scale is not its own.
import type { StateWords } from '../words/state-words.ts';
import { findExtent } from './extent.ts';
import { chooseScale } from './scale.ts';

export interface OverCurve {
  label: string;
  unit: string | null;
  /** Of a state: what its values are called. */
  words: StateWords | null;
  at: number[];
  value: number[];
}

/** As many as can be told apart. */
export const MOST_OVER = 3;

/** A door lies along the bottom; what is measured has all of the height. */
export function scaleOver({ words, value }: OverCurve): { low: number; high: number } {
  const extent = findExtent(value);
  if (words && extent && extent.low >= 0 && extent.high <= 1) return { low: 0, high: 8 };
  return chooseScale(value);
}

/** What it was at an instant: the last before it. null: nothing is known. */
export function valueAt({ at, value }: OverCurve, instant: number): number | null {
  let [low, high] = [0, at.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((at[middle] ?? 0) <= instant) low = middle + 1;
    else high = middle;
  }
  return value[low - 1] ?? null;
}

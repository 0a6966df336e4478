// How much of the time no alarm held, over many units together.
import type { UnitTime } from './unit-time.ts';

/** From 0 to 1; null: there was no unit. */
export const shareInRange = ({ total, inAlarm }: UnitTime): number | null =>
  total <= 0 ? null : Math.max(0, 1 - inAlarm / total);

export type Grade = 'whole' | 'nearly' | 'partly' | 'little';

/** The least share of each, in percent. */
export const LEAST_OF = { nearly: 99, partly: 90 } as const;

export function gradeOf(share: number): Grade {
  if (share >= 1) return 'whole';
  if (share * 100 >= LEAST_OF.nearly) return 'nearly';
  return share * 100 >= LEAST_OF.partly ? 'partly' : 'little';
}

/** Never more than it was: what was in alarm for a second was not in range all day. */
export const percentOf = (share: number): number => Math.floor(share * 1000 + 1e-9) / 10;

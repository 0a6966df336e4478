// What becomes of room that was reserved: racks were moved there, it is not needed, racks went back; and each of it undone.

/** `free`: it was not needed. */
export type ReservationState = 'open' | 'free' | 'moved' | 'returned';

export const SETTLING = {
  'moved-in': { from: 'open', to: 'moved' },
  'release-refuge': { from: 'open', to: 'free' },
  'back-again': { from: 'moved', to: 'returned' },
  'undo-moved-in': { from: 'moved', to: 'open' },
  'undo-back-again': { from: 'returned', to: 'moved' },
} as const satisfies Record<string, { from: ReservationState; to: ReservationState }>;

export type Settling = keyof typeof SETTLING;

export interface Counting {
  racks: number;
  /** What was taken off for it; null: nothing is. */
  counted: number | null;
  /** Of the refuge; null: it is none any more, and nothing is counted. */
  freeRacks: number | null;
}

/** What is moved in is taken off, as far as there was anything; what was taken off is given back when it leaves. */
export function countRacks(
  to: ReservationState,
  { racks, counted, freeRacks }: Counting,
  most: number,
): Pick<Counting, 'counted' | 'freeRacks'> {
  const before = freeRacks === null ? null : Math.min(most, freeRacks + (counted ?? 0));
  if (to !== 'moved') return { counted: to === 'returned' ? 0 : null, freeRacks: before };
  const taken = Math.min(before ?? 0, racks);
  return { counted: taken, freeRacks: before === null ? null : before - taken };
}

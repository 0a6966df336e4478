// Chance without dice: the same seed and index always give the same number, so that a simulated unit has one value at
// any time, whoever asks and in whatever order.

const mix = (hash: number): number => {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x21f0aaad);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
  return (mixed ^ (mixed >>> 15)) >>> 0;
};

/** From 0 up to, but not including, 1. */
export function chanceAt(seed: number, index: number): number {
  const low = index >>> 0;
  const high = Math.floor(index / 0x1_0000_0000) >>> 0;
  return mix(mix(mix(seed >>> 0) ^ low) ^ high) / 0x1_0000_0000;
}

/** A seed for one of several things that share a seed. */
export const seedFor = (seed: number, index: number): number =>
  Math.floor(chanceAt(seed, index) * 0x1_0000_0000);

/** Wanders smoothly between -1 and 1. */
export function wander(seed: number, at: number, periodMs: number): number {
  const index = Math.floor(at / periodMs);
  const share = at / periodMs - index;
  const eased = share * share * (3 - 2 * share);
  const from = chanceAt(seed, index);
  const to = chanceAt(seed, index + 1);
  return (from + (to - from) * eased) * 2 - 1;
}

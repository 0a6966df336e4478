// What moves the temperature in a unit: its compressor, its defrosting, the people who open its door.
import type { Instant } from '../instant.ts';
import { chanceAt, seedFor } from './chance.ts';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

const shareOf = (at: Instant, periodMs: number, shift: number) => {
  const turns = at / periodMs + shift;
  return turns - Math.floor(turns);
};

const COOLING_SHARE = 0.35;

/** Between -1 and 1: warms slowly while the compressor rests, cools faster while it runs. */
export function compressorCycle(seed: number, at: Instant): number {
  const periodMs = (30 + 20 * chanceAt(seed, 1)) * MINUTE_MS;
  const share = shareOf(at, periodMs, chanceAt(seed, 2));
  return share < COOLING_SHARE
    ? 1 - (2 * share) / COOLING_SHARE
    : -1 + (2 * (share - COOLING_SHARE)) / (1 - COOLING_SHARE);
}

export const DEFROST_EVERY_MS = 8 * HOUR_MS;
export const DEFROST_MS = 20 * MINUTE_MS;

/** Between 0 and 1: a bump three times a day. */
export function defrost(seed: number, at: Instant): number {
  const sinceMs = shareOf(at, DEFROST_EVERY_MS, chanceAt(seed, 3)) * DEFROST_EVERY_MS;
  return sinceMs < DEFROST_MS ? Math.sin((Math.PI * sinceMs) / DEFROST_MS) : 0;
}

/** Between -1 and 1: warmest in the afternoon. */
export const dayAndNight = (at: Instant): number => Math.sin(2 * Math.PI * (shareOf(at, DAY_MS, 0) - 0.375));

// At most one opening per half hour, and never two within ten minutes.
const SLOT_MS = 30 * MINUTE_MS;
const SLOT_USED_MS = 20 * MINUTE_MS;
const OPENING_CHANCE = 0.3;
const WARMING_MS = MINUTE_MS;
const COOLING_MS = 6 * MINUTE_MS;

interface Opening {
  at: Instant;
  /** Between 0.4 and 1. */
  strength: number;
  openMs: number;
}

function isWorkingTime(at: Instant): boolean {
  // The epoch was a Thursday.
  const weekday = (Math.floor(at / DAY_MS) + 4) % 7;
  const hour = (at % DAY_MS) / HOUR_MS;
  return weekday >= 1 && weekday <= 5 && hour >= 7 && hour < 18;
}

function findOpening(seed: number, slot: number): Opening | null {
  const own = seedFor(seed, slot);
  const at = slot * SLOT_MS + Math.floor(chanceAt(own, 1) * SLOT_USED_MS);
  if (chanceAt(own, 2) >= OPENING_CHANCE || !isWorkingTime(at)) return null;
  return { at, strength: 0.4 + 0.6 * chanceAt(own, 3), openMs: (0.5 + 2 * chanceAt(own, 4)) * MINUTE_MS };
}

function findOpenings(seed: number, at: Instant): Opening[] {
  const slot = Math.floor(at / SLOT_MS);
  return [slot - 1, slot]
    .flatMap((index) => findOpening(seed, index) ?? [])
    .filter((opening) => opening.at <= at);
}

export const isDoorOpen = (seed: number, at: Instant): boolean =>
  findOpenings(seed, at).some((opening) => at < opening.at + opening.openMs);

/** What the door let in, between 0 and 1.2: jumps up and fades away. */
export const doorEffect = (seed: number, at: Instant): number =>
  findOpenings(seed, at).reduce((sum, opening) => {
    const sinceMs = at - opening.at;
    return sum + opening.strength * (1 - Math.exp(-sinceMs / WARMING_MS)) * Math.exp(-sinceMs / COOLING_MS);
  }, 0);

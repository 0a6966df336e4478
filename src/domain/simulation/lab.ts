import type { Instant } from '../instant.ts';
import { seedFor } from './chance.ts';
import { DAY_MS, HOUR_MS } from './rhythms.ts';
import { type SimulatedUnit, UNIT_KINDS, type UnitKind } from './unit.ts';

export interface LabUnit extends SimulatedUnit {
  /** The key its device reports with. */
  device: string;
  name: string;
}

const NAMES: Record<UnitKind, string> = {
  ultra_low_freezer: 'ULT freezer',
  freezer: 'Freezer',
  incubator: 'CO₂ incubator',
  fridge: 'Fridge',
  cryo_tank: 'Cryo tank',
  cold_room: 'Cold room',
};

// The first two are of the same kind, so that the failing one has a healthy neighbour to be compared with.
const FAILING = 1;
const DEAD = 4;
const kindOf = (index: number): UnitKind =>
  UNIT_KINDS[index === 0 ? 0 : (index - 1) % UNIT_KINDS.length] ?? 'fridge';

const SHORTEST_STORY_MS = 2 * DAY_MS;

/** A lab whose story ends at `until`: by then one unit has failed and the sensor of another is dead. */
export function planLab({
  services,
  seed,
  from,
  until,
}: {
  services: number;
  seed: number;
  from: Instant;
  until: Instant;
}): LabUnit[] {
  const storyMs = Math.max(until - from, SHORTEST_STORY_MS);
  const failure = { beginsAt: until - 0.6 * storyMs, crossesAt: until - 0.1 * storyMs };
  const counts = new Map<UnitKind, number>();
  return Array.from({ length: services }, (_, index) => {
    const kind = kindOf(index);
    const number = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, number);
    return {
      kind,
      seed: seedFor(seed, index),
      device: `sim-${String(index + 1).padStart(3, '0')}`,
      name: `${NAMES[kind]} ${number}`,
      failure: index === FAILING ? failure : null,
      offlineFrom: index === DEAD ? until - Math.max(0.1 * storyMs, 2 * HOUR_MS) : null,
    };
  });
}

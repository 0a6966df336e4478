// The demonstration's lab: who and what is there, and which units have a story. Pure: a restart plans the same again.
import type { Instant } from '../../../domain/instant.ts';
import { seedFor } from '../../../domain/simulation/chance.ts';
import type { LabUnit } from '../../../domain/simulation/lab.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../domain/simulation/rhythms.ts';
import type { UnitKind } from '../../../domain/simulation/unit.ts';

export interface DemoUnit extends LabUnit {
  organization: string;
}

export interface Period {
  from: Instant;
  until: Instant;
}

/** What came later stands at the end of its lab: devices are numbered. */
const EQUIPMENT: [organization: string, short: string, units: [kind: UnitKind, name: string][]][] = [
  [
    'Cell Biology',
    'cb',
    [
      ...number('ultra_low_freezer', 'ULT freezer', 3),
      ...number('freezer', 'Freezer', 2),
      ...number('incubator', 'CO₂ incubator', 4),
      ...number('fridge', 'Fridge', 3),
      ...number('cold_room', 'Cold room', 1),
      ...number('cryo_tank', 'Cryo tank', 1),
      ...number('ultra_low_freezer', 'ULT freezer', 2, 4),
      ...number('incubator', 'CO₂ incubator', 2, 5),
    ],
  ],
  [
    'Biobank',
    'bb',
    [
      ...number('ultra_low_freezer', 'ULT freezer', 5),
      ...number('cryo_tank', 'Cryo tank', 4),
      ...number('cold_room', 'Cold room', 1),
      ...number('ultra_low_freezer', 'ULT freezer', 7, 6),
      ...number('freezer', 'Freezer', 3),
    ],
  ],
  [
    'Pharmacology',
    'ph',
    [
      ...number('fridge', 'Fridge', 3),
      ...number('freezer', 'Freezer', 2),
      ...number('incubator', 'CO₂ incubator', 1),
      ...number('ultra_low_freezer', 'ULT freezer', 2),
      ...number('fridge', 'Fridge', 2, 4),
    ],
  ],
  [
    'Neuroscience',
    'ns',
    [
      ...number('ultra_low_freezer', 'ULT freezer', 4),
      ...number('incubator', 'CO₂ incubator', 3),
      ...number('fridge', 'Fridge', 3),
      ...number('cryo_tank', 'Cryo tank', 2),
    ],
  ],
];

function number(kind: UnitKind, name: string, count: number, first = 1): [UnitKind, string][] {
  return Array.from({ length: count }, (_, index) => [kind, `${name} ${first + index}`]);
}

export const ORGANIZATIONS = EQUIPMENT.map(([organization]) => organization);

/** Before the end of the history: when it begins to fail, when it is past every limit, and when it was mended. */
type Story = { begins: number; crosses: number; repaired?: number } | { offline: number };

const STORIES: Record<string, Story> = {
  'Cell Biology/ULT freezer 2': { begins: 5 * HOUR_MS, crosses: 50 * MINUTE_MS },
  'Cell Biology/Freezer 1': { begins: 30 * HOUR_MS, crosses: 2 * HOUR_MS },
  'Cell Biology/Fridge 2': { begins: 4 * DAY_MS, crosses: -5.3 * DAY_MS },
  'Cell Biology/Fridge 3': { begins: 5 * DAY_MS, crosses: -6.6 * DAY_MS },
  'Cell Biology/CO₂ incubator 3': { offline: 3 * HOUR_MS },
  'Biobank/ULT freezer 2': { begins: 20 * DAY_MS, crosses: -6 * DAY_MS },
  'Biobank/ULT freezer 4': { begins: 2 * HOUR_MS, crosses: 60 * MINUTE_MS },
  'Cell Biology/ULT freezer 1': { begins: 9.25 * DAY_MS, crosses: 9 * DAY_MS, repaired: 8.9 * DAY_MS },
  'Biobank/ULT freezer 1': { begins: 16.5 * DAY_MS, crosses: 16 * DAY_MS, repaired: 15.8 * DAY_MS },
  'Pharmacology/Fridge 1': { begins: 4.2 * DAY_MS, crosses: 4 * DAY_MS, repaired: 3.9 * DAY_MS },
  'Neuroscience/ULT freezer 3': { begins: 14.6 * HOUR_MS, crosses: 13.5 * HOUR_MS, repaired: 11 * HOUR_MS },
  'Neuroscience/Fridge 2': { begins: 12.3 * DAY_MS, crosses: 12.1 * DAY_MS, repaired: 11.95 * DAY_MS },
  'Biobank/ULT freezer 9': { begins: 22.5 * DAY_MS, crosses: 22.2 * DAY_MS, repaired: 22.05 * DAY_MS },
  'Pharmacology/ULT freezer 2': { begins: 6.4 * DAY_MS, crosses: 6.25 * DAY_MS, repaired: 6.1 * DAY_MS },
  'Cell Biology/Freezer 2': { begins: 40 * HOUR_MS, crosses: 36 * HOUR_MS, repaired: 34 * HOUR_MS },
};

export const planDemo = (seed: number, { until }: Period): DemoUnit[] =>
  EQUIPMENT.flatMap(([organization, short, units], place) =>
    units.map(([kind, name], index): DemoUnit => {
      const story = STORIES[`${organization}/${name}`];
      return {
        organization,
        kind,
        name,
        seed: seedFor(seed, 100 * place + index),
        device: `demo-${short}-${String(index + 1).padStart(2, '0')}`,
        failure:
          story && 'begins' in story
            ? {
                beginsAt: until - story.begins,
                crossesAt: until - story.crosses,
                ...(story.repaired !== undefined && { repairedAt: until - story.repaired }),
              }
            : null,
        offlineFrom: story && 'offline' in story ? until - story.offline : null,
      };
    }),
  );

/** While something happens to it, a unit's readings are judged one by one. */
export function isEventful({ failure }: DemoUnit, { from, until }: Period): boolean {
  if (!failure) return false;
  const endsAt = (failure.repairedAt ?? Number.POSITIVE_INFINITY) + 2 * HOUR_MS;
  return failure.beginsAt < until && endsAt > from;
}

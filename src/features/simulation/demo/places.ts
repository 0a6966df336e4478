// Where the units of the demonstration stand, and what is to be done there.
import type { UnitKind } from '../../../domain/simulation/unit.ts';
import type { DemoUnit } from './plan.ts';

/** Of a laboratory that stands elsewhere than the first one; what is not named stands as it does there. */
const PLACES: Record<string, Partial<Record<UnitKind, string>>> = {
  Biobank: { cryo_tank: 'Cryo hall', cold_room: 'Vault 1', freezer: 'Reception' },
  Pharmacology: {
    fridge: 'Room 2.14',
    freezer: 'Room 2.14',
    incubator: 'Room 2.15',
    ultra_low_freezer: 'Room 2.16',
  },
  Neuroscience: {
    ultra_low_freezer: 'West wing / Floor 3 / Corridor',
    incubator: 'West wing / Floor 3 / Room 3.07',
    fridge: 'West wing / Floor 3 / Room 3.08',
    cryo_tank: 'West wing / Basement',
  },
};

const VAULT_PLACES = 6;

/** Nothing: where units of its kind usually stand. */
export function placeOf({ organization, kind, name }: DemoUnit): { location?: string } {
  if (organization === 'Biobank' && kind === 'ultra_low_freezer')
    return { location: numberOf(name) <= VAULT_PLACES ? 'Vault 1' : 'Vault 2' };
  const location = PLACES[organization]?.[kind];
  return location === undefined ? {} : { location };
}

const numberOf = (name: string): number => Number(name.replace(/\D+/g, ''));

const PORTER = 'Porter, day and night: +49 30 555 0100';

export const guidanceOf = ({ kind }: DemoUnit) =>
  kind === 'ultra_low_freezer'
    ? {
        what_to_do: [
          '1. Leave the door shut: closed, it holds about four hours.',
          '2. Listen: does the compressor run? Is the plug in?',
          '3. At −65 °C move the samples, class A first. The key is at the porter.',
        ].join('\n'),
        contents: 'Cell lines and patient samples',
        owner: 'Core facility',
        value_class: 'A',
        phones: [PORTER],
      }
    : undefined;

const RACKS = 16;
const DANGER_DEGREES = -50;

/** What is inside, and who can take in what. */
export const rescueOf = ({ kind, name }: DemoUnit) => {
  const number = numberOf(name);
  return kind === 'ultra_low_freezer'
    ? {
        temperature_class: 'ultra_low',
        racks: number % 3 === 0 ? 0 : RACKS - 2 * (number % 4),
        free_racks: number % 3 === 0 ? RACKS : null,
        rescue_order: number,
        danger_value: DANGER_DEGREES,
      }
    : undefined;
};

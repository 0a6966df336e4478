// Where what is in a unit goes before anywhere else, as somebody typed it: names of units, or their numbers.
import type { ServiceId } from '../ids.ts';
import { message } from '../language/message.ts';
import type { Language } from '../language/speak.ts';
import { ok, type Result, refuse } from '../result.ts';

export const PREFERRED = { word: 'preferred_refuges', title: message('Preferred refuges') } as const;

export const MOST_PREFERRED = 5;

export interface NamedUnit {
  id: ServiceId;
  name: string;
}

const FAULTS = {
  no_such_unit: message('There is no unit “{name}” here.'),
  several_units: message('Several units are called “{name}”: add its number, such as “{example}”.'),
  same_unit: message('What is in a unit cannot go to the unit itself.'),
  too_many: message('Give {most} of them at most.'),
} as const;

export interface RefusedPreferred {
  field: 'preferred';
  fault: keyof typeof FAULTS;
  /** In the list that was typed. */
  place: number;
  name: string;
  example: string;
}

export function sayPreferredFault({ fault, name, example }: RefusedPreferred, { say }: Language): string {
  if (fault === 'no_such_unit') return say(FAULTS.no_such_unit, { name });
  if (fault === 'several_units') return say(FAULTS.several_units, { name, example });
  return fault === 'too_many' ? say(FAULTS.too_many, { most: MOST_PREFERRED }) : say(FAULTS.same_unit);
}

const NUMBERED = /(?:^|\s)#(\d{1,9})$/;

/** `Freezer 12 #345` and `#345` name the unit with that number. null: by its name alone. */
export const numberIn = (text: string): number | null => {
  const number = NUMBERED.exec(text)?.[1];
  return number === undefined ? null : Number(number);
};

/** As a form shows it: by its name where that is enough. */
export const nameOf = ({ id, name }: NamedUnit, units: readonly NamedUnit[]): string =>
  units.some((other) => other.id !== id && isCalled(other, name)) || numberIn(name) !== null
    ? `${name} #${id}`
    : name;

const isCalled = ({ name }: NamedUnit, typed: string): boolean =>
  name.trim().toLowerCase() === typed.trim().toLowerCase();

/** Blank lines say nothing, and who is named twice comes where it is named first. `units`: all that any of the lines may mean. */
export function readPreferred(
  typed: readonly string[],
  units: readonly NamedUnit[],
  own: ServiceId,
): Result<ServiceId[], RefusedPreferred> {
  const found: ServiceId[] = [];
  for (const [place, text] of typed.entries()) {
    const name = text.trim();
    if (name === '') continue;
    const refuseFor = (fault: RefusedPreferred['fault'], example = '') =>
      refuse({ field: 'preferred' as const, fault, place, name, example });
    const number = numberIn(name);
    const meant = units.filter((unit) => (number === null ? isCalled(unit, name) : unit.id === number));
    const [unit, other] = meant;
    if (!unit) return refuseFor('no_such_unit');
    if (other) return refuseFor('several_units', `${unit.name} #${unit.id}`);
    if (unit.id === own) return refuseFor('same_unit');
    if (found.includes(unit.id)) continue;
    if (found.length === MOST_PREFERRED) return refuseFor('too_many');
    found.push(unit.id);
  }
  return ok(found);
}

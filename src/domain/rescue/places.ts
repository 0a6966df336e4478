// Places that names of locations begin with: a room, its floor, its building.
import { partsOf, splitPlace } from './rank-refuges.ts';

const AS_SHOWN = ' / ';

/** Whether it is the place itself or a part of it. What stands nowhere is in no place. */
export function isWithin(place: string, locationName: string | null): boolean {
  if (locationName === null) return false;
  const [asked, parts] = [partsOf(place), partsOf(locationName)];
  return asked.length > 0 && asked.every((part, at) => part === parts[at]);
}

/** Each with all that it is a part of, once, in the order of their names. */
export function listPlaces(names: Iterable<string>): string[] {
  const places = new Map<string, string>();
  for (const name of names) {
    const parts = splitPlace(name);
    for (const [at] of parts.entries()) {
      const place = parts.slice(0, at + 1).join(AS_SHOWN);
      const key = place.toLowerCase();
      if (!places.has(key)) places.set(key, place);
    }
  }
  return [...places.entries()].sort(([one], [other]) => NAMES.compare(one, other)).map(([, place]) => place);
}
const NAMES = new Intl.Collator('en', { numeric: true });

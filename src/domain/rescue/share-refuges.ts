// Where each of many units goes, so that no rack is promised twice: in the order of rescue each has the best place that still
// has room. It comes to the same as ranking anew for each of them, and costs by the locations there are.
import { comparedPartsOf } from '../equipment/place-tree.ts';
import type { ServiceId } from '../ids.ts';
import {
  apartOf,
  compareRanks,
  distanceBetween,
  isFit,
  isSteady,
  type Need,
  type Refuge,
  racksOf,
} from './rank-refuges.ts';
import { ALL_TEMPERATURE_CLASSES, type TemperatureClass } from './rescue.ts';

/** null: there is none left that has room for all of it. */
export type Shared = Map<ServiceId, Refuge | null>;

/** Stops after each. `freeRacks` of a refuge that is answered is what it had for this one. */
export function* shareRefuges(inOrder: readonly Need[], refuges: readonly Refuge[]): Generator<void, Shared> {
  const stock = openStock(refuges);
  const shared: Shared = new Map();
  for (const need of inOrder) {
    shared.set(need.serviceId, stock.take(need));
    yield;
  }
  return shared;
}

/** What is promised in each of them. */
export function countPromised(inOrder: readonly Need[], shared: Shared): Map<ServiceId, number> {
  const promised = new Map<ServiceId, number>();
  for (const need of inOrder) {
    const refuge = shared.get(need.serviceId);
    if (refuge) promised.set(refuge.serviceId, (promised.get(refuge.serviceId) ?? 0) + racksOf(need));
  }
  return promised;
}

/** Those of one class and one location that are equally steady, the emptiest first. */
interface Shelf {
  location: string | null;
  refuges: Refuge[];
  isSorted: boolean;
}

const byRoom = (one: Refuge, other: Refuge): number =>
  compareRanks([-one.freeRacks, one.serviceId], [-other.freeRacks, other.serviceId]);

function openStock(refuges: readonly Refuge[]) {
  const shelves = new Map<string, Shelf[]>();
  const byPlace = new Map<string, Shelf>();
  const byId = new Map<ServiceId, { one: Refuge; shelf: Shelf }>();
  const groupName = (has: TemperatureClass | null, steady: boolean) => `${has} ${steady}`;
  for (const one of refuges) {
    if (!isFit(one)) continue;
    const group = groupName(one.temperatureClass, isSteady(one));
    const place = `${group} ${one.locationName ?? ''} ${one.locationName === null}`;
    const shelf = byPlace.get(place) ?? { location: one.locationName, refuges: [], isSorted: false };
    if (shelf.refuges.push(one) === 1) {
      byPlace.set(place, shelf);
      shelves.set(group, [...(shelves.get(group) ?? []), shelf]);
    }
    byId.set(one.serviceId, { one, shelf });
  }
  const distances = openDistances();
  const near = new Map<string, Shelf[][]>();

  /** Those at the same distance beside each other, the nearest first. */
  function listNear(group: string, location: string | null): Shelf[][] {
    const name = `${group} ${location ?? ''} ${location === null}`;
    const known = near.get(name);
    if (known) return known;
    const byDistance: Shelf[][] = [];
    for (const shelf of shelves.get(group) ?? []) {
      const distance = distances(location, shelf.location);
      byDistance[distance] = [...(byDistance[distance] ?? []), shelf];
    }
    const listed = byDistance.filter((some) => some !== undefined);
    near.set(name, listed);
    return listed;
  }

  function findPreferred(need: Need, has: TemperatureClass): Refuge | null {
    for (const id of need.preferredIds) {
      const one = byId.get(id)?.one;
      if (one?.temperatureClass === has && hasRoom(need, one)) return one;
    }
    return null;
  }

  function findNearest(need: Need, has: TemperatureClass): Refuge | null {
    for (const steady of [true, false])
      for (const some of listNear(groupName(has, steady), need.locationName)) {
        const best = some
          .flatMap((shelf) => sorted(shelf).find(({ serviceId }) => serviceId !== need.serviceId) ?? [])
          .filter((one) => hasRoom(need, one))
          .sort(byRoom)[0];
        if (best) return best;
      }
    return null;
  }

  function takeFrom({ serviceId }: Refuge, racks: number): void {
    const found = byId.get(serviceId);
    if (!found) return;
    const { one, shelf } = found;
    const others = sorted(shelf);
    others.splice(others.indexOf(one), 1);
    const left = { ...one, freeRacks: one.freeRacks - racks };
    const place = others.findIndex((other) => byRoom(left, other) < 0);
    others.splice(place < 0 ? others.length : place, 0, left);
    byId.set(serviceId, { one: left, shelf });
  }

  return {
    take(need: Need): Refuge | null {
      for (const has of ALL_TEMPERATURE_CLASSES.toReversed()) {
        if (apartOf(need.temperatureClass, has) === null) continue;
        const best = findPreferred(need, has) ?? findNearest(need, has);
        if (!best) continue;
        takeFrom(best, racksOf(need));
        return best;
      }
      return null;
    },
  };
}

const hasRoom = (need: Need, one: Refuge): boolean =>
  one.serviceId !== need.serviceId && one.freeRacks >= racksOf(need);

function sorted(shelf: Shelf): Refuge[] {
  if (!shelf.isSorted) shelf.refuges.sort(byRoom);
  shelf.isSorted = true;
  return shelf.refuges;
}

/** Each name is read once. */
function openDistances() {
  const known = new Map<string, string[]>();
  const read = (name: string): string[] => {
    const parts = known.get(name) ?? comparedPartsOf(name);
    known.set(name, parts);
    return parts;
  };
  return (one: string | null, other: string | null): number =>
    distanceBetween(one === null ? null : read(one), other === null ? null : read(other));
}

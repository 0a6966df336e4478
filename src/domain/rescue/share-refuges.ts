// Where each of many units goes, so that no rack is promised twice: in the order of rescue each has the best place that still
// has room. It comes to the same as ranking anew for each of them, and costs by the locations there are.
import { comparedPartsOf } from '../equipment/place-tree.ts';
import type { ServiceId } from '../ids.ts';
import {
  apartOf,
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
  const stock = yield* openStock(refuges);
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

/** Of tens of thousands. */
const byRoom = (one: Refuge, other: Refuge): number =>
  other.freeRacks - one.freeRacks || one.serviceId - other.serviceId;

const FEW = 500;

function* openStock(refuges: readonly Refuge[]) {
  const byPlace = new Map<string, Map<string | null, Shelf>>();
  const byId = new Map<ServiceId, { one: Refuge; shelf: Shelf }>();
  const groupName = (has: TemperatureClass | null, steady: boolean) => `${has} ${steady}`;
  for (const [place, one] of refuges.entries()) {
    if (place % FEW === FEW - 1) yield;
    if (!isFit(one)) continue;
    const group = groupName(one.temperatureClass, isSteady(one));
    const places = byPlace.get(group) ?? new Map<string | null, Shelf>();
    byPlace.set(group, places);
    const shelf = places.get(one.locationName) ?? {
      location: one.locationName,
      refuges: [],
      isSorted: false,
    };
    if (shelf.refuges.push(one) === 1) places.set(one.locationName, shelf);
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
    for (const shelf of byPlace.get(group)?.values() ?? []) {
      const distance = distances(location, shelf.location);
      const same = byDistance[distance];
      if (same) same.push(shelf);
      else byDistance[distance] = [shelf];
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
        let best: Refuge | null = null;
        for (const shelf of some) {
          const [first, second] = sorted(shelf);
          const one = first?.serviceId === need.serviceId ? second : first;
          if (one && hasRoom(need, one) && (!best || byRoom(one, best) < 0)) best = one;
        }
        if (best) return best;
      }
    return null;
  }

  function takeFrom({ serviceId }: Refuge, racks: number): void {
    const found = byId.get(serviceId);
    if (!found) return;
    const { one, shelf } = found;
    const others = sorted(shelf);
    others.splice(findPlace(others, one), 1);
    const left = { ...one, freeRacks: one.freeRacks - racks };
    others.splice(findPlace(others, left), 0, left);
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

/** Where it stands, or would. */
function findPlace(inOrder: readonly Refuge[], one: Refuge): number {
  let [low, high] = [0, inOrder.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (byRoom(inOrder[middle] as Refuge, one) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

// Who would go where if a place had no power.
import type { Need, Refuge } from './rank-refuges.ts';
import { ALL_TEMPERATURE_CLASSES, type TemperatureClass } from './rescue.ts';
import type { Shared } from './share-refuges.ts';

export interface Lacking {
  temperatureClass: TemperatureClass;
  units: number;
  racks: number;
}

/** What finds no place that has room for all of it, by class, the coldest first. */
export function countLacking(inOrder: readonly Need[], shared: Shared): Lacking[] {
  const homeless = inOrder.filter(({ serviceId }) => !shared.get(serviceId));
  return ALL_TEMPERATURE_CLASSES.flatMap((temperatureClass) => {
    const some = homeless.filter((need) => need.temperatureClass === temperatureClass);
    if (some.length === 0) return [];
    return [{ temperatureClass, units: some.length, racks: some.reduce((sum, { racks }) => sum + racks, 0) }];
  });
}

export interface Destination<Unit extends Need> {
  unit: Unit;
  /** null: nothing that is left has room for all of it. */
  refuge: Refuge | null;
}

export const listDestinations = <Unit extends Need>(
  inOrder: readonly Unit[],
  shared: Shared,
): Destination<Unit>[] => inOrder.map((unit) => ({ unit, refuge: shared.get(unit.serviceId) ?? null }));

// Who would go where if a place had no power: all that is in its units, to refuges outside of it, in the order of rescue.
import type { OrganizationId } from '../../domain/ids.ts';
import { countLacking, type Destination, type Lacking, listDestinations } from '../../domain/rescue/drill.ts';
import { classesFor } from '../../domain/rescue/rank-refuges.ts';
import { shareRefuges } from '../../domain/rescue/share-refuges.ts';
import { inOrderOfRescue, type UnitToEmpty } from '../../domain/rescue/turns.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { inSlices } from '../../platform/in-slices.ts';
import { readGuidanceOf } from '../guidance/guidance-rows.ts';
import { selectRefugesOutside, selectUnitsIn } from './drill-rows.ts';

export interface DrillPlan {
  destinations: Destination<UnitToEmpty>[];
  units: number;
  racks: number;
  lacking: Lacking[];
  /** Units there of which nobody said how cold they have to be. */
  unsaid: number;
}

export type DrillPlanRefusal = 'no_such_place' | 'too_many_units';

/** No place is moved by hand that is larger. */
export const MOST_UNITS = 1_000;

export async function readDrill(
  db: ReadDatabase,
  organizationId: OrganizationId,
  locationIds: readonly number[],
  now: Date,
): Promise<Result<DrillPlan, DrillPlanRefusal>> {
  const found = await selectUnitsIn(db, organizationId, locationIds, MOST_UNITS + 1);
  if (found.length === 0) return refuse('no_such_place');
  if (found.length > MOST_UNITS) return refuse('too_many_units');
  const guidance = await readGuidanceOf(
    db,
    found.map(({ serviceId }) => serviceId),
  );
  const units = found.flatMap(({ temperatureClass, ...unit }): UnitToEmpty[] =>
    temperatureClass === null || unit.racks <= 0
      ? []
      : [
          {
            ...unit,
            temperatureClass,
            valueClass: (guidance.get(unit.serviceId)?.valueClass?.value ??
              null) as UnitToEmpty['valueClass'],
            leftMs: null,
          },
        ],
  );
  const inOrder = inOrderOfRescue(units);
  const classes = [...new Set(inOrder.flatMap(({ temperatureClass }) => classesFor(temperatureClass)))];
  const refuges =
    classes.length === 0 ? [] : await selectRefugesOutside(db, { organizationId, classes, locationIds }, now);
  const shared = await inSlices(shareRefuges(inOrder, refuges));
  return ok({
    destinations: listDestinations(inOrder, shared),
    units: inOrder.length,
    racks: inOrder.reduce((sum, { racks }) => sum + racks, 0),
    lacking: countLacking(inOrder, shared),
    unsaid: found.filter(({ temperatureClass }) => temperatureClass === null).length,
  });
}

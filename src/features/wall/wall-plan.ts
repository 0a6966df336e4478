// The floor plan of what a wall shows: never of more, and no unit that is not on the wall.
import { branchOf } from '../../domain/equipment/place-tree.ts';
import { type FloorPlan, selectMarkers, selectPlanOf } from '../../engine/floor-plans/floor-plans.ts';
import { type PlanModel, pictureVersion } from '../../engine/floor-plans/plan-view.tsx';
import type { ReadDatabase } from '../../platform/db/database.ts';
import type { Wall, WatchedService } from './queries.ts';
import { stateOf } from './wall-model.ts';

/** null: it shows all of the organization, or its place has none. */
export async function findWallPlan(
  db: ReadDatabase,
  { organizationId, branch, locationName }: Pick<Wall, 'organizationId' | 'branch' | 'locationName'>,
): Promise<FloorPlan | null> {
  const shown = branch ?? (locationName === null ? null : branchOf(locationName));
  return shown === null ? null : selectPlanOf(db, [organizationId], shown);
}

export async function readWallPlan(
  db: ReadDatabase,
  wall: Pick<Wall, 'organizationId' | 'branch' | 'locationName'> & { token: string },
  watched: readonly WatchedService[],
  now: Date,
): Promise<PlanModel | null> {
  const plan = await findWallPlan(db, wall);
  if (!plan) return null;
  const units = new Map(watched.map((unit) => [unit.id, unit]));
  return {
    plan,
    src: `/wall/${wall.token}/floor-plan?v=${pictureVersion(plan)}`,
    name: wall.locationName ?? '',
    markers: (await selectMarkers(db, plan, now)).flatMap((marker) => {
      const unit = units.get(marker.serviceId);
      // As the wall itself has it: who is notified is nobody's business there.
      return unit ? [{ ...marker, state: stateOf(unit) }] : [];
    }),
  };
}

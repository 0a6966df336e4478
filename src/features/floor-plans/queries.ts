import sql from 'sql-template-tag';
import type { UnitState } from '../../domain/equipment/unit-state.ts';
import type { ServiceId } from '../../domain/ids.ts';
import { findWantedLocations } from '../../engine/equipment/branches.ts';
import type { FloorPlan } from '../../engine/floor-plans/floor-plans.ts';
import { unitState } from '../../engine/sql-parts/service-state.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';

export interface PlanUnit {
  serviceId: ServiceId;
  name: string;
  /** Both null: it stands nowhere in the picture. */
  x: number | null;
  y: number | null;
}

/** A form has as many rows; a plan takes fewer. */
const MOST_UNITS = 500;

/** Those in the picture, and those that stand in its place. */
export async function selectPlanUnits(
  db: ReadDatabase,
  { id, organizationId, branch }: Pick<FloorPlan, 'id' | 'organizationId' | 'branch'>,
): Promise<PlanUnit[]> {
  const locationIds = await findWantedLocations(db, [organizationId], { locationId: null, branch });
  return db.query<PlanUnit>(sql`
    select service.id as "serviceId", service.name, x, y
    from service left join asset on asset.id = asset_id
    left join floor_plan_marker marker on marker.service_id = service.id and plan_id = ${id}
    where service.organization_id = ${organizationId} and archived_at is null
      and (plan_id is not null or asset.location_id = any(${locationIds}::int[]))
    order by plan_id is null, natural_order(service.name), service.id limit ${MOST_UNITS}`);
}

/** By the plan. */
export const countMarkers = async (db: ReadDatabase, planIds: readonly number[]) => {
  const rows = await db.query<{ planId: number; units: number }>(sql`
    select plan_id as "planId", count(*)::int as "units"
    from floor_plan_marker join service on service.id = service_id and archived_at is null
    where plan_id = any(${planIds}::int[]) group by 1`);
  return new Map(rows.map(({ planId, units }) => [planId, units]));
};

/** How units stand, those included that are not in the picture yet. */
export const selectStates = async (db: ReadDatabase, serviceIds: readonly ServiceId[], now: Date) => {
  const rows = await db.query<{ serviceId: ServiceId; state: UnitState }>(sql`
    select service_id as "serviceId", ${unitState(now)} as "state" from alarm_state state
    where service_id = any(${serviceIds}::int[])`);
  return new Map(rows.map(({ serviceId, state }) => [serviceId, state]));
};

// Floor plans as they are stored, and the units that stand in them.
import sql from 'sql-template-tag';
import type { UnitState } from '../../domain/equipment/unit-state.ts';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import { first, type ReadDatabase, type Tx } from '../../platform/db/database.ts';
import type { CleanPicture } from '../../platform/picture/clean-picture.ts';
import { keeping } from '../mosts/keep-most.ts';
import { unitState } from '../sql-parts/service-state.ts';

export interface FloorPlan {
  id: number;
  organizationId: OrganizationId;
  branch: string;
  width: number;
  height: number;
  changedAt: Date;
}

const PLAN = sql`id, organization_id as "organizationId", branch, width, height, changed_at as "changedAt"`;

/** Not more than there can be. */
export const selectPlans = (db: ReadDatabase, organizationIds: readonly OrganizationId[]) =>
  db.query<FloorPlan>(sql`
    select ${PLAN} from floor_plan where organization_id = any(${organizationIds}::int[])
    order by organization_id, natural_order(branch), id`);

/** null: there is none, or it is of somebody else. */
export const selectPlan = async (
  db: ReadDatabase,
  organizationIds: readonly OrganizationId[],
  planId: number,
) =>
  first(
    await db.query<FloorPlan>(sql`
      select ${PLAN} from floor_plan where id = ${planId} and organization_id = any(${organizationIds}::int[])`),
  );

export const selectPlanOf = async (
  db: ReadDatabase,
  organizationIds: readonly OrganizationId[],
  branch: string,
) =>
  first(
    await db.query<FloorPlan>(sql`
      select ${PLAN} from floor_plan where organization_id = any(${organizationIds}::int[]) and branch = ${branch}
      order by organization_id limit 1`),
  );

export const selectPicture = async (db: ReadDatabase, { id }: Pick<FloorPlan, 'id'>) =>
  first(await db.query<{ picture: Buffer }>(sql`select picture from floor_plan where id = ${id}`))?.picture ??
  null;

export interface Marker {
  serviceId: ServiceId;
  name: string;
  x: number;
  y: number;
  state: UnitState;
}

/** None that is archived. */
export const selectMarkers = (db: ReadDatabase, { id }: Pick<FloorPlan, 'id'>, now: Date) =>
  db.query<Marker>(sql`
    select service.id as "serviceId", service.name, x, y, ${unitState(now)} as "state"
    from floor_plan_marker marker
    join service on service.id = marker.service_id and archived_at is null
    join alarm_state state on state.service_id = service.id
    where plan_id = ${id} order by natural_order(service.name), service.id`);

/** In the place of the one that was there. */
export const insertPlan = async (
  tx: Tx,
  organizationId: OrganizationId,
  branch: string,
  { width, height, png }: CleanPicture,
  now: Date,
) =>
  first(
    await keeping(
      tx,
      'floorPlans',
      [organizationId],
      tx.query<{ id: number; isNew: boolean }>(sql`
        insert into floor_plan (organization_id, branch, width, height, picture, changed_at)
        values (${organizationId}, ${branch}, ${width}, ${height}, ${png}, ${now})
        on conflict (organization_id, branch) do update
          set width = excluded.width, height = excluded.height, picture = excluded.picture, changed_at = excluded.changed_at
        returning id, xmax = 0 as "isNew"`),
    ),
  );

export const deletePlan = (tx: Tx, { id }: Pick<FloorPlan, 'id'>) =>
  tx.query(sql`delete from floor_plan where id = ${id}`);

export interface Position {
  serviceId: ServiceId;
  x: number;
  y: number;
}

/** These, and no others. */
export async function writeMarkers(
  tx: Tx,
  { id, organizationId }: Pick<FloorPlan, 'id' | 'organizationId'>,
  positions: readonly Position[],
): Promise<void> {
  await tx.query(sql`
    delete from floor_plan_marker
    where plan_id = ${id} and service_id <> all(${positions.map(({ serviceId }) => serviceId)}::int[])`);
  const writing = tx.query(sql`
    insert into floor_plan_marker (plan_id, organization_id, service_id, x, y)
    select ${id}::int, ${organizationId}::int, * from unnest(${positions.map(({ serviceId }) => serviceId)}::int[],
      ${positions.map(({ x }) => x)}::int[], ${positions.map(({ y }) => y)}::int[])
    on conflict (plan_id, service_id) do update set x = excluded.x, y = excluded.y returning plan_id`);
  await keeping(tx, 'floorPlanMarkers', [id], writing);
}

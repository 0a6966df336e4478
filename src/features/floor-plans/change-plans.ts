// The verbs on floor plans. Pictures are made anew before they come here.
import { nameBranch } from '../../domain/equipment/place-tree.ts';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import { message } from '../../domain/language/message.ts';
import type { Sayable } from '../../domain/language/sayable.ts';
import { ok, refuse } from '../../domain/result.ts';
import { writeAudit } from '../../engine/audit/write-audit.ts';
import { selectLocationNames } from '../../engine/equipment/branches.ts';
import {
  deletePlan,
  type FloorPlan,
  insertPlan,
  type Position,
  selectPlan,
  writeMarkers,
} from '../../engine/floor-plans/floor-plans.ts';
import { readPageId } from '../../engine/pages/page-routes.ts';
import type { SettingsVerb } from '../../engine/pages/settings-routes.ts';
import type { Visitor } from '../../engine/pages/visitor.ts';
import { readWantedPlace } from '../../engine/pages/wanted-place.ts';
import type { ReadDatabase, Tx } from '../../platform/db/database.ts';
import type { CleanPicture } from '../../platform/picture/clean-picture.ts';
import { FLOOR_PLANS } from './paths.ts';
import { selectPlanUnits } from './queries.ts';
import { readPositions } from './read-positions.ts';

type PlanRefusal = 'no_share' | 'half_a_place';

export const PLAN_REFUSALS: Record<PlanRefusal, [field: string, text: Sayable]> = {
  no_share: ['markers', message('Where a unit stands is said from 0 to 100, in percent of the picture.')],
  half_a_place: [
    'markers',
    message('Say for each unit both how far from the left and how far from the top, or neither.'),
  ],
};

/** As its places are called by now. */
export async function namePlace(
  db: ReadDatabase,
  { organizationId, branch }: Pick<FloorPlan, 'organizationId' | 'branch'>,
): Promise<string> {
  const names = (await selectLocationNames(db, [organizationId])).map(({ name }) => name);
  return nameBranch(branch, names) ?? branch.replaceAll('/', ' / ');
}

/** Of which place; null: nothing stands there. */
export async function findPlace(
  db: ReadDatabase,
  organizationId: OrganizationId,
  typed: string | undefined,
): Promise<{ branch: string; name: string } | null> {
  const { branch } = readWantedPlace(typed);
  if (branch === null) return null;
  const names = (await selectLocationNames(db, [organizationId])).map(({ name }) => name);
  const name = nameBranch(branch, names);
  return name === null ? null : { branch, name };
}

export async function upload(
  tx: Tx,
  requester: Visitor,
  { organizationId, branch, name, picture }: UploadInput,
  now: Date,
): Promise<number> {
  const plan = await insertPlan(tx, organizationId, branch, picture, now);
  if (!plan) throw new Error('A floor plan was not stored');
  const { width, height } = picture;
  const detail = { plan: plan.id, name, width, height, replaced: !plan.isNew };
  await writeAudit(tx, requester, { action: 'floor_plan.upload', organizationId, detail }, now);
  return plan.id;
}

interface UploadInput {
  organizationId: OrganizationId;
  branch: string;
  name: string;
  picture: CleanPicture;
}

export const place: SettingsVerb<PlanRefusal> = async (
  tx,
  requester,
  { organizationId, params, form },
  now,
) => {
  const plan = await selectPlan(tx, [organizationId], readPageId(params.plan_id) ?? 0);
  if (!plan) return refuse('not_found');
  const read = readPositions(form);
  if (!read.ok) return read;
  const units = await selectPlanUnits(tx, plan);
  const known = new Map(units.map((unit) => [unit.serviceId, unit]));
  const positions = read.value.filter(({ serviceId }) => known.has(serviceId));
  await writeMarkers(tx, plan, positions);
  const units_placed = describe(positions, known);
  const name = await namePlace(tx, plan);
  const detail = { plan: plan.id, name, units: units_placed };
  await writeAudit(tx, requester, { action: 'floor_plan.mark', organizationId, detail }, now);
  return ok({});
};

const describe = (
  positions: readonly Position[],
  known: ReadonlyMap<ServiceId, { name: string }>,
): string[] => positions.map(({ serviceId, x, y }) => `${known.get(serviceId)?.name}: ${x / 10}, ${y / 10}`);

export const remove: SettingsVerb<PlanRefusal> = async (tx, requester, { organizationId, params }, now) => {
  const plan = await selectPlan(tx, [organizationId], readPageId(params.plan_id) ?? 0);
  if (!plan) return refuse('not_found');
  const name = await namePlace(tx, plan);
  await deletePlan(tx, plan);
  const detail = { plan: plan.id, name };
  await writeAudit(tx, requester, { action: 'floor_plan.delete', organizationId, detail }, now);
  return ok({ to: FLOOR_PLANS, done: 'delete' });
};

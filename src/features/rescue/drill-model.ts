// Of which place it is asked who would go where, and the answer.
import { roleIn } from '../../domain/accounts/requester.ts';
import { canOperate } from '../../domain/accounts/role.ts';
import { type BranchChoice, listBranches, nameBranch } from '../../domain/equipment/place-tree.ts';
import type { OrganizationId } from '../../domain/ids.ts';
import { findWantedLocations } from '../../engine/equipment/branches.ts';
import type { Choice } from '../../engine/pages/place-choices.tsx';
import type { Visitor } from '../../engine/pages/visitor.ts';
import {
  isAnyPlace,
  readWantedPlace,
  type WantedPlace,
  writeWantedPlace,
} from '../../engine/pages/wanted-place.ts';
import { type DrillPlan, type DrillPlanRefusal, readDrill } from '../../engine/rescue/read-drill.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { selectLocations } from './queries.ts';

export interface DrillModel {
  organizationId: OrganizationId;
  organizations: Choice[];
  locations: Choice[];
  branches: BranchChoice[];
  wanted: WantedPlace;
  canKeep: boolean;
  /** As people call it; null: none was chosen, or nothing stands there. */
  place: string | null;
  plan: DrillPlan | null;
  refusal: DrillPlanRefusal | null;
}

/** null: it is of an organization that the visitor does not belong to. */
export async function readDrillModel(
  db: ReadDatabase,
  visitor: Visitor,
  query: Record<string, string | undefined>,
): Promise<DrillModel | null> {
  const organizationId = findOrganization(visitor, query.organization);
  if (organizationId === null) return null;
  const locations = await selectLocations(db, organizationId);
  const wanted = readWantedPlace(query.location);
  const choices = {
    organizationId,
    organizations: visitor.memberships.map((one): Choice => [one.organizationId, one.organizationName]),
    locations: locations.map(({ id, name }): Choice => [id, name]),
    branches: listBranches(locations.map(({ name }) => name)),
    wanted,
    canKeep: canOperate(roleIn(visitor, organizationId)),
  };
  if (isAnyPlace(wanted)) return { ...choices, place: null, plan: null, refusal: null };
  const place =
    wanted.branch === null
      ? (locations.find(({ id }) => id === wanted.locationId)?.name ?? null)
      : nameBranch(
          wanted.branch,
          locations.map(({ name }) => name),
        );
  if (place === null) return { ...choices, place, plan: null, refusal: 'no_such_place' };
  const ids = (await findWantedLocations(db, [organizationId], wanted)) ?? [];
  const plan = await readDrill(db, organizationId, ids, visitor.now);
  return plan.ok
    ? { ...choices, place, plan: plan.value, refusal: null }
    : { ...choices, place, plan: null, refusal: plan.refusal };
}

export const findOrganization = (
  { memberships }: Pick<Visitor, 'memberships'>,
  asked: string | undefined,
): OrganizationId | null =>
  (asked ? memberships.find(({ organizationId }) => String(organizationId) === asked) : memberships[0])
    ?.organizationId ?? null;

export const drillQuery = ({
  organizationId,
  wanted,
}: Pick<DrillModel, 'organizationId' | 'wanted'>): string =>
  String(
    new URLSearchParams({
      organization: String(organizationId),
      location: writeWantedPlace(wanted) ?? '',
    }),
  );

// What the overview shows: places with their units, and beside them who is on call, what is not heard, and who would be reached; or
// one branch of the places alone.
import { organizationIdsOf } from '../../domain/accounts/requester.ts';
import { findBranchAbove, isInBranch, nameBranch } from '../../domain/equipment/place-tree.ts';
import type { OrganizationId } from '../../domain/ids.ts';
import { formatLocalInput } from '../../domain/local-time.ts';
import { selectMarkers, selectPlanOf, selectPlans } from '../../engine/floor-plans/floor-plans.ts';
import { type PlanModel, planPicturePath } from '../../engine/floor-plans/plan-view.tsx';
import { type FirstStepsModel, readFirstSteps } from '../../engine/pages/first-steps.tsx';
import { OVERVIEW } from '../../engine/pages/navigation.ts';
import { readPageId } from '../../engine/pages/page-routes.ts';
import type { Visitor } from '../../engine/pages/visitor.ts';
import { readWantedPlace, writeBranch } from '../../engine/pages/wanted-place.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { type BesideModel, readBeside } from './beside-model.ts';
import type { LookForGaps } from './remember-gaps.ts';
import type { ReadPlaces } from './remember-places.ts';
import { countUnits, isLarge, type ReadUnits } from './remember-units.ts';
import { type EntryModel, placeQuery, showTree } from './tree-model.ts';
import { cutTree, listDrawn, weighTree } from './weigh-tree.ts';

export interface AskedOverview {
  page: number;
  organizationId: OrganizationId | null;
  /** null: all there is. */
  branch: string | null;
}

export interface OverviewModel {
  entries: EntryModel[];
  asked: AskedOverview;
  /** null: it shows all there is. */
  at: BranchHead | null;
  /** null: the place has none. */
  plan: PlanModel | null;
  /** Some of it may be a moment old. */
  isSlow: boolean;
  hasNext: boolean;
  /** null: of a branch only its places are shown. */
  beside: BesideModel | null;
  /** Only while nothing is watched. */
  firstSteps: FirstStepsModel | null;
  timeZone: string;
  asOf: string;
}

interface BranchHead {
  name: string;
  /** As the other pages are asked for it. */
  query: string;
  /** What it stands in; null: the whole. */
  above: { name: string; path: string } | null;
}

const ENTRIES_A_PAGE = 16;
const MOST_PAGES = 1_000;

export const readAskedOverview = (query: Record<string, string | undefined>): AskedOverview => ({
  page: /^[1-9][0-9]{0,3}$/.test(query.page ?? '') ? Math.min(Number(query.page), MOST_PAGES) : 1,
  organizationId: readPageId<OrganizationId>(query.organization),
  branch: readWantedPlace(query.location).branch,
});

export function overviewPath({ organizationId, branch }: AskedOverview, page = 1): string {
  const query = new URLSearchParams(branch === null ? '' : placeQuery(organizationId, writeBranch(branch)));
  if (page > 1) query.set('page', String(page));
  return query.size === 0 ? OVERVIEW : `${OVERVIEW}?${query}`;
}

interface OverviewReaders {
  db: ReadDatabase;
  readPlaces: ReadPlaces;
  readUnits: ReadUnits;
  lookForGaps: LookForGaps;
}

/** null: nothing that the visitor may see stands in that branch. */
export async function readOverview(
  { db, readPlaces, readUnits, lookForGaps }: OverviewReaders,
  visitor: Visitor,
  asked: AskedOverview,
): Promise<OverviewModel | null> {
  const { now } = visitor;
  const { branch, page } = asked;
  const organizationIds = byName(visitor).filter(
    (id) => branch === null || asked.organizationId === null || id === asked.organizationId,
  );
  const [places, plans, beside] = await Promise.all([
    readPlaces(organizationIds, now),
    selectPlans(db, organizationIds),
    branch === null ? readBeside(db, visitor, lookForGaps(organizationIds, now)) : null,
  ]);
  if (branch !== null && !places.some(({ name }) => isInBranch(name, branch))) return null;
  const all = weighTree(places, branch);
  const from = (page - 1) * ENTRIES_A_PAGE;
  const shown = cutTree(all.slice(from, from + ENTRIES_A_PAGE));
  const drawn = listDrawn(shown);
  const units = await readUnits(drawn, now);
  return {
    entries: showTree(
      shown,
      { drawn, units, plans: plans.filter((plan) => plan.branch !== branch) },
      visitor,
    ),
    asked,
    at: branch === null ? null : showHead({ ...asked, branch }, places),
    plan: branch === null ? null : await readPlan(db, organizationIds, { branch, places, now }),
    isSlow: units.some((one) => isLarge(countUnits(one))),
    hasNext: all.length > from + ENTRIES_A_PAGE,
    beside,
    firstSteps: places.length === 0 && page === 1 ? await readFirstSteps(db, visitor) : null,
    timeZone: visitor.timezone,
    asOf: formatLocalInput(now, visitor.timezone).slice(11),
  };
}

/** In the order of their names. */
function byName(visitor: Visitor): OrganizationId[] {
  const { compare } = new Intl.Collator(visitor.language.tag, { numeric: true });
  const memberships = visitor.memberships.toSorted((one, other) =>
    compare(one.organizationName, other.organizationName),
  );
  return organizationIdsOf({ memberships });
}

async function readPlan(
  db: ReadDatabase,
  organizationIds: readonly OrganizationId[],
  { branch, places, now }: { branch: string; places: readonly { name: string | null }[]; now: Date },
): Promise<PlanModel | null> {
  const plan = await selectPlanOf(db, organizationIds, branch);
  if (!plan) return null;
  const names = places.map(({ name }) => name);
  return {
    plan,
    src: planPicturePath(plan),
    name: nameBranch(branch, names) ?? branch,
    markers: await selectMarkers(db, plan, now),
  };
}

function showHead(
  asked: AskedOverview & { branch: string },
  places: readonly { name: string | null }[],
): BranchHead {
  const names = places.map(({ name }) => name);
  const above = findBranchAbove(asked.branch);
  return {
    name: nameBranch(asked.branch, names) ?? asked.branch,
    query: placeQuery(asked.organizationId, writeBranch(asked.branch)),
    above:
      above === null
        ? null
        : { name: nameBranch(above, names) ?? above, path: overviewPath({ ...asked, branch: above }) },
  };
}

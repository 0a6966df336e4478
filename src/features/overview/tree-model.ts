// The tree of places as a page shows it.
import { organizationNameIn } from '../../domain/accounts/requester.ts';
import { branchOf, isBranch } from '../../domain/equipment/place-tree.ts';
import type { UnitState } from '../../domain/equipment/unit-state.ts';
import type { OrganizationId } from '../../domain/ids.ts';
import type { FloorPlan } from '../../engine/floor-plans/floor-plans.ts';
import { OVERVIEW } from '../../engine/pages/navigation.ts';
import type { Visitor } from '../../engine/pages/visitor.ts';
import { writeBranch } from '../../engine/pages/wanted-place.ts';
import type { PlaceUnits } from './queries.ts';
import type { ListedPlace } from './remember-places.ts';
import { countUnits, keyOf } from './remember-units.ts';
import { countAlarms, type Weighed } from './weigh-tree.ts';

interface EntryBase {
  key: string;
  /** Below the branch it stands in; null: its units stand nowhere. */
  label: string | null;
  /** null: the reader has no other, or it stands above. */
  organizationName: string | null;
  /** As the other pages are asked for it. */
  query: string;
  counts: Partial<Record<UnitState, number>>;
  /** Of units. */
  total: number;
  /** Its own page, where it has a floor plan; null: it has none. */
  planPath: string | null;
}

export interface PlaceModel extends EntryBase {
  /** null: only its alarms are counted. */
  drawn: {
    units: PlaceUnits['units'];
    /** Of those that are not normal, beyond those that are shown. */
    more: number;
    /** Only what is not normal is shown. */
    isCut: boolean;
  } | null;
}

export interface BranchModel extends EntryBase {
  path: string;
  places: number;
  isOpen: boolean;
  /** The same until something newer in it has to be seen. */
  opensBy: string;
  inside: EntryModel[];
  more: number;
}

export type EntryModel = PlaceModel | BranchModel;

export const isBranchModel = (entry: EntryModel): entry is BranchModel => 'inside' in entry;

export const placeQuery = (organizationId: OrganizationId | null, location: string | null): string => {
  const query = new URLSearchParams();
  if (organizationId !== null) query.set('organization', String(organizationId));
  if (location !== null) query.set('location', location);
  return String(query);
};

interface TreeParts {
  drawn: readonly ListedPlace[];
  units: readonly PlaceUnits[];
  /** That there are. */
  plans: readonly Pick<FloorPlan, 'organizationId' | 'branch'>[];
}

/** drawn: the units of places that show each of them; of the others alarms are counted. */
export function showTree(
  entries: readonly Weighed[],
  { drawn, units, plans }: TreeParts,
  visitor: Visitor,
): EntryModel[] {
  const isDrawn = new Set(drawn.map(keyOf));
  const planned = new Set(plans.map(({ organizationId, branch }) => `${organizationId}-${branch}`));
  const findPlan = (organizationId: OrganizationId, branch: string): string | null =>
    planned.has(`${organizationId}-${branch}`)
      ? `${OVERVIEW}?${placeQuery(organizationId, writeBranch(branch))}`
      : null;
  const unitsOf = new Map(units.map((one) => [keyOf(one), one]));

  const show = (one: Weighed, isInside: boolean): EntryModel[] => {
    const { organizationId, entry, sums, inside, more, isOpen } = one;
    const { critical, warning, stale } = sums;
    const base = {
      organizationName: isInside ? null : organizationNameIn(visitor, organizationId),
      label: entry.label,
      counts: { critical, warning, stale },
      total: sums.units,
      planPath: findPlan(organizationId, isBranch(entry) ? entry.branch : branchOf(entry.place.name ?? '')),
    };
    if (!isBranch(entry)) {
      const { place } = entry;
      const key = keyOf(place);
      const query = placeQuery(organizationId, place.locationId === null ? null : String(place.locationId));
      const found = unitsOf.get(key);
      // Its last unit has left it meanwhile.
      if (isDrawn.has(key) && !found) return [];
      return [{ ...base, key, query, drawn: null, ...(found && drawUnits(found)) }];
    }
    const query = placeQuery(organizationId, writeBranch(entry.branch));
    return [
      {
        ...base,
        key: `${organizationId}-${entry.branch}`,
        query,
        path: `${OVERVIEW}?${query}`,
        places: sums.places,
        isOpen,
        opensBy: countAlarms(sums) > 0 ? new Date(sums.newestAt ?? 0).toISOString() : '',
        inside: inside.flatMap((below) => show(below, true)),
        more,
      },
    ];
  };
  return entries.flatMap((entry) => show(entry, false));
}

/** All of a small place; of a large one those that are not normal. */
function drawUnits(found: PlaceUnits): Pick<PlaceModel, 'counts' | 'total' | 'drawn'> {
  const total = countUnits(found);
  const notNormal = total - (found.counts.normal ?? 0);
  const isCut = found.units.length < total;
  const more = isCut ? Math.max(0, notNormal - found.units.length) : 0;
  return { counts: found.counts, total, drawn: { units: found.units, more, isCut } };
}

// Of which place a list is wanted: one location by its id, or a whole branch of them, `/building 2/floor 1`.
import { branchOf, isInBranch } from '../../domain/equipment/place-tree.ts';
import { LONGEST_NAME } from '../../domain/names.ts';
import { readPageId } from './page-routes.ts';

export interface WantedPlace {
  locationId: number | null;
  branch: string | null;
}

export const ANY_PLACE: WantedPlace = { locationId: null, branch: null };

/** What means nothing counts as not given. */
export function readWantedPlace(text: string | undefined): WantedPlace {
  if (!text?.startsWith('/')) return { locationId: readPageId(text), branch: null };
  return { locationId: null, branch: branchOf(text.replaceAll('\0', '').slice(0, LONGEST_NAME + 1)) || null };
}

export const writeBranch = (branch: string): string => `/${branch}`;

/** null: any. */
export const writeWantedPlace = ({ locationId, branch }: WantedPlace): string | null =>
  branch !== null ? writeBranch(branch) : locationId === null ? null : String(locationId);

export const isAnyPlace = ({ locationId, branch }: WantedPlace): boolean =>
  locationId === null && branch === null;

export const isAtPlace = (
  unit: { locationId: number | null; locationName: string | null },
  { locationId, branch }: WantedPlace,
): boolean =>
  (locationId === null || unit.locationId === locationId) &&
  (branch === null || isInBranch(unit.locationName, branch));

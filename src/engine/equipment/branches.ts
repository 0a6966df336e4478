import sql from 'sql-template-tag';
import { isInBranch } from '../../domain/equipment/place-tree.ts';
import type { OrganizationId } from '../../domain/ids.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';

export const selectLocationNames = (db: ReadDatabase, organizationIds: readonly OrganizationId[]) =>
  db.query<{ id: number; name: string }>(sql`
    select id, name from location where organization_id = any(${organizationIds}::int[])
    order by natural_order(name), id`);

/** Of the branch of that name, in each of these organizations. */
async function selectBranchLocations(
  db: ReadDatabase,
  organizationIds: readonly OrganizationId[],
  branch: string,
): Promise<number[]> {
  const all = await selectLocationNames(db, organizationIds);
  return all.flatMap(({ id, name }) => (isInBranch(name, branch) ? id : []));
}

/** The locations of a place that a list is wanted of; null: any. */
export async function findWantedLocations(
  db: ReadDatabase,
  organizationIds: readonly OrganizationId[],
  { locationId, branch }: { locationId: number | null; branch: string | null },
): Promise<number[] | null> {
  if (branch !== null) return selectBranchLocations(db, organizationIds, branch);
  return locationId === null ? null : [locationId];
}

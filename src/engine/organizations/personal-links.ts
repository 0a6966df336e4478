// Whether what an organization sends to a person carries a link by which they acknowledge without signing in.
import sql from 'sql-template-tag';
import type { OrganizationId } from '../../domain/ids.ts';
import { first, type ReadDatabase, type Tx } from '../../platform/db/database.ts';

/** null: it is so already. */
export async function changePersonalLinks(
  tx: Tx,
  organizationId: OrganizationId,
  areAllowed: boolean,
): Promise<{ before: boolean; after: boolean } | null> {
  const changed = await tx.query(sql`
    update organization set personal_links = ${areAllowed}
    where id = ${organizationId} and personal_links <> ${areAllowed} returning id`);
  return changed.length === 0 ? null : { before: !areAllowed, after: areAllowed };
}

export const selectPersonalLinks = async (
  db: ReadDatabase,
  organizationId: OrganizationId,
): Promise<boolean> =>
  first(
    await db.query<{ areAllowed: boolean }>(
      sql`select personal_links as "areAllowed" from organization where id = ${organizationId}`,
    ),
  )?.areAllowed ?? false;

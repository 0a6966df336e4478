import sql from 'sql-template-tag';
import type { OrganizationId } from '../../domain/ids.ts';
import { first, type ReadDatabase, type Tx } from '../../platform/db/database.ts';

export interface ChoosableGroup {
  id: number;
  name: string;
}

export const selectGroups = (db: ReadDatabase, organizationId: OrganizationId) =>
  db.query<ChoosableGroup>(sql`
    select id, name from notification_group where organization_id = ${organizationId} order by name, id`);

/** It stays until the transaction ends. null: there is no such group. */
export const lockGroup = async (tx: Tx, organizationId: OrganizationId, id: number | null) =>
  first(
    await tx.query<{ id: number }>(sql`
      select id from notification_group where id = ${id} and organization_id = ${organizationId} for key share`),
  );

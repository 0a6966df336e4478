import sql from 'sql-template-tag';
import type { OrganizationId } from '../../domain/ids.ts';
import { first, type ReadDatabase, type Tx } from '../../platform/db/database.ts';

export interface Source {
  id: number;
  name: string;
  createdAt: Date;
}

export const selectSources = (db: ReadDatabase, organizationId: OrganizationId) =>
  db.query<Source>(sql`
    select id, name, created_at as "createdAt" from source
    where organization_id = ${organizationId} order by name`);

/** null: the name is taken. */
export const insertSource = async (
  tx: Tx,
  organizationId: OrganizationId,
  name: string,
  secretHash: Buffer,
  now: Date,
) =>
  first(
    await tx.query<{ id: number }>(sql`
      insert into source (organization_id, name, secret_hash, created_at)
      values (${organizationId}, ${name}, ${secretHash}, ${now})
      on conflict (organization_id, name) do nothing returning id`),
  );

/** null: it is gone already. */
export const deleteSource = async (tx: Tx, organizationId: OrganizationId, sourceId: number) =>
  first(
    await tx.query<{ name: string }>(sql`
      delete from source where organization_id = ${organizationId} and id = ${sourceId} returning name`),
  );

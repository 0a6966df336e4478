// Those who may post readings, each by its secret.
import sql, { type Sql } from 'sql-template-tag';
import type { OrganizationId } from '../../domain/ids.ts';
import { first, type Tx } from '../../platform/db/database.ts';
import { packInts } from '../../platform/db/pack-numbers.ts';
import type { Statement } from '../../platform/db/statement.ts';

/** Those that still exist. */
export const selectSources = (sourceIds: ReadonlySet<number>): Statement<{ id: number }> => sql`
  select id from source where id = any(${packInts([...sourceIds])}::int[])`;

export const areStillThere = (sourceIds: ReadonlySet<number>): Sql => sql`
  (select count(*) from source where id = any(${packInts([...sourceIds])}::int[])) = ${sourceIds.size}::int`;

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

/** Under a new id, by which programs that remember the old secret find out at its next post. */
export const replaceSecret = (tx: Tx, id: number, secretHash: Buffer) =>
  tx.query(sql`update source set id = default, secret_hash = ${secretHash} where id = ${id}`);

/** null: it is gone already. */
export const deleteSource = async (tx: Tx, organizationId: OrganizationId, sourceId: number) =>
  first(
    await tx.query<{ name: string }>(sql`
      delete from source where organization_id = ${organizationId} and id = ${sourceId} returning name`),
  );

import sql from 'sql-template-tag';
import type { OrganizationId } from '../../domain/ids.ts';
import { first, type ReadDatabase } from '../../platform/db/database.ts';

export interface Source {
  sourceId: number;
  organizationId: OrganizationId;
}

export const selectSourceBySecret = async (db: ReadDatabase, secretHash: Buffer) =>
  first(
    await db.query<Source>(sql`
      select id as "sourceId", organization_id as "organizationId" from source where secret_hash = ${secretHash}`),
  );

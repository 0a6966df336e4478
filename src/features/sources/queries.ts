import sql from 'sql-template-tag';
import type { OrganizationId } from '../../domain/ids.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';

export interface Source {
  id: number;
  name: string;
  createdAt: Date;
}

export const selectSources = (db: ReadDatabase, organizationId: OrganizationId) =>
  db.query<Source>(sql`
    select id, name, created_at as "createdAt" from source
    where organization_id = ${organizationId} order by name`);

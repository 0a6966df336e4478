import sql from 'sql-template-tag';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import { first, type ReadDatabase } from '../../platform/db/database.ts';

export interface Unit {
  id: ServiceId;
  organizationId: OrganizationId;
  name: string;
  template: string | null;
}

/** null for an archived one too. */
export const selectUnit = async (db: ReadDatabase, serviceId: ServiceId) =>
  first(
    await db.query<Unit>(sql`
      select id, organization_id as "organizationId", name, template
      from service where id = ${serviceId} and archived_at is null`),
  );

export const selectLocationName = async (db: ReadDatabase, organizationId: OrganizationId, id: number) =>
  first(
    await db.query<{ name: string }>(sql`
      select name from location where organization_id = ${organizationId} and id = ${id}`),
  )?.name ?? null;

/** Units by their template, those of none left out. */
export const countByTemplate = async (db: ReadDatabase, organizationId: OrganizationId) =>
  new Map(
    (
      await db.query<{ template: string; units: number }>(sql`
        select template, count(*)::int as "units" from service
        where organization_id = ${organizationId} and template is not null and archived_at is null
        group by template`)
    ).map(({ template, units }) => [template, units]),
  );

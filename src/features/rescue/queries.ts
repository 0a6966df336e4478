import sql from 'sql-template-tag';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import { type NamedUnit, nameOf } from '../../domain/rescue/preferred-refuges.ts';
import { LOCATION_ID } from '../../engine/sql-parts/place.ts';
import { first, type ReadDatabase } from '../../platform/db/database.ts';

export interface Unit {
  id: ServiceId;
  organizationId: OrganizationId;
  name: string;
  isArchived: boolean;
  /** null: it stands nowhere. */
  locationId: number | null;
}

export const selectUnit = async (db: ReadDatabase, serviceId: ServiceId) =>
  first(
    await db.query<Unit>(sql`
      select id, organization_id as "organizationId", name, archived_at is not null as "isArchived",
        ${LOCATION_ID} as "locationId"
      from service where id = ${serviceId}`),
  );

/** Of more nobody chooses from a list: they are typed. */
const MOST_SUGGESTED = 300;

/** Units that have room for others, as a form shows them. */
export async function suggestRefuges(db: ReadDatabase, { id, organizationId }: Unit): Promise<string[]> {
  const units = await db.query<NamedUnit>(sql`
    select service.id, name from rescue join service on service.id = service_id
    where rescue.organization_id = ${organizationId} and free_racks > 0 and archived_at is null and service.id <> ${id}
    order by lower(name), service.id limit ${MOST_SUGGESTED}`);
  return units.map((unit) => nameOf(unit, units));
}

/** As many as an organization can have: a whole building is chosen by its beginning. */
export const selectLocations = (db: ReadDatabase, organizationId: OrganizationId) =>
  db.query<{ id: number; name: string }>(sql`
    select id, name from location where organization_id = ${organizationId} order by natural_order(name), id`);

// Locations and assets.
import sql from 'sql-template-tag';
import type { OrganizationId } from '../../domain/ids.ts';
import { first, type ReadDatabase, type Tx } from '../../platform/db/database.ts';

export interface Location {
  id: number;
  name: string;
  assets: number;
}

export const selectLocations = (db: ReadDatabase, organizationId: OrganizationId) =>
  db.query<Location>(sql`
    select id, name, (select count(*)::int from asset where location_id = location.id) as "assets"
    from location where organization_id = ${organizationId} order by name`);

export const selectLocation = async (db: ReadDatabase, organizationId: OrganizationId, id: number) =>
  (await selectLocations(db, organizationId)).find((location) => location.id === id) ?? null;

/** null: the name is taken. */
export const insertLocation = async (tx: Tx, organizationId: OrganizationId, name: string) =>
  first(
    await tx.query<{ id: number }>(sql`
      insert into location (organization_id, name) values (${organizationId}, ${name})
      on conflict (organization_id, name) do nothing returning id`),
  );

export const findLocation = async (tx: Tx, organizationId: OrganizationId, name: string) =>
  first(
    await tx.query<{ id: number }>(sql`
      select id from location where organization_id = ${organizationId} and name = ${name}`),
  );

export const renameLocation = (tx: Tx, id: number, name: string) =>
  tx.query(sql`update location set name = ${name} where id = ${id}`);

/** Nothing, while something stands there. */
export const deleteLocation = (tx: Tx, id: number) =>
  tx.query<{ id: number }>(sql`
    delete from location where id = ${id} and not exists (select 1 from asset where location_id = ${id})
    returning id`);

export interface Asset {
  id: number;
  name: string;
  location: string | null;
  services: number;
}

export const selectAssets = (db: ReadDatabase, organizationId: OrganizationId) =>
  db.query<Asset>(sql`
    select asset.id, asset.name, location.name as "location",
      (select count(*)::int from service where asset_id = asset.id) as "services"
    from asset left join location on location.id = location_id
    where asset.organization_id = ${organizationId} order by asset.name`);

export const selectAsset = async (db: ReadDatabase, organizationId: OrganizationId, id: number) =>
  (await selectAssets(db, organizationId)).find((asset) => asset.id === id) ?? null;

/** null: the name is taken. */
export const insertAsset = async (
  tx: Tx,
  organizationId: OrganizationId,
  name: string,
  locationId: number | null,
) =>
  first(
    await tx.query<{ id: number }>(sql`
      insert into asset (organization_id, name, location_id) values (${organizationId}, ${name}, ${locationId})
      on conflict (organization_id, name) do nothing returning id`),
  );

export const findAsset = async (tx: Tx, organizationId: OrganizationId, name: string) =>
  first(
    await tx.query<{ id: number }>(sql`
      select id from asset where organization_id = ${organizationId} and name = ${name}`),
  );

export const updateAsset = (tx: Tx, id: number, name: string, locationId: number | null) =>
  tx.query(sql`update asset set name = ${name}, location_id = ${locationId} where id = ${id}`);

/** Nothing, while a service is about it. */
export const deleteAsset = (tx: Tx, id: number) =>
  tx.query<{ id: number }>(sql`
    delete from asset where id = ${id} and not exists (select 1 from service where asset_id = ${id}) returning id`);

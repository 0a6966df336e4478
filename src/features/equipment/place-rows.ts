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

export const findLocation = async (tx: Tx, organizationId: OrganizationId, name: string) =>
  first(
    await tx.query<{ id: number }>(sql`
      select id from location where organization_id = ${organizationId} and name = ${name}`),
  );

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

export const findAsset = async (tx: Tx, organizationId: OrganizationId, name: string) =>
  first(
    await tx.query<{ id: number }>(sql`
      select id from asset where organization_id = ${organizationId} and name = ${name}`),
  );

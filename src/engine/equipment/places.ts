// Locations and assets.
import sql from 'sql-template-tag';
import type { OrganizationId } from '../../domain/ids.ts';
import { first, type Tx } from '../../platform/db/database.ts';
import { keeping } from '../mosts/keep-most.ts';

/** Answers with those that were not there yet. */
export const insertLocations = (tx: Tx, organizationId: OrganizationId, names: readonly string[]) =>
  keeping(
    tx,
    'locations',
    [organizationId],
    tx.query<{ id: number; name: string }>(sql`
    insert into location (organization_id, name)
    select ${organizationId}, unnest(${names}::text[])
    on conflict (organization_id, name) do nothing returning id, name`),
  );

export const renameLocation = (tx: Tx, id: number, name: string) =>
  tx.query(sql`update location set name = ${name} where id = ${id}`);

/** Nothing, while something stands there. */
export const deleteLocation = (tx: Tx, id: number) =>
  tx.query<{ id: number }>(sql`
    delete from location where id = ${id} and not exists (select 1 from asset where location_id = ${id})
    returning id`);

/** null: the name is taken. */
export const insertAsset = async (
  tx: Tx,
  organizationId: OrganizationId,
  name: string,
  locationId: number | null,
) =>
  first(
    await keeping(
      tx,
      'assets',
      [organizationId],
      tx.query<{ id: number }>(sql`
      insert into asset (organization_id, name, location_id) values (${organizationId}, ${name}, ${locationId})
      on conflict (organization_id, name) do nothing returning id`),
    ),
  );

/** By the names of their locations, which are there. An asset that is there already gets the location it is given here. */
export const placeAssets = (
  tx: Tx,
  organizationId: OrganizationId,
  assets: readonly { name: string; location: string | null }[],
) =>
  keeping(
    tx,
    'assets',
    [organizationId],
    tx.query<{ id: number; name: string }>(sql`
    insert into asset (organization_id, name, location_id)
    select ${organizationId}, given.name, location.id
    from unnest(${assets.map(({ name }) => name)}::text[], ${assets.map(({ location }) => location)}::text[])
      as given (name, location)
      left join location on location.name = given.location and location.organization_id = ${organizationId}
    on conflict (organization_id, name) do update set location_id = excluded.location_id
    returning id, name`),
  );

export const updateAsset = (tx: Tx, id: number, name: string, locationId: number | null) =>
  tx.query(sql`update asset set name = ${name}, location_id = ${locationId} where id = ${id}`);

/** Nothing, while a service is about it. */
export const deleteAsset = (tx: Tx, id: number) =>
  tx.query<{ id: number }>(sql`
    delete from asset where id = ${id} and not exists (select 1 from service where asset_id = ${id}) returning id`);

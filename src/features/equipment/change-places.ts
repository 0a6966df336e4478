// The verbs on locations and assets. Nothing that is in use can be deleted.
import { findChanges } from '../../domain/changes.ts';
import { ok, refuse } from '../../domain/result.ts';
import {
  deleteAsset,
  deleteLocation,
  insertAsset,
  insertLocations,
  renameLocation,
  updateAsset,
} from '../../engine/equipment/places.ts';
import { lockNames } from '../../engine/organizations/organizations.ts';
import { readPageId } from '../../engine/pages/page-routes.ts';
import { type Ask, inTransaction } from '../../engine/pages/settings-routes.ts';
import type { Tx } from '../../platform/db/database.ts';
import { type NameRefusal, readName, readOptionalName } from './names.ts';
import { findAsset, findLocation, selectAsset, selectLocation } from './place-rows.ts';
import { record } from './record.ts';

export type PlaceRefusal = NameRefusal | 'name_taken' | 'in_use' | 'gone';

const SHARED_REFUSALS = {
  no_name: ['name', 'Write a name.'],
  name_too_long: ['name', 'A name has at most 200 characters.'],
  name_taken: ['name', 'There is one of that name already. Choose another name.'],
  gone: ['name', 'It is gone: somebody else deleted it meanwhile.'],
} satisfies Partial<Record<PlaceRefusal, [string, string]>>;

export const LOCATION_REFUSALS: Record<PlaceRefusal, [field: string, text: string]> = {
  ...SHARED_REFUSALS,
  in_use: ['name', 'Assets stand there. Give them another location first.'],
} as Record<PlaceRefusal, [string, string]>;

export const ASSET_REFUSALS: Record<PlaceRefusal, [field: string, text: string]> = {
  ...SHARED_REFUSALS,
  in_use: ['name', 'Services are about it, maybe archived ones. Give them another asset first.'],
} as Record<PlaceRefusal, [string, string]>;

export const createLocation = inTransaction<PlaceRefusal>(async (tx, ask) => {
  const name = readName(ask.form.name);
  if (!name.ok) return name;
  await lockNames(tx, ask.organization.id);
  const [created] = await insertLocations(tx, ask.organization.id, [name.value]);
  if (!created) return refuse('name_taken');
  await record(tx, ask, 'location.create', { location: created.id, name: name.value });
  return ok({});
});

export const changeLocation = inTransaction<PlaceRefusal>(async (tx, ask) => {
  const name = readName(ask.form.name);
  if (!name.ok) return name;
  const { organization } = ask;
  await lockNames(tx, organization.id);
  const location = await selectLocation(tx, organization.id, readPageId(ask.form.location_id) ?? 0);
  if (!location) return refuse('gone');
  const changes = findChanges({ name: location.name }, { name: name.value });
  if (Object.keys(changes).length === 0) return ok({});
  if (await findLocation(tx, organization.id, name.value)) return refuse('name_taken');
  await renameLocation(tx, location.id, name.value);
  await record(tx, ask, 'location.rename', { location: location.id, changes });
  return ok({});
});

export const removeLocation = inTransaction<PlaceRefusal>(async (tx, ask) => {
  await lockNames(tx, ask.organization.id);
  const location = await selectLocation(tx, ask.organization.id, readPageId(ask.form.location_id) ?? 0);
  if (!location) return refuse('gone');
  if ((await deleteLocation(tx, location.id)).length === 0) return refuse('in_use');
  await record(tx, ask, 'location.delete', { location: location.id, name: location.name });
  return ok({});
});

export const createAsset = inTransaction<PlaceRefusal>(async (tx, ask) => {
  const name = readName(ask.form.name);
  if (!name.ok) return name;
  const location = readOptionalName(ask.form.location);
  if (!location.ok) return location;
  await lockNames(tx, ask.organization.id);
  const locationId = await ensureLocation(tx, ask, location.value);
  const created = await insertAsset(tx, ask.organization.id, name.value, locationId);
  if (!created) return refuse('name_taken');
  await record(tx, ask, 'asset.create', { asset: created.id, name: name.value, location: location.value });
  return ok({});
});

export const changeAsset = inTransaction<PlaceRefusal>(async (tx, ask) => {
  const name = readName(ask.form.name);
  if (!name.ok) return name;
  const location = readOptionalName(ask.form.location);
  if (!location.ok) return location;
  const { organization } = ask;
  await lockNames(tx, organization.id);
  const asset = await selectAsset(tx, organization.id, readPageId(ask.form.asset_id) ?? 0);
  if (!asset) return refuse('gone');
  const changes = findChanges({ ...asset }, { name: name.value, location: location.value });
  if (Object.keys(changes).length === 0) return ok({});
  if ('name' in changes && (await findAsset(tx, organization.id, name.value))) return refuse('name_taken');
  await updateAsset(tx, asset.id, name.value, await ensureLocation(tx, ask, location.value));
  await record(tx, ask, 'asset.edit', { asset: asset.id, name: asset.name, changes });
  return ok({});
});

export const removeAsset = inTransaction<PlaceRefusal>(async (tx, ask) => {
  await lockNames(tx, ask.organization.id);
  const asset = await selectAsset(tx, ask.organization.id, readPageId(ask.form.asset_id) ?? 0);
  if (!asset) return refuse('gone');
  if ((await deleteAsset(tx, asset.id)).length === 0) return refuse('in_use');
  await record(tx, ask, 'asset.delete', { asset: asset.id, name: asset.name });
  return ok({});
});

/** Call both with the names locked. A name that is new makes a new one. */
async function ensureLocation(tx: Tx, ask: Ask, name: string | null): Promise<number | null> {
  if (name === null) return null;
  const [made] = await insertLocations(tx, ask.organization.id, [name]);
  if (made) await record(tx, ask, 'location.create', { location: made.id, name });
  return (made ?? (await findLocation(tx, ask.organization.id, name)))?.id ?? null;
}

export async function ensureAsset(tx: Tx, ask: Ask, name: string | null): Promise<number | null> {
  if (name === null) return null;
  const made = await insertAsset(tx, ask.organization.id, name, null);
  if (made) await record(tx, ask, 'asset.create', { asset: made.id, name, location: null });
  return (made ?? (await findAsset(tx, ask.organization.id, name)))?.id ?? null;
}

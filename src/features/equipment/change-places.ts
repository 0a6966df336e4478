// The verbs on locations and assets. Nothing that is in use can be deleted.

import type { SignedIn } from '../../domain/accounts/requester.ts';
import { findChanges } from '../../domain/changes.ts';
import { message } from '../../domain/language/message.ts';
import type { Sayable } from '../../domain/language/sayable.ts';
import { type NameRefusal, readName, readOptionalName, sayNameTooLong } from '../../domain/names.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import type { AuditAction } from '../../domain/words/audit-words.ts';
import { writeAudit } from '../../engine/audit/write-audit.ts';
import {
  deleteAsset,
  deleteLocation,
  insertAsset,
  insertLocations,
  renameLocation,
  updateAsset,
} from '../../engine/equipment/places.ts';
import { lockNames, type NamingOrganization } from '../../engine/organizations/organizations.ts';
import { readPageId } from '../../engine/pages/page-routes.ts';
import type { SettingsInput, SettingsVerb } from '../../engine/pages/settings-routes.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { FormFields } from '../../platform/http/form-body.ts';
import { findAsset, findLocation, selectAsset, selectAssets, selectLocation } from './place-rows.ts';

export type PlaceRefusal = NameRefusal | 'name_taken' | 'in_use' | 'gone';

const SHARED_REFUSALS = {
  no_name: ['name', message('Write a name.')],
  name_too_long: ['name', sayNameTooLong],
  name_taken: ['name', message('There is one of that name already. Choose another name.')],
  gone: ['name', message('It is gone: somebody else deleted it meanwhile.')],
} satisfies Partial<Record<PlaceRefusal, [string, Sayable]>>;

export const LOCATION_REFUSALS: Record<PlaceRefusal, [field: string, text: Sayable]> = {
  ...SHARED_REFUSALS,
  in_use: ['name', message('Assets stand there. Give them another location first.')],
};

export const ASSET_REFUSALS: Record<PlaceRefusal, [field: string, text: Sayable]> = {
  ...SHARED_REFUSALS,
  in_use: ['name', message('Services are about it, maybe archived ones. Give them another asset first.')],
};

/** What goes on record; null: nothing changed. */
type Change = { action: AuditAction; detail: Record<string, unknown> } | null;

/** Under the lock of the names, and with its record. */
const changePlaces =
  (
    change: (
      tx: Tx,
      requester: SignedIn,
      input: SettingsInput & { organizationId: NamingOrganization },
      now: Date,
    ) => Promise<Result<Change, PlaceRefusal>>,
  ): SettingsVerb<PlaceRefusal> =>
  async (tx, requester, input, now) => {
    const organizationId = await lockNames(tx, input.organizationId);
    const changed = await change(tx, requester, { ...input, organizationId }, now);
    if (!changed.ok) return changed;
    if (changed.value) await writeAudit(tx, requester, { organizationId, ...changed.value }, now);
    return ok({});
  };

export const createLocation = changePlaces(async (tx, _requester, { organizationId, form }) => {
  const name = readName(form.name);
  if (!name.ok) return name;
  const [created] = await insertLocations(tx, organizationId, [name.value]);
  if (!created) return refuse('name_taken');
  return ok({ action: 'location.create', detail: { location: created.id, name: name.value } });
});

export const changeLocation = changePlaces(async (tx, _requester, { organizationId, form }) => {
  const name = readName(form.name);
  if (!name.ok) return name;
  const location = await selectLocation(tx, organizationId, readPageId(form.location_id) ?? 0);
  if (!location) return refuse('gone');
  const changes = findChanges({ name: location.name }, { name: name.value });
  if (Object.keys(changes).length === 0) return ok(null);
  if (await findLocation(tx, organizationId, name.value)) return refuse('name_taken');
  await renameLocation(tx, location.id, name.value);
  return ok({ action: 'location.rename', detail: { location: location.id, changes } });
});

export const removeLocation = changePlaces(async (tx, _requester, { organizationId, form }) => {
  const location = await selectLocation(tx, organizationId, readPageId(form.location_id) ?? 0);
  if (!location) return refuse('gone');
  if ((await deleteLocation(tx, location.id)).length === 0) return refuse('in_use');
  return ok({ action: 'location.delete', detail: { location: location.id, name: location.name } });
});

export const createAsset = changePlaces(async (tx, requester, { organizationId, form }, now) => {
  const fields = readAsset(form);
  if (!fields.ok) return fields;
  const { name, location } = fields.value;
  const locationId = await ensureLocation(tx, requester, { organizationId, name: location }, now);
  const created = await insertAsset(tx, organizationId, name, locationId);
  if (!created) return refuse('name_taken');
  return ok({ action: 'asset.create', detail: { asset: created.id, name, location } });
});

export const changeAsset = changePlaces(async (tx, requester, { organizationId, form }, now) => {
  const fields = readAsset(form);
  if (!fields.ok) return fields;
  const { name, location } = fields.value;
  const asset = await selectAsset(tx, organizationId, readPageId(form.asset_id) ?? 0);
  if (!asset) return refuse('gone');
  const changes = findChanges({ ...asset }, { name, location });
  if (Object.keys(changes).length === 0) return ok(null);
  if ('name' in changes && (await findAsset(tx, organizationId, name))) return refuse('name_taken');
  const locationId = await ensureLocation(tx, requester, { organizationId, name: location }, now);
  await updateAsset(tx, asset.id, name, locationId);
  return ok({ action: 'asset.edit', detail: { asset: asset.id, name: asset.name, changes } });
});

export const removeAsset = changePlaces(async (tx, _requester, { organizationId, form }) => {
  const asset = await selectAsset(tx, organizationId, readPageId(form.asset_id) ?? 0);
  if (!asset) return refuse('gone');
  if ((await deleteAsset(tx, asset.id)).length === 0) return refuse('in_use');
  return ok({ action: 'asset.delete', detail: { asset: asset.id, name: asset.name } });
});

function readAsset(form: FormFields): Result<{ name: string; location: string | null }, NameRefusal> {
  const name = readName(form.name);
  if (!name.ok) return name;
  const location = readOptionalName(form.location);
  return location.ok ? ok({ name: name.value, location: location.value }) : location;
}

/** A name that is new makes a new one. */
async function ensureLocation(
  tx: Tx,
  requester: SignedIn,
  { organizationId, name }: { organizationId: NamingOrganization; name: string | null },
  now: Date,
): Promise<number | null> {
  if (name === null) return null;
  const [made] = await insertLocations(tx, organizationId, [name]);
  if (made)
    await writeAudit(
      tx,
      requester,
      { action: 'location.create', organizationId, detail: { location: made.id, name } },
      now,
    );
  return (made ?? (await findLocation(tx, organizationId, name)))?.id ?? null;
}

/** `location`: where it stands from now on; null: where it stood. */
export async function ensureAsset(
  tx: Tx,
  requester: SignedIn,
  {
    organizationId,
    name,
    location,
  }: { organizationId: NamingOrganization; name: string | null; location: string | null },
  now: Date,
): Promise<number | null> {
  if (name === null) return null;
  const locationId = await ensureLocation(tx, requester, { organizationId, name: location }, now);
  const made = await insertAsset(tx, organizationId, name, locationId);
  const audit = (action: AuditAction, detail: Record<string, unknown>) =>
    writeAudit(tx, requester, { action, organizationId, detail }, now);
  if (made) {
    await audit('asset.create', { asset: made.id, name, location });
    return made.id;
  }
  const known = (await selectAssets(tx, organizationId)).find((asset) => asset.name === name);
  if (known && location !== null && known.location !== location) {
    await updateAsset(tx, known.id, name, locationId);
    const changes = { location: { before: known.location, after: location } };
    await audit('asset.edit', { asset: known.id, name, changes });
  }
  return known?.id ?? null;
}

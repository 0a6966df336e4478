// The verbs on services. Names, limits and notifications are changed on the page of the service itself.

import type { SignedIn } from '../../domain/accounts/requester.ts';
import { DEFAULT_SETTINGS } from '../../domain/equipment/service-settings.ts';
import type { ServiceId } from '../../domain/ids.ts';
import { message } from '../../domain/language/message.ts';
import type { Sayable } from '../../domain/language/sayable.ts';
import {
  LONGEST_NAME,
  type NameRefusal,
  readName,
  readOptionalName,
  sayNameTooLong,
} from '../../domain/names.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import { writeAudit } from '../../engine/audit/write-audit.ts';
import { holdToChange } from '../../engine/journal/lock-alarm-states.ts';
import { lockNames } from '../../engine/organizations/organizations.ts';
import { readPageId } from '../../engine/pages/page-routes.ts';
import type { SettingsInput, SettingsVerb } from '../../engine/pages/settings-routes.ts';
import { updateServices } from '../../engine/services/service-rows.ts';
import { archiveServices, createService, restoreServices } from '../../engine/services/services.ts';
import type { Tx } from '../../platform/db/database.ts';
import { ensureAsset } from './change-places.ts';
import { SERVICES } from './paths.ts';
import { isServiceNamed, type ListedService, selectService } from './service-rows.ts';

export type ServiceRefusal = NameRefusal | 'service_named' | 'place_too_long';

export const SERVICE_REFUSALS: Record<ServiceRefusal, [field: string, text: Sayable]> = {
  no_name: ['name', message('Give the service a name, such as Freezer 1.')],
  name_too_long: ['name', sayNameTooLong],
  place_too_long: [
    'asset',
    ({ say }) =>
      say('The name of an asset or a location has at most {most} characters.', { most: LONGEST_NAME }),
  ],
  service_named: ['name', message('There is a service of that name already. Choose another name.')],
};

export const create: SettingsVerb<ServiceRefusal> = async (tx, requester, input, now) => {
  const made = await createFromForm(tx, requester, input, now);
  return made.ok ? ok({ done: 'create', to: `${SERVICES}/${made.value}` }) : made;
};

export async function createFromForm(
  tx: Tx,
  requester: SignedIn,
  { organizationId, form }: SettingsInput,
  now: Date,
  settings = DEFAULT_SETTINGS,
): Promise<Result<ServiceId, ServiceRefusal>> {
  const name = readName(form.name);
  if (!name.ok) return name;
  const location = readOptionalName(form.location);
  if (!location.ok) return refuse('place_too_long');
  const asset = readOptionalName(form.asset);
  if (!asset.ok) return refuse('place_too_long');
  const naming = await lockNames(tx, organizationId);
  if (await isServiceNamed(tx, organizationId, name.value)) return refuse('service_named');
  // A location is that of an asset: one that is not named is called as the service.
  const place = {
    organizationId: naming,
    name: asset.value ?? (location.value && name.value),
    location: location.value,
  };
  const assetId = await ensureAsset(tx, requester, place, now);
  const service = { organizationId, key: null, name: name.value, assetId, settings };
  const serviceId = await createService(tx, service, now);
  await writeAudit(
    tx,
    requester,
    { action: 'service.create', organizationId, detail: { name: name.value, asset: asset.value }, serviceId },
    now,
  );
  return ok(serviceId);
}

export const place: SettingsVerb<ServiceRefusal> = async (tx, requester, input, now) => {
  const { organizationId, form } = input;
  const asset = readOptionalName(form.asset);
  if (!asset.ok) return refuse('place_too_long');
  const service = await lockService(tx, input);
  if (!service) return refuse('not_found');
  if (asset.value === service.asset) return ok({});
  const naming = await lockNames(tx, organizationId);
  const place = { organizationId: naming, name: asset.value, location: null };
  const assetId = await ensureAsset(tx, requester, place, now);
  updateServices(tx, [{ id: service.id, changes: { assetId } }]);
  const changes = { asset: { before: service.asset, after: asset.value } };
  await writeAudit(
    tx,
    requester,
    {
      action: 'service.place',
      organizationId,
      detail: { name: service.name, changes },
      serviceId: service.id,
    },
    now,
  );
  return ok({});
};

export const archive: SettingsVerb<ServiceRefusal> = async (tx, requester, input, now) => {
  const { organizationId } = input;
  const service = await lockService(tx, input);
  if (!service) return refuse('not_found');
  if ((await archiveServices(tx, [service.id], now)).length > 0)
    await writeAudit(
      tx,
      requester,
      { action: 'service.archive', organizationId, detail: { name: service.name }, serviceId: service.id },
      now,
    );
  return ok({});
};

export const restore: SettingsVerb<ServiceRefusal> = async (tx, requester, input, now) => {
  const { organizationId } = input;
  const service = await lockService(tx, input);
  if (!service) return refuse('not_found');
  if ((await restoreServices(tx, [service.id], now)).length > 0)
    await writeAudit(
      tx,
      requester,
      { action: 'service.restore', organizationId, detail: { name: service.name }, serviceId: service.id },
      now,
    );
  return ok({});
};

/** Looked at before and after: only a service of the organization is ever locked, and it is seen as it is now. */
async function lockService(tx: Tx, { organizationId, params }: SettingsInput): Promise<ListedService | null> {
  const serviceId = readPageId<ServiceId>(params.service_id);
  if (serviceId === null || !(await selectService(tx, organizationId, serviceId))) return null;
  holdToChange(tx, [serviceId]);
  return selectService(tx, organizationId, serviceId);
}

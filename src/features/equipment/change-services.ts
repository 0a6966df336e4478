// The verbs on services. Names, limits and notifications are changed on the page of the service itself.

import { DEFAULT_SETTINGS } from '../../domain/equipment/service-settings.ts';
import type { ServiceId } from '../../domain/ids.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import { lockAlarmStates } from '../../engine/alarm-state/lock-alarm-states.ts';
import { lockNames } from '../../engine/organizations/organizations.ts';
import { readPageId } from '../../engine/pages/page-routes.ts';
import { type Ask, inTransaction } from '../../engine/pages/settings-routes.ts';
import { updateServices } from '../../engine/services/service-rows.ts';
import { archiveServices, createService, restoreServices } from '../../engine/services/services.ts';
import type { Tx } from '../../platform/db/database.ts';
import { ensureAsset } from './change-places.ts';
import { type NameRefusal, readName, readOptionalName } from './names.ts';
import { SERVICES } from './paths.ts';
import { record } from './record.ts';
import { isServiceNamed, type ListedService, selectService } from './service-rows.ts';

export type ServiceRefusal = NameRefusal | 'service_named';

export const SERVICE_REFUSALS: Record<ServiceRefusal, [field: string, text: string]> = {
  no_name: ['name', 'Give the service a name, such as Freezer 1.'],
  name_too_long: ['name', 'A name has at most 200 characters.'],
  service_named: ['name', 'There is a service of that name already. Choose another name.'],
};

export const create = inTransaction<ServiceRefusal>(async (tx, ask) => {
  const made = await createFromForm(tx, ask);
  return made.ok ? ok({ done: 'create', to: `${SERVICES}/${made.value}` }) : made;
});

export async function createFromForm(tx: Tx, ask: Ask): Promise<Result<ServiceId, ServiceRefusal>> {
  const { organization, form, now } = ask;
  const name = readName(form.name);
  if (!name.ok) return name;
  const asset = readOptionalName(form.asset);
  if (!asset.ok) return asset;
  await lockNames(tx, organization.id);
  if (await isServiceNamed(tx, organization.id, name.value)) return refuse('service_named');
  const assetId = await ensureAsset(tx, ask, asset.value);
  const service = {
    organizationId: organization.id,
    key: null,
    name: name.value,
    assetId,
    settings: DEFAULT_SETTINGS,
  };
  const serviceId = await createService(tx, service, now);
  await record(tx, ask, 'service.create', { name: name.value, asset: asset.value }, serviceId);
  return ok(serviceId);
}

export const place = inTransaction<ServiceRefusal>(async (tx, ask) => {
  const asset = readOptionalName(ask.form.asset);
  if (!asset.ok) return asset;
  const service = await lockService(tx, ask);
  if (!service) return refuse('not_found');
  if (asset.value === service.asset) return ok({});
  await lockNames(tx, ask.organization.id);
  const assetId = await ensureAsset(tx, ask, asset.value);
  updateServices(tx, [{ id: service.id, changes: { assetId } }]);
  const changes = { asset: { before: service.asset, after: asset.value } };
  await record(tx, ask, 'service.place', { name: service.name, changes }, service.id);
  return ok({});
});

export const archive = inTransaction<ServiceRefusal>(async (tx, ask) => {
  const service = await lockService(tx, ask);
  if (!service) return refuse('not_found');
  if ((await archiveServices(tx, [service.id], ask.now)).length > 0)
    await record(tx, ask, 'service.archive', { name: service.name }, service.id);
  return ok({});
});

export const restore = inTransaction<ServiceRefusal>(async (tx, ask) => {
  const service = await lockService(tx, ask);
  if (!service) return refuse('not_found');
  if ((await restoreServices(tx, [service.id], ask.now)).length > 0)
    await record(tx, ask, 'service.restore', { name: service.name }, service.id);
  return ok({});
});

/** Looked at before and after: only a service of the organization is ever locked, and it is seen as it is now. */
async function lockService(tx: Tx, { organization, params }: Ask): Promise<ListedService | null> {
  const serviceId = readPageId<ServiceId>(params.service_id);
  if (serviceId === null || !(await selectService(tx, organization.id, serviceId))) return null;
  await lockAlarmStates(tx, [serviceId]);
  return selectService(tx, organization.id, serviceId);
}

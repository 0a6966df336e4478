// The verbs on devices. The alarm states of the services concerned are locked before the device, as telemetry does it.

import type { SignedIn } from '../../domain/accounts/requester.ts';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import { message } from '../../domain/language/message.ts';
import type { Sayable } from '../../domain/language/sayable.ts';
import { LONGEST_NAME } from '../../domain/names.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import { writeAudit } from '../../engine/audit/write-audit.ts';
import { deleteDevice, insertDevice, moveDevice, updateInterval } from '../../engine/equipment/devices.ts';
import { readPageId } from '../../engine/pages/page-routes.ts';
import type { Done, SettingsInput, SettingsVerb } from '../../engine/pages/settings-routes.ts';
import {
  type ReconfiguringTx,
  reconfigureServices,
  unchanged,
} from '../../engine/services/reconfigure-services.ts';
import type { Tx } from '../../platform/db/database.ts';
import { SERVICE_REFUSALS, type ServiceRefusal } from './change-services.ts';
import { type Device, selectDevice } from './device-rows.ts';
import { DEVICES } from './paths.ts';
import { readInterval } from './read-interval.ts';
import { selectService } from './service-rows.ts';

export type DeviceRefusal =
  | ServiceRefusal
  | 'no_key'
  | 'key_too_long'
  | 'device_there'
  | 'no_such_service'
  | 'moved_meanwhile'
  | 'not_an_interval'
  | 'still_adopted'
  | 'bad_adoption';

export const DEVICE_REFUSALS: Record<DeviceRefusal, [field: string, text: Sayable]> = {
  ...SERVICE_REFUSALS,
  no_key: ['key', message('Write the key of the device, such as its DevEUI or its serial number.')],
  key_too_long: ['key', ({ say }) => say('A key has at most {most} characters.', { most: LONGEST_NAME })],
  device_there: ['key', message('There is a device with this key already. Look for it in the list.')],
  no_such_service: ['service_id', message('Choose a service from the list.')],
  moved_meanwhile: [
    'service_id',
    message('Somebody else moved this device meanwhile. Look where it is now.'),
  ],
  not_an_interval: [
    'uplink_interval_minutes',
    message('Write minutes as a number above 0, such as 10 or 2.5, or leave it empty.'),
  ],
  still_adopted: ['service_id', message('It belongs to a service. Release it first.')],
  bad_adoption: ['limits', message('Not adopted yet: something in the form is to be put right.')],
};

export const add: SettingsVerb<DeviceRefusal> = async (tx, requester, { organizationId, form }, now) => {
  const key = (form.key ?? '').trim();
  if (key === '') return refuse('no_key');
  if ([...key].length > LONGEST_NAME) return refuse('key_too_long');
  const added = await insertDevice(tx, organizationId, key, now);
  if (!added) return refuse('device_there');
  await writeAudit(
    tx,
    requester,
    { action: 'device.add', organizationId, detail: { device: added.id, key } },
    now,
  );
  return ok({ to: `${DEVICES}/${added.id}` });
};

/** Gives it to the chosen service; none chosen: takes it from the one it has. */
export const assign: SettingsVerb<DeviceRefusal> = async (tx, requester, input, now) => {
  const { organizationId, form } = input;
  const device = await findDevice(tx, input);
  if (!device) return refuse('not_found');
  const chosen = readPageId<ServiceId>(form.service_id);
  if (chosen === null && form.service_id !== '') return refuse('no_such_service');
  if (String(device.serviceId ?? '') !== (form.seen_service_id ?? '')) return refuse('moved_meanwhile');
  return move(tx, requester, { organizationId, device, to: chosen }, now);
};

/** `beside`: what else is changed of the services that are concerned. */
export async function move(
  tx: Tx,
  requester: SignedIn,
  { organizationId, device, to }: { organizationId: OrganizationId; device: Device; to: ServiceId | null },
  now: Date,
  beside: (held: ReconfiguringTx) => Promise<unknown> = async () => {},
): Promise<Result<Done, DeviceRefusal>> {
  const from = device.serviceId;
  if (from === to) return ok({ done: 'assign' });
  const target = to === null ? null : await selectService(tx, organizationId, to);
  if (to !== null && (!target || target.archivedAt !== null)) return refuse('no_such_service');
  const concerned = [from, to].filter((id): id is ServiceId => id !== null);
  const refusal = await reconfigureServices(tx, concerned, now, async (held) => {
    if ((await moveDevice(held, device.id, from, to)).length === 0)
      return unchanged('moved_meanwhile' as const);
    await beside(held);
    return { changed: concerned, value: null };
  });
  if (refusal) return refuse(refusal);
  const action = to === null ? 'device.release' : from === null ? 'device.adopt' : 'device.move';
  const changes = { service: { before: device.serviceName, after: target?.name ?? null } };
  const detail = { device: device.id, key: device.key, changes };
  await writeAudit(tx, requester, { action, organizationId, detail, serviceId: to ?? from }, now);
  return ok({ done: to === null ? 'release' : 'assign' });
}

/** Counts for staleness at once: the clock looks at the service again. */
export const setUplinkInterval: SettingsVerb<DeviceRefusal> = async (tx, requester, input, now) => {
  const { organizationId, form } = input;
  const minutes = readInterval(form.uplink_interval_minutes ?? '');
  if (!minutes.ok) return minutes;
  const seen = await findDevice(tx, input);
  if (!seen) return refuse('not_found');
  const concerned = seen.serviceId === null ? [] : [seen.serviceId];
  const device = await reconfigureServices(tx, concerned, now, async (held) => {
    const before = await findDevice(held, input);
    if (!before || before.serviceId !== seen.serviceId) return unchanged(null);
    if (before.uplinkIntervalMinutes === minutes.value) return unchanged(before);
    await updateInterval(held, before.id, minutes.value);
    return { changed: concerned, value: before };
  });
  if (!device) return refuse('moved_meanwhile');
  if (device.uplinkIntervalMinutes === minutes.value) return ok({});
  const changes = {
    uplink_interval_minutes: { before: device.uplinkIntervalMinutes, after: minutes.value },
  };
  const detail = { device: device.id, key: device.key, changes };
  await writeAudit(
    tx,
    requester,
    { action: 'device.interval', organizationId, detail, serviceId: device.serviceId },
    now,
  );
  return ok({});
};

/** Should it report once more, it is back among those to adopt. */
export const forget: SettingsVerb<DeviceRefusal> = async (tx, requester, input, now) => {
  const { organizationId } = input;
  const device = await findDevice(tx, input);
  if (!device) return refuse('not_found');
  if ((await deleteDevice(tx, device.id)).length === 0) return refuse('still_adopted');
  await writeAudit(
    tx,
    requester,
    { action: 'device.forget', organizationId, detail: { device: device.id, key: device.key } },
    now,
  );
  return ok({ to: DEVICES });
};

export const findDevice = (tx: Tx, { organizationId, params }: SettingsInput) =>
  selectDevice(tx, organizationId, readPageId(params.device_id) ?? 0);

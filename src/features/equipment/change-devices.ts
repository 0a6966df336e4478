// The verbs on devices. The alarm states of the services concerned are locked before the device, as telemetry does it.
import type { ServiceId } from '../../domain/ids.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import { deleteDevice, insertDevice, moveDevice, updateInterval } from '../../engine/equipment/devices.ts';
import { readPageId } from '../../engine/pages/page-routes.ts';
import { type Ask, type Done, inTransaction } from '../../engine/pages/settings-routes.ts';
import { reconfigureServices, unchanged } from '../../engine/services/reconfigure-services.ts';
import type { Tx } from '../../platform/db/database.ts';
import { createFromForm, SERVICE_REFUSALS, type ServiceRefusal } from './change-services.ts';
import { type Device, hasDevice, selectDevice } from './device-rows.ts';
import { DEVICES } from './paths.ts';
import { readInterval } from './read-interval.ts';
import { record } from './record.ts';
import { selectService } from './service-rows.ts';

export type DeviceRefusal =
  | ServiceRefusal
  | 'no_key'
  | 'key_too_long'
  | 'device_there'
  | 'no_such_service'
  | 'service_has_device'
  | 'moved_meanwhile'
  | 'not_an_interval'
  | 'still_adopted';

export const DEVICE_REFUSALS: Record<DeviceRefusal, [field: string, text: string]> = {
  ...SERVICE_REFUSALS,
  no_key: ['key', 'Write the key of the device, such as its DevEUI or its serial number.'],
  key_too_long: ['key', 'A key has at most 200 characters.'],
  device_there: ['key', 'There is a device with this key already. Look for it in the list.'],
  no_such_service: ['service_id', 'Choose a service from the list.'],
  service_has_device: ['service_id', 'This service has a device already. Release that one first.'],
  moved_meanwhile: ['service_id', 'Somebody else moved this device meanwhile. Look where it is now.'],
  not_an_interval: [
    'uplink_interval_minutes',
    'Write minutes as a number above 0, such as 10 or 2.5, or leave it empty.',
  ],
  still_adopted: ['service_id', 'It belongs to a service. Release it first.'],
};

const LONGEST_KEY = 200;

export const add = inTransaction<DeviceRefusal>(async (tx, ask) => {
  const key = (ask.form.key ?? '').trim();
  if (key === '') return refuse('no_key');
  if ([...key].length > LONGEST_KEY) return refuse('key_too_long');
  const added = await insertDevice(tx, ask.organization.id, key, ask.now);
  if (!added) return refuse('device_there');
  await record(tx, ask, 'device.add', { device: added.id, key });
  return ok({ to: `${DEVICES}/${added.id}` });
});

/** Gives it to the chosen service; none chosen: takes it from the one it has. */
export const assign = inTransaction<DeviceRefusal>(async (tx, ask) => {
  const { form } = ask;
  const device = await findDevice(tx, ask);
  if (!device) return refuse('not_found');
  const chosen = readPageId<ServiceId>(form.service_id);
  if (chosen === null && form.service_id !== '') return refuse('no_such_service');
  if (String(device.serviceId ?? '') !== (form.seen_service_id ?? '')) return refuse('moved_meanwhile');
  return move(tx, ask, device, chosen);
});

export const adoptAsNewService = inTransaction<DeviceRefusal>(async (tx, ask) => {
  const device = await findDevice(tx, ask);
  if (!device) return refuse('not_found');
  if (device.serviceId !== null) return refuse('moved_meanwhile');
  const made = await createFromForm(tx, ask);
  return made.ok ? move(tx, ask, device, made.value) : made;
});

async function move(
  tx: Tx,
  ask: Ask,
  device: Device,
  to: ServiceId | null,
): Promise<Result<Done, DeviceRefusal>> {
  const { organization, now } = ask;
  const from = device.serviceId;
  if (from === to) return ok({ done: 'assign' });
  const target = to === null ? null : await selectService(tx, organization.id, to);
  if (to !== null && (!target || target.archivedAt !== null)) return refuse('no_such_service');
  const concerned = [from, to].filter((id): id is ServiceId => id !== null);
  const refusal = await reconfigureServices(tx, concerned, now, async (held) => {
    if (to !== null && (await hasDevice(held, to))) return unchanged('service_has_device' as const);
    if ((await moveDevice(held, device.id, from, to)).length === 0)
      return unchanged('moved_meanwhile' as const);
    return { changed: concerned, value: null };
  });
  if (refusal) return refuse(refusal);
  const action = to === null ? 'device.release' : from === null ? 'device.adopt' : 'device.move';
  const changes = { service: { before: device.serviceName, after: target?.name ?? null } };
  const detail = { device: device.id, key: device.key, changes };
  await record(tx, ask, action, detail, to ?? from ?? undefined);
  return ok({ done: to === null ? 'release' : 'assign' });
}

/** Counts for staleness at once: the clock looks at the service again. */
export const setUplinkInterval = inTransaction<DeviceRefusal>(async (tx, ask) => {
  const minutes = readInterval(ask.form.uplink_interval_minutes ?? '');
  if (!minutes.ok) return minutes;
  const seen = await findDevice(tx, ask);
  if (!seen) return refuse('not_found');
  const concerned = seen.serviceId === null ? [] : [seen.serviceId];
  const device = await reconfigureServices(tx, concerned, ask.now, async (held) => {
    const before = await findDevice(held, ask);
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
  await record(tx, ask, 'device.interval', detail, device.serviceId ?? undefined);
  return ok({});
});

/** Should it report once more, it is back among those to adopt. */
export const forget = inTransaction<DeviceRefusal>(async (tx, ask) => {
  const device = await findDevice(tx, ask);
  if (!device) return refuse('not_found');
  if ((await deleteDevice(tx, device.id)).length === 0) return refuse('still_adopted');
  await record(tx, ask, 'device.forget', { device: device.id, key: device.key });
  return ok({ to: DEVICES });
});

const findDevice = (tx: Tx, { organization, params }: Ask) =>
  selectDevice(tx, organization.id, readPageId(params.device_id) ?? 0);

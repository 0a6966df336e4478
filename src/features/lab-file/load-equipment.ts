import { type Guidance, NO_GUIDANCE } from '../../domain/guidance/guidance.ts';
import type { OrganizationId } from '../../domain/ids.ts';
import type { Limits } from '../../domain/judging/limits.ts';
import { NO_RESCUE, type Rescue } from '../../domain/rescue/rescue.ts';
import type { ChannelFields } from '../../engine/equipment/channels.ts';
import { selectAllGuidance } from '../../engine/guidance/guidance-rows.ts';
import { selectAllRescue } from '../../engine/rescue/rescue-rows.ts';
import type { Tx } from '../../platform/db/database.ts';
import {
  type AssetRow,
  type DeviceRow,
  type ServiceRow,
  selectAssets,
  selectChannels,
  selectDevices,
  selectLimitsInForce,
  selectServices,
} from './service-queries.ts';

export interface StoredService extends ServiceRow {
  devices: DeviceRow[];
  channels: Map<string, ChannelFields>;
  /** In force, by channel; null is service-wide. */
  limits: Map<string | null, Limits>;
  guidance: Guidance;
  rescue: Rescue;
}

export interface Equipment {
  services: StoredService[];
  /** By key in lower case, also those that nobody adopted. */
  devices: Map<string, DeviceRow>;
  assets: Map<string, AssetRow>;
}

/** The whole organization in eight statements, however many services it has. */
export async function loadEquipment(tx: Tx, organizationId: OrganizationId): Promise<Equipment> {
  const services = new Map(
    (await selectServices(tx, organizationId)).map((row): [number, StoredService] => [
      row.id,
      {
        ...row,
        devices: [],
        channels: new Map(),
        limits: new Map(),
        guidance: NO_GUIDANCE,
        rescue: NO_RESCUE,
      },
    ]),
  );
  const devices = await selectDevices(tx, organizationId);
  for (const device of devices) {
    const service = device.serviceId === null ? undefined : services.get(device.serviceId);
    service?.devices.push(device);
  }
  for (const channel of await selectChannels(tx, organizationId)) {
    services.get(channel.serviceId)?.channels.set(channel.name, channel);
  }
  for (const { serviceId, ...limits } of await selectLimitsInForce(tx, organizationId)) {
    services.get(serviceId)?.limits.set(limits.channel, limits);
  }
  for (const { serviceId, whatToDo, contents, owner, valueClass, phones } of await selectAllGuidance(
    tx,
    organizationId,
  )) {
    const service = serviceId === null ? undefined : services.get(serviceId);
    if (service) service.guidance = { whatToDo, contents, owner, valueClass, phones };
  }
  for (const { serviceId, ...rescue } of await selectAllRescue(tx, organizationId)) {
    const service = services.get(serviceId);
    if (service) service.rescue = rescue;
  }
  const assets = await selectAssets(tx, organizationId);
  return {
    services: [...services.values()],
    devices: new Map(devices.map((device) => [device.key.toLowerCase(), device])),
    assets: new Map(assets.map((asset) => [asset.name, asset])),
  };
}

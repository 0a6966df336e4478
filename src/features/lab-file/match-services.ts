// Which service an entry means: by key, else by device, else by name.

import type { Equipment, StoredService } from './load-equipment.ts';
import type { FaultBook } from './read/faults.ts';
import { devicesOf, type LabDevice, type LabService } from './read/read-lab-file.ts';
import type { DeviceRow } from './service-queries.ts';

export interface Match {
  entry: LabService;
  /** null: there is none yet. */
  stored: StoredService | null;
}

const isNamedOnly = (entry: LabService): boolean => entry.key === undefined && !devicesOf(entry)?.length;

const isSame = (device: LabDevice, row: DeviceRow): boolean =>
  device.key.toLowerCase() === row.key.toLowerCase();

/**
 * The surest sign goes first for all entries, and no service is taken twice. So an entry that has nothing but a name
 * is never outrun by another one of that name which could be known by key or device.
 */
export function matchServices(entries: LabService[], services: StoredService[], faults: FaultBook): Match[] {
  const found = new Map<LabService, StoredService>();
  const taken = new Set<StoredService>();
  const unclear = new Set<LabService>();
  const take = (entry: LabService, service: StoredService | undefined): void => {
    if (!service || taken.has(service)) return;
    found.set(entry, service);
    taken.add(service);
  };

  const byKey = new Map(services.map((service) => [service.key, service]));
  for (const entry of entries) if (entry.key !== undefined) take(entry, byKey.get(entry.key));

  const byDevice = new Map(
    services.flatMap((service) => service.devices.map(({ key }) => [key.toLowerCase(), service] as const)),
  );
  for (const entry of entries.filter((candidate) => !found.has(candidate))) {
    const [service] = (devicesOf(entry) ?? []).flatMap(({ key }) => byDevice.get(key.toLowerCase()) ?? []);
    if (entry.key === undefined || service?.key === null) take(entry, service);
  }

  const byName = new Map<string, StoredService[]>();
  for (const service of services) byName.set(service.name, [...(byName.get(service.name) ?? []), service]);
  const rest = entries.filter((entry) => !found.has(entry));
  for (const entry of [...rest.filter(isNamedOnly), ...rest.filter((other) => !isNamedOnly(other))]) {
    const candidates = (byName.get(entry.name) ?? []).filter(
      (service) => !taken.has(service) && canBeKnownByName(entry, service),
    );
    if (candidates.length < 2) take(entry, candidates[0]);
    else {
      unclear.add(entry);
      faults.add(`${entry.path}.name`, describeUnclear(entry, candidates.length));
    }
  }

  return entries
    .filter((entry) => !unclear.has(entry))
    .map((entry) => ({ entry, stored: found.get(entry) ?? null }));
}

const canBeKnownByName = (entry: LabService, service: StoredService): boolean =>
  isNamedOnly(entry) || (service.key === null && (!devicesOf(entry)?.length || service.devices.length === 0));

const describeUnclear = ({ name }: LabService, count: number): string =>
  `${count} services are named ${JSON.stringify(name)}: give the key or the device of the one that is meant`;

/** A device may move from one service to another only if the file gives the other one something else. */
export function checkDevices(matches: Match[], { devices, services }: Equipment, faults: FaultBook): void {
  const leaving = new Set(matches.flatMap(listReleased).map(({ id }) => id));
  for (const { entry, stored } of matches) {
    for (const { path, key } of devicesOf(entry) ?? []) {
      const known = devices.get(key.toLowerCase());
      if (!known?.serviceId || known.serviceId === stored?.id || leaving.has(known.id)) continue;
      const ownerName = services.find(({ id }) => id === known.serviceId)?.name;
      faults.add(`${path}.key`, `this device belongs to service ${JSON.stringify(ownerName)}`);
    }
  }
}

/** `devices` are all that it has. `device` is the one it has, beside which others may stand that the file does not know. */
export function listReleased({ entry, stored }: Match): DeviceRow[] {
  const given = devicesOf(entry);
  if (!given || !stored) return [];
  const others = stored.devices.filter((row) => !given.some((device) => isSame(device, row)));
  const hasIt = entry.device && others.length < stored.devices.length;
  return hasIt ? [] : others;
}

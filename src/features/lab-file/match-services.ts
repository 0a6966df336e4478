// Which service an entry means: by key, else by device, else by name.

import type { Equipment, StoredService } from './load-equipment.ts';
import type { FaultBook } from './read/faults.ts';
import type { LabService } from './read/read-lab-file.ts';

export interface Match {
  entry: LabService;
  /** null: there is none yet. */
  stored: StoredService | null;
}

const isNamedOnly = ({ key, device }: LabService): boolean => key === undefined && !device;

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

  const byDevice = new Map(services.map((service) => [service.device?.key.toLowerCase(), service]));
  for (const entry of entries.filter((candidate) => !found.has(candidate))) {
    const service = entry.device ? byDevice.get(entry.device.key.toLowerCase()) : undefined;
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
  isNamedOnly(entry) || (service.key === null && (!entry.device || service.device === null));

const describeUnclear = ({ name }: LabService, count: number): string =>
  `${count} services are named ${JSON.stringify(name)}: give the key or the device of the one that is meant`;

/** A device may move from one service to another only if the file gives the other one something else. */
export function checkDevices(matches: Match[], { devices, services }: Equipment, faults: FaultBook): void {
  const leaving = new Set(matches.filter(givesUpDevice).map(({ stored }) => stored?.id));
  for (const { entry, stored } of matches) {
    const owner = entry.device ? devices.get(entry.device.key.toLowerCase())?.serviceId : null;
    if (!owner || owner === stored?.id || leaving.has(owner)) continue;
    const ownerName = services.find(({ id }) => id === owner)?.name;
    faults.add(`${entry.path}.device.key`, `this device belongs to service ${JSON.stringify(ownerName)}`);
  }
}

export const givesUpDevice = ({ entry: { device }, stored }: Match): boolean =>
  device !== undefined &&
  Boolean(stored?.device) &&
  device?.key.toLowerCase() !== stored?.device?.key.toLowerCase();

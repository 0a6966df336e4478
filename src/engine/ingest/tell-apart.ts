// Where a service has several devices, each channel belongs to one of them. What another one calls the same is another
// channel, with the key of its device behind the name: two batteries are two.
import { LONGEST_NAME } from '../../domain/names.ts';
import type { Target, TelemetryEntry } from '../../domain/readings/telemetry.ts';
import type { ServiceConfig } from '../alarm-state/service-config.ts';

/** Channels that belong to nobody yet, and who says them first in this batch: `<service> <channel>`. */
export type Claims = Map<string, number>;

/** null: nobody knows which, as where the service was named. */
export function findDeviceId({ devices }: ServiceConfig, target: Target): number | null {
  if (!('device' in target)) return null;
  const key = target.device.toLowerCase();
  return devices.find((device) => device.key.toLowerCase() === key)?.id ?? null;
}

export function tellApart(config: ServiceConfig, entry: TelemetryEntry, claims: Claims): TelemetryEntry {
  if (config.devices.length < 2) return entry;
  const deviceId = findDeviceId(config, entry.target);
  if (deviceId === null) return entry;
  const key = 'device' in entry.target ? entry.target.device.toLowerCase() : '';
  const nameHere = (name: string): string => {
    const place = `${config.serviceId} ${name}`;
    const owner = config.channels.get(name)?.deviceId ?? claims.get(place) ?? null;
    if (owner === null) claims.set(place, deviceId);
    return owner === null || owner === deviceId ? name : nameOfDevice(name, key);
  };
  const { values, faults, units } = entry;
  return {
    ...entry,
    values: values.map(([name, ...rest]) => [nameHere(name), ...rest]),
    ...(faults && { faults: faults.map(nameHere) }),
    ...(units && { units: new Map([...units].map(([name, unit]) => [nameHere(name), unit])) }),
  };
}

const LONGEST_KEY = 40;

const nameOfDevice = (name: string, key: string): string =>
  `${name.slice(0, LONGEST_NAME - LONGEST_KEY - 1)}@${key.slice(-LONGEST_KEY)}`.toWellFormed();

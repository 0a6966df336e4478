import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import type { Target } from '../../domain/readings/telemetry.ts';
import type { WatchedService } from './watched-service.ts';

export type FindService = (organizationId: OrganizationId, target: Target) => WatchedService | undefined;

/** Services by their id and by the keys of their devices, the one that was put first in front. */
export interface ServiceShelf {
  get(serviceId: ServiceId): WatchedService | undefined;
  find: FindService;
  /** In the place of what was known of it. */
  put(watched: WatchedService): void;
  /** Where it stands, if it does. Its devices have to be the same. */
  replace(watched: WatchedService): void;
  forget(serviceId: ServiceId): void;
  forgetAll(organizationId: OrganizationId): void;
}

/** When it is full, what was put first goes. */
export function createShelf(mostServices = Number.POSITIVE_INFINITY): ServiceShelf {
  const services = new Map<ServiceId, WatchedService>();
  const devices = new Map<OrganizationId, Map<string, ServiceId>>();

  // Keys are kept in lower case, and most are sent that way.
  const findDevice = (organizationId: OrganizationId, key: string) => {
    const known = devices.get(organizationId);
    return known?.get(key) ?? known?.get(key.toLowerCase());
  };

  const drop = (watched: WatchedService | undefined) => {
    if (!watched) return;
    const { serviceId, organizationId, devices: own } = watched.config;
    services.delete(serviceId);
    const known = devices.get(organizationId);
    for (const { key } of own)
      if (known?.get(key.toLowerCase()) === serviceId) known.delete(key.toLowerCase());
  };

  const makeRoom = () => {
    for (const watched of services.values()) {
      if (services.size <= mostServices) return;
      drop(watched);
    }
  };

  return {
    get: (serviceId) => services.get(serviceId),
    find(organizationId, target) {
      const serviceId = 'device' in target ? findDevice(organizationId, target.device) : target.serviceId;
      const watched = services.get(serviceId as ServiceId);
      return watched?.config.organizationId === organizationId ? watched : undefined;
    },
    put(watched) {
      const { serviceId, organizationId, devices: own } = watched.config;
      drop(services.get(serviceId));
      services.set(serviceId, watched);
      const known = devices.get(organizationId) ?? new Map<string, ServiceId>();
      if (own.length > 0) devices.set(organizationId, known);
      for (const { key } of own) known.set(key.toLowerCase(), serviceId);
      makeRoom();
    },
    replace(watched) {
      const { serviceId } = watched.config;
      if (services.has(serviceId)) services.set(serviceId, watched);
    },
    forget: (serviceId) => drop(services.get(serviceId)),
    forgetAll(organizationId) {
      for (const watched of services.values())
        if (watched.config.organizationId === organizationId) drop(watched);
    },
  };
}

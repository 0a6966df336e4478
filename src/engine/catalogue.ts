// What this program remembers of services and devices, so that a reading costs no look-up. Whether it still holds is
// checked under the lock, by the config version of each service.
import sql from 'sql-template-tag';
import { isId, type OrganizationId, type ServiceId } from '../domain/ids.ts';
import type { Target } from '../domain/telemetry.ts';
import type { ReadDatabase, Tx } from '../platform/db/database.ts';
import { loadServiceConfigs, type ServiceConfig } from './service-config.ts';

const MOST_REMEMBERED = 100_000;

export interface Catalogue {
  get(serviceId: ServiceId): ServiceConfig | undefined;
  find(organizationId: OrganizationId, target: Target): ServiceConfig | undefined;
  /** Looks up what `find` does not know, in a fixed number of statements. */
  learn(
    db: ReadDatabase,
    targets: readonly { organizationId: OrganizationId; target: Target }[],
  ): Promise<void>;
  learnServices(db: ReadDatabase, serviceIds: readonly ServiceId[]): Promise<void>;
  /** Under the lock: whatever changed since it was learnt is learnt again. */
  refresh(tx: Tx, locked: readonly { serviceId: ServiceId; configVersion: number }[]): Promise<void>;
  forget(serviceIds: readonly ServiceId[]): void;
}

export function createCatalogue(): Catalogue {
  const services = new Map<ServiceId, ServiceConfig>();
  const devices = new Map<OrganizationId, Map<string, ServiceId>>();
  // Keys are kept in lower case, and most are sent that way.
  const findDevice = (organizationId: OrganizationId, key: string) => {
    const known = devices.get(organizationId);
    return known?.get(key) ?? known?.get(key.toLowerCase());
  };

  const find = (organizationId: OrganizationId, target: Target) => {
    const serviceId = 'device' in target ? findDevice(organizationId, target.device) : target.serviceId;
    const config = services.get(serviceId as ServiceId);
    return config?.organizationId === organizationId ? config : undefined;
  };

  const learnServices = async (db: ReadDatabase, serviceIds: readonly ServiceId[]) => {
    const unknown = [...new Set(serviceIds)].filter((id) => !services.has(id));
    if (unknown.length === 0) return;
    if (services.size + unknown.length > MOST_REMEMBERED) {
      services.clear();
      devices.clear();
    }
    for (const config of await loadServiceConfigs(db, unknown)) {
      services.set(config.serviceId, config);
      if (config.deviceKey === null) continue;
      const known = devices.get(config.organizationId) ?? new Map<string, ServiceId>();
      devices.set(config.organizationId, known.set(config.deviceKey.toLowerCase(), config.serviceId));
    }
  };

  const forget = (serviceIds: readonly ServiceId[]) => {
    for (const serviceId of serviceIds) {
      const config = services.get(serviceId);
      services.delete(serviceId);
      if (config?.deviceKey != null)
        devices.get(config.organizationId)?.delete(config.deviceKey.toLowerCase());
    }
  };

  return {
    get: (serviceId) => services.get(serviceId),
    find,
    learnServices,
    async learn(db, targets) {
      if (targets.length === 0) return;
      const named = targets.flatMap(({ target }) =>
        'serviceId' in target && isId(target.serviceId) ? [target.serviceId] : [],
      );
      const keyed = targets.flatMap(({ organizationId, target }) =>
        'device' in target ? [{ organizationId, key: target.device.toLowerCase() }] : [],
      );
      const found = await selectDeviceServices(db, keyed);
      await learnServices(db, [...(named as ServiceId[]), ...found]);
    },
    async refresh(tx, locked) {
      forget(findOutdated(services, locked));
      await learnServices(
        tx,
        locked.map(({ serviceId }) => serviceId),
      );
    },
    forget,
  };
}

export const findOutdated = (
  services: { get(serviceId: ServiceId): ServiceConfig | undefined },
  locked: readonly { serviceId: ServiceId; configVersion: number }[],
): ServiceId[] =>
  locked
    .filter(({ serviceId, configVersion }) => services.get(serviceId)?.configVersion !== configVersion)
    .map(({ serviceId }) => serviceId);

async function selectDeviceServices(
  db: ReadDatabase,
  devices: { organizationId: OrganizationId; key: string }[],
): Promise<ServiceId[]> {
  if (devices.length === 0) return [];
  const rows = await db.query<{ serviceId: ServiceId }>(sql`
    select service_id as "serviceId"
    from unnest(${devices.map(({ organizationId }) => organizationId)}::int[], ${devices.map(({ key }) => key)}::text[])
      as given (organization_id, key)
    join device on device.organization_id = given.organization_id and lower(device.key) = given.key
    where service_id is not null`);
  return rows.map(({ serviceId }) => serviceId);
}

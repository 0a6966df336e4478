// What this program remembers of services and devices, so that a reading costs no look-up. Whether it still holds is
// checked when the service's row is written, by the row's version: every change to a service writes that row.
import sql from 'sql-template-tag';
import { isId, type OrganizationId, type ServiceId } from '../domain/ids.ts';
import type { Instant } from '../domain/judge.ts';
import type { Target } from '../domain/telemetry.ts';
import type { ReadDatabase, Tx } from '../platform/db/database.ts';
import { type AlarmRow, findDue, selectAlarmRows, watch } from './alarm-store.ts';
import type { Assessment } from './assessment.ts';
import { loadServiceConfigs, type ServiceConfig } from './service-config.ts';
import type { CalmChannel, WatchedService } from './watched-service.ts';

const MOST_REMEMBERED = 100_000;

export interface Catalogue {
  get(serviceId: ServiceId): WatchedService | undefined;
  find(organizationId: OrganizationId, target: Target): WatchedService | undefined;
  /** Looks up what `find` does not know, in a fixed number of statements. */
  learn(
    db: ReadDatabase,
    targets: readonly { organizationId: OrganizationId; target: Target }[],
  ): Promise<void>;
  /** What turned out to be outdated. Nothing is ever forgotten: somebody else may be looking for it at this moment. */
  learnAgain(db: ReadDatabase, serviceIds: readonly ServiceId[]): Promise<void>;
  /**
   * Under the lock: the rows are true, and whatever else changed since it was learnt is learnt again. A service that
   * nobody sends readings for is looked at and not kept.
   */
  refresh(tx: Tx, locked: readonly AlarmRow[]): Promise<WatchedService[]>;
  /** After the commit that made it so. */
  settle(written: readonly Assessment[], rowVersion: number, isLocked: boolean): void;
}

export function createCatalogue(): Catalogue {
  const services = new Map<ServiceId, WatchedService>();
  const devices = new Map<OrganizationId, Map<string, ServiceId>>();
  // Keys are kept in lower case, and most are sent that way.
  const findDevice = (organizationId: OrganizationId, key: string) => {
    const known = devices.get(organizationId);
    return known?.get(key) ?? known?.get(key.toLowerCase());
  };

  const find = (organizationId: OrganizationId, target: Target) => {
    const serviceId = 'device' in target ? findDevice(organizationId, target.device) : target.serviceId;
    const watched = services.get(serviceId as ServiceId);
    return watched?.config.organizationId === organizationId ? watched : undefined;
  };

  const remember = (config: ServiceConfig, row: AlarmRow) => {
    dropDevice(services.get(config.serviceId));
    services.set(config.serviceId, watch(config, row));
    if (config.deviceKey === null) return;
    const known = devices.get(config.organizationId) ?? new Map<string, ServiceId>();
    devices.set(config.organizationId, known.set(config.deviceKey.toLowerCase(), config.serviceId));
  };

  /** The rows are older than what is looked up here: should that have changed since, the rows have been written as well. */
  const learnRows = async (db: ReadDatabase, rows: readonly AlarmRow[]) => {
    if (rows.length === 0) return;
    if (services.size + rows.length > MOST_REMEMBERED) {
      services.clear();
      devices.clear();
    }
    const byService = new Map(rows.map((row) => [row.serviceId, row]));
    for (const config of await loadServiceConfigs(db, [...byService.keys()])) {
      const row = byService.get(config.serviceId);
      if (row) remember(config, row);
    }
  };

  const dropDevice = (watched: WatchedService | undefined) => {
    if (watched?.config.deviceKey == null) return;
    const known = devices.get(watched.config.organizationId);
    const key = watched.config.deviceKey.toLowerCase();
    if (known?.get(key) === watched.config.serviceId) known.delete(key);
  };

  const learnAgain = async (db: ReadDatabase, serviceIds: readonly ServiceId[]) => {
    if (serviceIds.length > 0) await learnRows(db, await db.query<AlarmRow>(selectAlarmRows(serviceIds)));
  };

  return {
    get: (serviceId) => services.get(serviceId),
    find,
    async learn(db, targets) {
      if (targets.length === 0) return;
      const named = targets.flatMap(({ target }) =>
        'serviceId' in target && isId(target.serviceId) ? [target.serviceId] : [],
      );
      const keyed = targets.flatMap(({ organizationId, target }) =>
        'device' in target ? [{ organizationId, key: target.device.toLowerCase() }] : [],
      );
      const found = await selectDeviceServices(db, keyed);
      await learnAgain(db, [...new Set([...(named as ServiceId[]), ...found])]);
    },
    learnAgain,
    async refresh(tx, locked) {
      const isCurrent = ({ serviceId, configVersion }: AlarmRow) =>
        services.get(serviceId)?.config.configVersion === configVersion;
      const outdated = locked.filter((row) => !isCurrent(row)).map(({ serviceId }) => serviceId);
      const found = outdated.length > 0 ? await loadServiceConfigs(tx, outdated) : [];
      const learnt = new Map(found.map((config) => [config.serviceId, config]));
      return locked.flatMap((row) => {
        const known = services.get(row.serviceId);
        const config = learnt.get(row.serviceId) ?? known?.config;
        if (!config) return [];
        if (known) remember(config, row);
        return [services.get(row.serviceId) ?? watch(config, row)];
      });
    },
    settle(written, rowVersion, isLocked) {
      for (const write of written) {
        settleWrite(write, rowVersion, isLocked);
        const { serviceId } = write.watched.alarm;
        if (services.has(serviceId)) services.set(serviceId, write.watched);
      }
    },
  };
}

/** Whatever two batches did at the same time, only one row version is true: the other is found out at its next write. */
function settleWrite(write: Assessment, rowVersion: number, isLocked: boolean): void {
  const { watched, moved, alarm } = write;
  if ('calm' in moved) moveOn(moved.calm, moved.ats, moved.values);
  else watched.channels = moved.channels;
  if (alarm || 'channels' in moved) watched.calm = undefined;
  const { alarm: stored } = watched;
  stored.rowVersion = rowVersion;
  stored.nextDueAt = findDue(write, isLocked) ?? stored.nextDueAt;
  if (!alarm) return;
  stored.severity = alarm.severity;
  stored.severitySince = alarm.severitySince;
  stored.channel = alarm.channel;
  stored.episodeId = alarm.episodeId;
  stored.staleSince = alarm.staleSince;
}

/** In place: a new object for every reading would grow old before it is dropped, and that is what collecting costs. */
function moveOn(
  calm: readonly CalmChannel[],
  ats: readonly (Instant | null)[],
  values: readonly (number | null)[],
): void {
  for (let index = 0; index < calm.length; index += 1) {
    const state = calm[index]?.state;
    if (!state) continue;
    state.at = ats[index] ?? null;
    state.value = values[index] ?? null;
  }
}

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

// What this program remembers of services and devices, so that a reading costs no look-up. Whether it still holds is
// checked when the service's row is written, by the row's version: every change to a service writes that row.
import sql, { type Sql } from 'sql-template-tag';
import { isId, type OrganizationId, type ServiceId } from '../../domain/ids.ts';
import type { Instant } from '../../domain/judging/judge.ts';
import type { Target } from '../../domain/readings/telemetry.ts';
import type { ReadDatabase, Tx } from '../../platform/db/database.ts';
import { type AlarmRow, selectAlarmRows, watch } from './alarm-rows.ts';
import type { Numbered } from './assessment.ts';
import {
  askServiceConfigs,
  loadServiceConfigs,
  type ServiceConfig,
  toServiceConfigs,
} from './service-config.ts';
import { createShelf, type FindService } from './service-shelf.ts';
import type { CalmChannel, WatchedService } from './watched-service.ts';

const MOST_REMEMBERED = 100_000;

export interface Catalogue {
  find: FindService;
  /**
   * Looks up what `find` does not know, in one round trip. Answers with what there is of it, which is the
   * requester's to keep: what is remembered may have to make room for others at any time.
   */
  learn(
    db: ReadDatabase,
    targets: readonly { organizationId: OrganizationId; target: Target }[],
  ): Promise<WatchedService[]>;
  /**
   * Under the lock: the rows are true, and whatever else changed since it was learnt is learnt again. A service that
   * nobody sends readings for is looked at and not kept.
   */
  refresh(tx: Tx, locked: readonly AlarmRow[]): Promise<WatchedService[]>;
  /** After the commit that made it so. */
  settle(written: readonly Numbered[], rowVersion: number): void;
}

export function createCatalogue(mostRemembered = MOST_REMEMBERED): Catalogue {
  const shelf = createShelf(mostRemembered);

  return {
    find: shelf.find,
    async learn(db, targets) {
      const named = targets.flatMap(({ target }) =>
        'serviceId' in target && isId(target.serviceId) ? [target.serviceId as ServiceId] : [],
      );
      const keyed = targets.flatMap(({ organizationId, target }) =>
        'device' in target ? [{ organizationId, key: target.device.toLowerCase() }] : [],
      );
      if (named.length + keyed.length === 0) return [];
      // The rows come before the rest: should that have changed since, the rows have been written as well.
      const { rows, ...parts } = await db.queryAll({
        asked: holdAsked(named, keyed),
        rows: selectAlarmRows(ASKED),
        ...askServiceConfigs(ASKED),
      });
      const byService = new Map(rows.map((row) => [row.serviceId, row]));
      const learnt = toServiceConfigs(parts).flatMap((config) => {
        const row = byService.get(config.serviceId);
        return row ? [watch(config, row)] : [];
      });
      for (const watched of learnt) shelf.put(watched);
      return learnt;
    },
    async refresh(tx, locked) {
      const configs = new Map<ServiceId, ServiceConfig>();
      for (const { serviceId, configVersion } of locked) {
        const config = shelf.get(serviceId)?.config;
        if (config?.configVersion === configVersion) configs.set(serviceId, config);
      }
      const outdated = locked
        .map(({ serviceId }) => serviceId)
        .filter((serviceId) => !configs.has(serviceId));
      const learnt = outdated.length > 0 ? await loadServiceConfigs(tx, outdated) : [];
      for (const config of learnt) configs.set(config.serviceId, config);
      return locked.flatMap((row) => {
        const config = configs.get(row.serviceId);
        if (!config) return [];
        const watched = watch(config, row);
        if (shelf.get(row.serviceId)) shelf.put(watched);
        return [watched];
      });
    },
    settle(written, rowVersion) {
      for (const write of written) {
        settleWrite(write, rowVersion);
        shelf.replace(write.watched);
      }
    },
  };
}

/** Whatever two batches did at the same time, only one row version is true: the other is found out at its next write. */
function settleWrite({ watched, moved, alarm, nextDueAt, aheadUntil }: Numbered, rowVersion: number): void {
  if ('calm' in moved) moveOn(moved.calm, moved.ats, moved.values);
  else watched.channels = moved.channels;
  if (alarm || 'channels' in moved) watched.calm = undefined;
  const { alarm: stored } = watched;
  stored.rowVersion = rowVersion;
  stored.nextDueAt = nextDueAt ?? stored.nextDueAt;
  stored.aheadUntil = aheadUntil ?? stored.aheadUntil;
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

/** The services that are asked for, for the statements that travel with the one that found them. */
const ASKED = sql`(select current_setting('tocsin.asked_services')::int[])::int[]`;

const holdAsked = (
  named: readonly ServiceId[],
  keyed: readonly { organizationId: OrganizationId; key: string }[],
): Sql => sql`
  select set_config('tocsin.asked_services', coalesce(array_agg(service_id), '{}')::text, true) from (
    select unnest(${named}::int[]) as service_id
    union select service_id
    from unnest(${keyed.map(({ organizationId }) => organizationId)}::int[], ${keyed.map(({ key }) => key)}::text[])
      as given (organization_id, key)
    join device on device.organization_id = given.organization_id and lower(device.key) = given.key
    where service_id is not null) as asked`;

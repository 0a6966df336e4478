import sql from 'sql-template-tag';
import type { ServiceId } from '../../domain/ids.ts';
import { formatInstant } from '../../domain/instant.ts';
import { findLastTelemetry, findStaleAt, findStaleSpan } from '../../domain/judging/staleness.ts';
import { type BandExplanation, explainBands } from '../../domain/judging/why.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { bringUpToNow, selectEntriesOf } from '../journal/bring-up-to-now.ts';
import { selectAlarmRows, watch } from './alarm-rows.ts';
import { loadServiceConfigs, type ServiceConfig } from './service-config.ts';
import type { WatchedService } from './watched-service.ts';

export interface Explanation {
  severity: string;
  /** When the data goes or went stale; null when it never does. */
  staleAt: string | null;
  /** Of a service with several: when each was last heard, and whether that is too long ago for how often it reports. */
  devices: { key: string; heardAt: string | null; isSilent: boolean }[];
  bands: (Omit<BandExplanation, 'breachedSince'> & { breachedSince: string | null })[];
  /** What keeps people from being told, in words. */
  heldBackBy: string[];
}

/** null: no such service. */
export async function explainService(
  db: ReadDatabase,
  serviceId: ServiceId,
  now: Date,
): Promise<Explanation | null> {
  const [config] = await loadServiceConfigs(db, [serviceId]);
  if (!config) return null;
  const ids = sql`${[serviceId]}::int[]`;
  const selectRows = selectAlarmRows(ids);
  const found = await db.queryAll({ entries: selectEntriesOf(ids), rows: selectRows });
  const [row] = await bringUpToNow(db, ids, found, selectRows);
  if (!row) return null;
  const { channels, alarm } = watch(config, row);
  const staleAt = findStaleAt(config, findLastTelemetry(channels));
  const asText = (at: number | null) => (at === null ? null : formatInstant(new Date(at)));
  return {
    severity: alarm.severity,
    staleAt: asText(staleAt),
    devices: listDevices(config, channels, now.getTime()).map((device) => ({
      ...device,
      heardAt: asText(device.heardAt),
    })),
    bands: explainBands(config.limits, channels, now.getTime()).map((band) => ({
      ...band,
      breachedSince: asText(band.breachedSince),
    })),
    heldBackBy: [
      ...(config.isArchived ? ['The service is archived'] : []),
      ...(await selectHolds(db, serviceId, now)),
    ],
  };
}

function listDevices(config: ServiceConfig, channels: WatchedService['channels'], now: number) {
  if (config.devices.length < 2) return [];
  return config.devices.map(({ id, key, uplinkIntervalMinutes }) => {
    const isOwn = (name: string) => {
      const channel = config.channels.get(name);
      // That a probe is silent is said for it.
      return channel?.deviceId === id && channel.faultOf === null;
    };
    const own = new Map([...channels].filter(([name]) => isOwn(name)));
    const heardAt = findLastTelemetry(own);
    const spanMs = uplinkIntervalMinutes && findStaleSpan({ staleAfterMinutes: 0, uplinkIntervalMinutes });
    return { key, heardAt, isSilent: heardAt !== null && spanMs !== null && heardAt + spanMs <= now };
  });
}

async function selectHolds(db: ReadDatabase, serviceId: ServiceId, now: Date): Promise<string[]> {
  const holds = await db.query<{ kind: string; name: string; at: Date; reason: string | null }>(sql`
    select 'Muted by' as kind, account_name as name, created_at as at, reason from mute
      where service_id = ${serviceId} and ended_at is null
    union all select 'In downtime, planned by', created_by_name, end_at, reason from downtime
      where service_id = ${serviceId} and start_at <= ${now} and end_at > ${now}
    union all select severity || ' acknowledged by', account_name, created_at, comment from acknowledgement
      where service_id = ${serviceId} and ended_at is null
    order by 3`);
  return holds.map(({ kind, name, at, reason }) => {
    const when = kind.startsWith('In downtime') ? `until ${formatInstant(at)}` : `at ${formatInstant(at)}`;
    return `${kind} ${name} ${when}${reason ? `: ${reason}` : ''}`;
  });
}

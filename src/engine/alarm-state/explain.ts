import sql from 'sql-template-tag';
import type { ServiceId } from '../../domain/ids.ts';
import { formatInstant } from '../../domain/instant.ts';
import { findLastTelemetry, findStaleAt } from '../../domain/judging/staleness.ts';
import { type BandExplanation, explainBands } from '../../domain/judging/why.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { bringUpToNow, selectEntriesOf } from '../journal/catch-up.ts';
import { selectAlarmRows, watch } from './alarm-rows.ts';
import { loadServiceConfigs } from './service-config.ts';

export interface Explanation {
  severity: string;
  /** When the data goes or went stale; null when it never does. */
  staleAt: string | null;
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

// What happened to a service's alarm, and the episodes it belongs to.
import sql from 'sql-template-tag';
import type { BandName } from '../domain/band.ts';
import type { ServiceId } from '../domain/ids.ts';
import type { Instant } from '../domain/judge.ts';
import type { Severity } from '../domain/severity.ts';
import type { ReadDatabase, Tx } from '../platform/db/database.ts';

export interface AlarmEvent {
  serviceId: ServiceId;
  episodeId: string | null;
  kind: 'raised' | 'changed' | 'recovered' | 'went_stale' | 'came_back';
  from: Severity;
  to: Severity;
  channel: string | null;
  band: BandName | null;
  value: number | null;
  limit: number | null;
  versionId: number | null;
  message: string | null;
  at: Instant;
}

export const insertEvents = (tx: Tx, events: readonly AlarmEvent[], now: Date) =>
  tx.later(sql`
    insert into alarm_event (service_id, episode_id, kind, from_severity, to_severity, channel, band, value, limit_value,
      limits_version_id, message, happened_at, recorded_at)
    select "serviceId", "episodeId", kind, "from", "to", channel, band, value, "limit", "versionId", message,
      to_timestamp("at" / 1000.0), ${now}
    from json_to_recordset(${JSON.stringify(events)}) as given ("serviceId" int, "episodeId" bigint, kind text, "from" text,
      "to" text, channel text, band text, value float8, "limit" float8, "versionId" int, message text, "at" float8)`);

export type TakeEpisodes = (tx: ReadDatabase, count: number) => Promise<string[]>;

export const takeEpisodeIds: TakeEpisodes = async (db, count) => {
  const rows = await db.query<{ id: string }>(sql`
    select nextval('episode_id') as "id" from generate_series(1, ${count}::int)`);
  return rows.map(({ id }) => id);
};

const STOCK = 1_000;

/** Takes many at a time, so that raising an alarm costs no round trip of its own, not even the first one. */
export function stockEpisodeIds(db: ReadDatabase): TakeEpisodes {
  const stock: string[] = [];
  takeEpisodeIds(db, STOCK).then(
    (ids) => stock.push(...ids),
    () => {},
  );
  return async (tx, count) => {
    if (stock.length < count) stock.push(...(await takeEpisodeIds(tx, count + STOCK)));
    return stock.splice(0, count);
  };
}

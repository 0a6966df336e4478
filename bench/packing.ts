// How fast readings are packed behind the ingest, and what they occupy then: two days of a reading a minute.
import type pg from 'pg';
import sql from 'sql-template-tag';
import type { OrganizationId, ServiceId } from '../src/domain/ids.ts';
import { appendHistory } from '../src/engine/journal/inbox.ts';
import { packInbox } from '../src/engine/packing/pack-inbox.ts';
import { mergeParts } from '../src/engine/readings/merge-parts.ts';
import { migrate } from '../src/platform/db/migrate.ts';
import { openNewDatabase } from './new-database.ts';

const SERVICES = 500;
const DAYS = 2;
const MINUTES = DAYS * 1440;
const MINUTE_MS = 60_000;
const PER_ROW = 2_000;

export interface PackingFigures {
  perSecond: number;
  bytesAtRest: number;
}

export async function measurePacking(connection: pg.PoolConfig, now: Date): Promise<PackingFigures> {
  const db = await openNewDatabase(connection, 'packing');
  try {
    await migrate(db, now);
    const end = Math.floor(now.getTime() / 86_400_000) * 86_400_000;
    let [seconds, columns] = [0, emptyColumns()];
    for (let minute = 0; minute < MINUTES; minute += 1) {
      for (let service = 1; service <= SERVICES; service += 1) {
        columns.serviceIds.push(service as ServiceId);
        columns.channelIds.push(service);
        columns.ats.push(end - (MINUTES - minute) * MINUTE_MS + jitter(service * 7919 + minute));
        columns.values.push(
          Number((-80 + Math.sin(minute / 30 + service) + jitter(minute) / 1e4).toFixed(2)),
        );
        if (columns.ats.length < PER_ROW) continue;
        await db.query(appendHistory(1 as OrganizationId, columns, now));
        columns = emptyColumns();
      }
      if (minute % 200 !== 199 && minute !== MINUTES - 1) continue;
      const startedAt = performance.now();
      while ((await packInbox(db, now, { atOnce: minute === MINUTES - 1 })) === 'more_to_do');
      while ((await mergeParts(db, now)) === 'more_to_do');
      seconds += (performance.now() - startedAt) / 1000;
    }
    await db.query(sql`vacuum reading_pack`);
    const [kept] = await db.query<{ readings: number; bytes: number }>(sql`
      select (select sum(count)::float8 from reading_pack) as readings,
        sum(pg_total_relation_size(inhrelid))::float8 as bytes
      from pg_inherits where inhparent = 'reading_pack'::regclass`);
    if (kept?.readings !== SERVICES * MINUTES) throw new Error(`${kept?.readings} readings packed`);
    return { perSecond: Math.round(kept.readings / seconds), bytesAtRest: kept.bytes / kept.readings };
  } finally {
    await db.close();
  }
}

const emptyColumns = () => ({
  serviceIds: [] as ServiceId[],
  channelIds: [] as number[],
  ats: [] as number[],
  values: [] as number[],
});

/** Milliseconds by which a sensor is late, the same in every run. */
const jitter = (seed: number): number => Math.floor(Math.abs(Math.sin(seed * 12.9898) * 43_758.5453) % 900);

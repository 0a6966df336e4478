// How fast readings are packed behind the ingest, and what they occupy then, tables and indexes with all the room that is free
// in them: days of a reading a minute, each packed and merged as it passes.
import type pg from 'pg';
import sql from 'sql-template-tag';
import type { OrganizationId, ServiceId } from '../src/domain/ids.ts';
import { appendHistory } from '../src/engine/journal/inbox.ts';
import { packInbox } from '../src/engine/packing/pack-inbox.ts';
import { mergeParts } from '../src/engine/readings/merge-parts.ts';
import { migrate } from '../src/platform/db/migrate.ts';
import { openNewDatabase } from './new-database.ts';

const SERVICES = 200;
const DAYS = 14;
const MINUTES = DAYS * 1440;
const MINUTE_MS = 60_000;
const PER_ROW = 2_000;
/** Readings of a small lab are packed when they are as old as this. */
const EVERY_MINUTES = 10;

export interface PackingFigures {
  perSecond: number;
  bytesAtRest: number;
}

export async function measurePacking(connection: pg.PoolConfig, now: Date): Promise<PackingFigures> {
  const db = await openNewDatabase(connection, 'packing');
  try {
    await migrate(db, now);
    // In the middle of a month: a table begins with room that is not used yet.
    const begin = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 8);
    let [seconds, columns] = [0, emptyColumns()];
    for (let minute = 0; minute < MINUTES; minute += 1) {
      const at = begin + minute * MINUTE_MS;
      for (let service = 1; service <= SERVICES; service += 1) {
        columns.serviceIds.push(service as ServiceId);
        columns.channelIds.push(service);
        columns.ats.push(at + jitter(service * 7919 + minute));
        columns.values.push(
          Number((-80 + Math.sin(minute / 30 + service) + jitter(minute) / 1e4).toFixed(2)),
        );
        if (columns.ats.length < PER_ROW) continue;
        await db.query(appendHistory(1 as OrganizationId, columns, new Date(at)));
        columns = emptyColumns();
      }
      const isLast = minute === MINUTES - 1;
      if (minute % EVERY_MINUTES !== EVERY_MINUTES - 1 && !isLast) continue;
      const startedAt = performance.now();
      // The last day is over, too, and has settled.
      const passed = new Date(isLast ? at + 60 * MINUTE_MS : at);
      while ((await packInbox(db, passed, { atOnce: isLast })) === 'more_to_do');
      while ((await mergeParts(db, passed)) === 'more_to_do');
      seconds += (performance.now() - startedAt) / 1000;
      // The server does it by itself, once a minute at most, which is long here.
      await db.query(sql`vacuum reading_pack`);
    }
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

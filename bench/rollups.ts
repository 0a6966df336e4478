// How fast readings are rolled up behind the ingest: on a database of their own, two hours of readings a minute.
import type pg from 'pg';
import sql from 'sql-template-tag';
import { makePartitions } from '../src/engine/readings/reading-partitions.ts';
import { createRollUp } from '../src/engine/readings/roll-up.ts';
import { migrate } from '../src/platform/db/migrate.ts';
import { fillLab } from './lab.ts';
import { openNewDatabase } from './new-database.ts';

const SERVICES = 10_000;
const MINUTES = 120;
const HOUR_MS = 60 * 60_000;

/** Readings a second. */
export async function measureRollups(connection: pg.PoolConfig, now: Date): Promise<number> {
  const db = await openNewDatabase(connection, 'rollups');
  try {
    await migrate(db, now);
    await makePartitions(db, now, 400);
    await fillLab(db, SERVICES, now);
    // Until an hour ago, so that all of them are settled.
    const begin = now.getTime() - HOUR_MS - MINUTES * 60_000;
    await db.query(sql`
      insert into reading (service_id, channel_id, taken_at, value)
      select service, service, to_timestamp(${begin}::float8 / 1000) + nth * interval '1 minute', -80 + nth % 7
      from generate_series(0, ${MINUTES - 1}::int) as nth, generate_series(1, ${SERVICES}::int) as service`);
    const rollUp = createRollUp(db, 400);
    const startedAt = performance.now();
    while ((await rollUp(now)) === 'more_to_do');
    const seconds = (performance.now() - startedAt) / 1000;
    const [rolled] = await db.query<{ count: number }>(
      sql`select sum(count)::int as count from reading_minute`,
    );
    if (rolled?.count !== SERVICES * MINUTES) throw new Error(`${rolled?.count} readings rolled up`);
    return Math.round(rolled.count / seconds);
  } finally {
    await db.close();
  }
}

import sql from 'sql-template-tag';
import { expect } from 'vitest';
import type { Database } from '../../src/platform/db/database.ts';

/** Until a connection of this database waits for a lock that another one holds. */
export const untilSomebodyWaits = (db: Database) =>
  expect
    .poll(
      () =>
        db.query(sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`),
      { interval: 10, timeout: 10_000 },
    )
    .not.toEqual([]);

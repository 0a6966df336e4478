import sql from 'sql-template-tag';
import { expect } from 'vitest';
import type { Database } from '../../src/platform/db/database.ts';
import { isConflict } from '../../src/platform/db/passing-fault.ts';

/** Until a connection of this database waits for a lock that another one holds. */
export const untilSomebodyWaits = (db: Database) =>
  expect
    .poll(
      () =>
        db.query(sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`),
      { interval: 10, timeout: 60_000 },
    )
    .not.toEqual([]);

/** Whom the database gives up when two wait for each other depends on who is quick: until it is not the one who tries. */
export async function untilOthersAreGivenUp(attempt: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
  }
}

import pg from 'pg';
import type { Sql } from 'sql-template-tag';
import type { Database } from '../../src/platform/db/database.ts';
import type { TestDatabase } from './test-database.ts';

export interface Fuse {
  /** A transaction loses its connection right after a statement that matches. null: nothing fails. */
  blowsAfter: RegExp | null;
}

/** The real database, whose server really ends the connection in the middle of a transaction. */
export const failingDatabase = ({ db, url }: TestDatabase, fuse: Fuse): Database => ({
  ...db,
  async transaction(work) {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {});
    await client.connect();
    try {
      await client.query('begin');
      const value = await work({
        inTransaction: true,
        async query<Row>(statement: Sql) {
          const { rows } = await client.query(statement);
          if (fuse.blowsAfter?.test(statement.text))
            await client.query('select pg_terminate_backend(pg_backend_pid())');
          return rows as Row[];
        },
      });
      await client.query('commit');
      return value;
    } finally {
      await client.end();
    }
  },
});

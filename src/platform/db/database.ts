import pg from 'pg';
import type { Sql } from 'sql-template-tag';

interface Queryable {
  query<Row>(statement: Sql): Promise<Row[]>;
}

/** Statements that commit together. Only `Database.transaction` makes one. */
export interface Tx extends Queryable {
  readonly inTransaction: true;
}

export interface Database extends Queryable {
  transaction<Value>(work: (tx: Tx) => Promise<Value>): Promise<Value>;
  /** Connections in use, idle, and callers waiting for one. */
  pressure(): { total: number; idle: number; waiting: number };
  close(): Promise<void>;
}

export type ReadDatabase = Queryable;

export const first = <Row>(rows: Row[]): Row | null => rows[0] ?? null;

export function openPool(connection: pg.PoolConfig, onIdleError: (error: Error) => void): Database {
  const pool = new pg.Pool({
    application_name: 'tocsin',
    max: 10,
    connectionTimeoutMillis: 10_000,
    idle_in_transaction_session_timeout: 60_000,
    statement_timeout: 60_000,
    ...connection,
  });
  // An idle connection that breaks is replaced at the next query; without a listener it would end the process.
  pool.on('error', onIdleError);

  return {
    async query<Row>(statement: Sql) {
      return (await pool.query(statement)).rows as Row[];
    },

    async transaction(work) {
      const client = await pool.connect();
      let broken: Error | undefined;
      try {
        await client.query('begin');
        const value = await work({
          inTransaction: true,
          async query<Row>(statement: Sql) {
            return (await client.query(statement)).rows as Row[];
          },
        });
        await client.query('commit');
        return value;
      } catch (error) {
        await client.query('rollback').catch((lost: Error) => {
          broken = lost;
        });
        throw error;
      } finally {
        client.release(broken);
      }
    },

    pressure: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: () => pool.end(),
  };
}

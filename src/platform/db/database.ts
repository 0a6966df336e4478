import pg from 'pg';
import type { Sql } from 'sql-template-tag';
import { prepareAll } from './prepare.ts';
import { openWire, type Wire } from './wire.ts';
import { writeOut } from './write-out.ts';

// Instants travel as UTC, whatever zone the program runs in.
pg.defaults.parseInputDatesAsUTC = true;

interface Queryable {
  query<Row>(statement: Sql): Promise<Row[]>;
}

/** Statements that commit together, in the order they were given. Only `Database.transaction` makes one. */
export interface Tx extends Queryable {
  readonly inTransaction: true;
  /** Several statements in one round trip, each seeing what those before it did. */
  queryAll(statements: Sql[]): Promise<unknown[][]>;
  /** For writes whose outcome nobody waits for: sent with the next statement, or with the commit. */
  later(statement: Sql): void;
  /** Once it is committed, every program that listens is woken. */
  announce(): void;
}

export interface Database extends Queryable {
  transaction<Value>(work: (tx: Tx) => Promise<Value>, access?: Access): Promise<Value>;
  /** Connections in use, idle, and callers waiting for one. */
  pressure(): { total: number; idle: number; waiting: number };
  /** Called when a program announced a change, this one or another; answers with the way to stop it. */
  listen: Wire['listen'];
  close(): Promise<void>;
}

export type ReadDatabase = Queryable;

/**
 * `by_index`: for work on many known keys that comes many times a second. Without statistics, or on small tables, the
 * planner would read whole tables and hash them. What is sent together is planned once for all.
 */
type Access = 'as_planned' | 'by_index';

const BEGIN: Record<Access, string> = {
  as_planned: 'begin',
  by_index:
    'begin; set local enable_seqscan = off; set local enable_hashjoin = off; set local enable_mergejoin = off; set local plan_cache_mode = force_generic_plan',
};

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
  const wire = openWire(connection, onIdleError);

  return {
    async query<Row>(statement: Sql) {
      return (await pool.query(statement)).rows as Row[];
    },

    async transaction(work, access = 'as_planned') {
      const client = await pool.connect();
      let broken: Error | undefined;
      // A backend that dies while the connection is in use must fail this transaction, not the program.
      const noteLoss = (error: Error) => {
        broken = error;
      };
      client.on('error', noteLoss);
      try {
        const tx = openTransaction(client, access);
        const value = await work(tx);
        await tx.commit();
        if (tx.isAnnounced()) wire.tell();
        return value;
      } catch (error) {
        await client.query('rollback').catch((lost: Error) => {
          broken = lost;
        });
        throw error;
      } finally {
        client.off('error', noteLoss);
        client.release(broken);
      }
    },

    pressure: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    listen: wire.listen,
    async close() {
      await wire.close();
      await pool.end();
    },
  };
}

interface OpenTransaction extends Tx {
  commit(): Promise<void>;
  isAnnounced(): boolean;
}

function openTransaction(client: pg.PoolClient, access: Access): OpenTransaction {
  let isAnnounced = false;
  let isBegun = false;
  // What came `later` is sent before anything else.
  let waiting: Sql[] = [];
  const toTexts = async (statements: Sql[]) =>
    access === 'by_index' ? prepareAll(client, statements) : statements.map(writeOut);
  /** Answers with the results of the statements, in one round trip. */
  const send = async (statements: Sql[], end: string[] = []): Promise<{ rows: unknown[] }[]> => {
    const texts = await toTexts([...waiting, ...statements]);
    waiting = [];
    const script = [...(isBegun ? [] : [BEGIN[access]]), ...texts, ...end];
    isBegun = true;
    if (script.length === 0) return [];
    const results = await client.query(script.join(';\n'));
    return ([results].flat() as { rows: unknown[] }[]).slice(-statements.length);
  };
  return {
    inTransaction: true,
    async query<Row>(statement: Sql) {
      if (!isBegun || waiting.length > 0) await send([]);
      return (await client.query(statement)).rows as Row[];
    },
    queryAll: async (statements) => (await send(statements)).map(({ rows }) => rows),
    later: (statement) => void waiting.push(statement),
    announce() {
      isAnnounced = true;
    },
    isAnnounced: () => isAnnounced,
    commit: async () => void (await send([], ['commit'])),
  };
}

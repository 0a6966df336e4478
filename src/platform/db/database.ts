import pg from 'pg';
import sql, { type Sql } from 'sql-template-tag';
import { createPool } from './connect.ts';
import { noConnection } from './passing-fault.ts';
import { sendTogether } from './send-together.ts';
import { openWire, type Wire } from './wire.ts';

// Instants travel as UTC, whatever zone the program runs in.
pg.defaults.parseInputDatesAsUTC = true;

interface Queryable {
  /** `access`: inside a transaction, that of the transaction counts. */
  query<Row>(statement: Sql, access?: Access): Promise<Row[]>;
}

/** Statements that commit together, in the order they were given. Only `Database.transaction` makes one. */
export interface Tx extends Queryable {
  readonly inTransaction: true;
  /** Several statements in one round trip, each seeing what those before it did. */
  queryAll(statements: Sql[]): Promise<unknown[][]>;
  /** A text of many statements, such as a migration. */
  run(script: string): Promise<void>;
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

const BEGIN = sql`begin`;
const COMMIT = sql`commit`;
const BY_INDEX = sql`
  select set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
    set_config('enable_mergejoin', 'off', true), set_config('plan_cache_mode', 'force_generic_plan', true),
    set_config('jit', 'off', true)`;
const OPENING: Record<Access, Sql[]> = { as_planned: [BEGIN], by_index: [BEGIN, BY_INDEX] };

export const first = <Row>(rows: Row[]): Row | null => rows[0] ?? null;

export function openPool(connection: pg.PoolConfig, onIdleError: (error: Error) => void): Database {
  const pool = createPool({
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

  /** `lose`: the connection is not to be used again. */
  const connected = async <Value>(
    use: (client: pg.PoolClient, lose: (error: Error) => void) => Promise<Value>,
  ): Promise<Value> => {
    const client = await pool.connect().catch((error) => {
      throw noConnection(error);
    });
    let broken: Error | undefined;
    const lose = (error: Error) => {
      broken = error;
    };
    // A backend that dies while the connection is in use must fail what it was used for, not the program.
    client.on('error', lose);
    try {
      return await use(client, lose);
    } finally {
      client.off('error', lose);
      client.release(broken);
    }
  };

  const rolledBackIfFailing = <Value>(use: (client: pg.PoolClient) => Promise<Value>) =>
    connected(async (client, lose) => {
      try {
        return await use(client);
      } catch (error) {
        await client.query('rollback').catch(lose);
        throw error;
      }
    });

  return {
    async query<Row>(statement: Sql, access: Access = 'as_planned') {
      if (access === 'as_planned')
        return connected(async (client) => (await sendTogether(client, [statement], false))[0] as Row[]);
      const script = [...OPENING[access], statement, COMMIT];
      const answers = await rolledBackIfFailing((client) => sendTogether(client, script, true));
      return answers.at(-2) as Row[];
    },

    transaction: (work, access = 'as_planned') =>
      rolledBackIfFailing(async (client) => {
        const tx = openTransaction(client, access);
        const value = await work(tx);
        await tx.commit();
        if (tx.isAnnounced()) wire.tell();
        return value;
      }),

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
  // What came `later` is sent before anything else.
  let waiting: Sql[] = [...OPENING[access]];
  /** Answers with the rows of the statements, in one round trip. */
  const send = async (statements: Sql[]): Promise<unknown[][]> => {
    const script = [...waiting, ...statements];
    waiting = [];
    const rows = await sendTogether(client, script, access === 'by_index');
    return rows.slice(script.length - statements.length);
  };
  return {
    inTransaction: true,
    query: async <Row>(statement: Sql) => (await send([statement]))[0] as Row[],
    queryAll: send,
    async run(script) {
      await send([]);
      await client.query(script);
    },
    later: (statement) => void waiting.push(statement),
    announce() {
      isAnnounced = true;
    },
    isAnnounced: () => isAnnounced,
    commit: async () => void (await send([COMMIT])),
  };
}

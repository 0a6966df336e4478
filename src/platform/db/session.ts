// A connection outside the pool, for work that takes its time: no limit ends it, and it keeps nobody else waiting.
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import type { Sql } from 'sql-template-tag';
import { openClient, UNREACHABLE } from './connect.ts';

export interface Session {
  query<Row>(statement: Sql): Promise<Row[]>;
  /** A text of one or many statements. Outside a transaction, several are one, as the server takes them. */
  run(script: string): Promise<void>;
  transaction<Value>(work: () => Promise<Value>): Promise<Value>;
  /** What the server says beside its answers, from now on. */
  heed(listen: (notice: string) => void): void;
  copyOut(statement: string): CopiedRows;
  /** Answers how many rows there were. */
  copyIn(statement: string, rows: AsyncIterable<Buffer>): Promise<number>;
}

/** The text of the rows, in pieces of any size. */
export interface CopiedRows extends AsyncIterable<Buffer> {
  /** Known when a later statement of the session has been answered. */
  rowCount: number;
}

const LIMITLESS = { ...UNREACHABLE, query_timeout: 0, connectionTimeoutMillis: 10_000 };

/** By statements: a role, a database or DATABASE_URL may have limits of their own. */
const NO_LIMITS = `
  set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0`;

export async function inSession<Value>(
  config: pg.ClientConfig,
  work: (session: Session) => Promise<Value>,
): Promise<Value> {
  const client = await openClient(
    { ...config, ...LIMITLESS, application_name: 'tocsin alone' },
    // What it was used for fails; without a listener the program would.
    (opening) => opening.on('error', () => {}),
  );
  try {
    await client.query(NO_LIMITS);
    return await work(openSession(client));
  } finally {
    await client.end().catch(() => {});
  }
}

const openSession = (client: pg.Client): Session => ({
  query: async <Row>(statement: Sql) => (await client.query(statement)).rows as Row[],
  run: async (script) => void (await client.query(script)),
  async transaction(work) {
    await client.query('begin');
    try {
      const value = await work();
      const { command } = await client.query('commit');
      if (command !== 'COMMIT') throw new Error('The server rolled the transaction back');
      return value;
    } catch (error) {
      await client.query('rollback').catch(() => {});
      throw error;
    }
  },
  heed: (listen) => void client.on('notice', ({ message }) => listen(message ?? '')),
  copyOut: (statement) => client.query(copyTo(statement)),
  async copyIn(statement, rows) {
    const copy = client.query(copyFrom(statement));
    await pipeline(rows, copy);
    return copy.rowCount;
  },
});

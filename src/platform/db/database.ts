import { randomUUID } from 'node:crypto';
import pg from 'pg';
import sql, { type Sql } from 'sql-template-tag';
import { insertAct, settleAct } from './acts.ts';
import { createPool, createUnsettledPool, UNREACHABLE } from './connect.ts';
import {
  CommitUnknown,
  doubtCommit,
  nameFault,
  needsNewConnection,
  noConnection,
  PassingFault,
} from './passing-fault.ts';
import { sendTogether } from './send-together.ts';
import { inSession, type Session } from './session.ts';
import { answerEach, type RowsOf, type Statement, type Statements } from './statement.ts';
import { openWire, type Wire } from './wire.ts';

// Instants travel as UTC, whatever zone the program runs in.
pg.defaults.parseInputDatesAsUTC = true;

interface Queryable {
  /** `access`: inside a transaction, that of the transaction counts. */
  query<Row>(statement: Statement<Row>, access?: Access): Promise<Row[]>;
  /**
   * Several statements in one round trip and one transaction, in the order they are given, each seeing what those before
   * it did. The rows of each, by its name or in its place.
   */
  queryAll<const Sent extends Statements>(statements: Sent, access?: Access): Promise<RowsOf<Sent>>;
}

/** Statements that commit together, in the order they were given. Only `Database.transaction` makes one. */
export interface Tx extends Queryable {
  readonly inTransaction: true;
  /** A text of many statements. */
  run(script: string): Promise<void>;
  /** For writes whose outcome nobody waits for: sent with the next statement, or with the commit. */
  later(statement: Sql): void;
  /** Once it is committed, every program that listens is woken. */
  announce(): void;
  /** Nothing was found to do: nobody waits for the end. */
  forgo(): void;
  /** Where the connection is lost at the commit, it is looked whether it happened. Of what people do it always is. */
  makeCertain(): void;
}

export interface Database extends Queryable {
  transaction<Value>(work: (tx: Tx) => Promise<Value>, access?: Access): Promise<Value>;
  /** On a connection of its own, for as long as it takes. */
  alone<Value>(work: (session: Session) => Promise<Value>): Promise<Value>;
  /** Connections in use, idle, and callers waiting for one. */
  pressure(): { total: number; idle: number; waiting: number };
  /** Called when a program announced a change, this one or another; answers with the way to stop it. */
  listen: Wire['listen'];
  close(): Promise<void>;
}

export type ReadDatabase = Queryable;

/** Its own connections are those of the engine: readings, timers, deliveries. */
export interface PooledDatabase extends Database {
  /** The same database over other connections, whose statements give up sooner: however many ask, no alarm waits for them. */
  forPages: Database;
}

/**
 * `by_index`: for work on many known keys that comes many times a second; others wait for its locks, so that a program that
 * stands still loses them soon. Without statistics, or on small tables, the
 * planner would read whole tables and hash them. What is sent is planned once for each text: none is made of values
 * (test/support/architecture.ts).
 * `prepared`: for one that comes with every request: the planner may choose, but once for each text.
 * `at_one_moment`: as `by_index`, for reading alone, where all statements of the transaction see the database as the first did.
 * `briefly`: for looks at how things stand, which give up rather than weigh on a database in trouble.
 */
type Access = 'as_planned' | 'prepared' | 'by_index' | 'at_one_moment' | 'briefly';

/** A program that stands still in the middle of what others wait for: the server ends its transaction. */
const LONGEST_STILL_MS = 4_000;
/** For a transaction that holds what alarms wait for, and is not `by_index`. */
export const NOT_STANDING_STILL = sql`select set_config('idle_in_transaction_session_timeout', ${String(LONGEST_STILL_MS)}, true)`;

const BEGIN = sql`begin`;
const BEGIN_AT_ONE_MOMENT = sql`begin isolation level repeatable read read only`;
const COMMIT = sql`commit`;
const BY_INDEX = sql`
  select set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
    set_config('enable_mergejoin', 'off', true), set_config('plan_cache_mode', 'force_generic_plan', true),
    set_config('jit', 'off', true), set_config('idle_in_transaction_session_timeout', ${String(LONGEST_STILL_MS)}, true)`;
const BRIEFLY = sql`select set_config('statement_timeout', '3s', true)`;
const SETTINGS: Record<Access, Sql[]> = {
  as_planned: [],
  prepared: [],
  by_index: [BY_INDEX],
  at_one_moment: [BY_INDEX],
  briefly: [BRIEFLY],
};

/** How connections are used. */
interface Manner {
  /** With each transaction, and each statement outside of one. */
  saidWithAll: Sql[];
  /** Statements are prepared by name: the next time it is the same connection. */
  hasNames: boolean;
  /** Of whatever a transaction writes, it is known whether it happened. */
  isCertain: boolean;
}

const OWN_CONNECTIONS: Omit<Manner, 'isCertain'> = { saidWithAll: [], hasNames: true };

const openingOf = (access: Access, { saidWithAll }: Manner): Sql[] => [
  access === 'at_one_moment' ? BEGIN_AT_ONE_MOMENT : BEGIN,
  ...saidWithAll,
  ...SETTINGS[access],
];

const isPrepared = (access: Access, { hasNames }: Manner): boolean =>
  hasNames && access !== 'as_planned' && access !== 'briefly';

export const first = <Row>(rows: Row[]): Row | null => rows[0] ?? null;

const LIMITS = {
  max: 10,
  // A new one takes several round trips, and is needed most when each of them is slow.
  idleTimeoutMillis: 10 * 60_000,
  connectionTimeoutMillis: 10_000,
  ...UNREACHABLE,
};
const LONGEST_MS = { statement: 60_000, still: 60_000 };
/** What people do locks what alarms wait for. */
const LONGEST_FOR_PAGES_MS = { statement: 10_000, still: LONGEST_STILL_MS };
const PAGES = 'tocsin pages';

/** What the server is told of a connection of our own when it opens. A shorter limit of DATABASE_URL counts. */
function openOwn(name: string, limits: typeof LONGEST_MS, connection: pg.PoolConfig): pg.Pool {
  const settings = {
    statement_timeout: LONGEST_MS.statement,
    idle_in_transaction_session_timeout: limits.still,
  };
  const longestMs = limits === LONGEST_MS ? undefined : limits.statement;
  return createPool({ application_name: name, ...LIMITS, ...settings, ...connection }, longestMs);
}

/** A pooler in transaction mode: each transaction may go over another connection, of which nothing is known. */
const throughPooler = ({ statement, still }: typeof LONGEST_MS): Omit<Manner, 'isCertain'> => ({
  saidWithAll: [
    sql`select set_config('jit', 'off', true), set_config('statement_timeout', ${String(statement)}, true),
      set_config('idle_in_transaction_session_timeout', ${String(still)}, true)`,
  ],
  hasNames: false,
});

/**
 * `direct`: `connection` leads through a pooler in transaction mode, and this past it, for what needs a connection of its
 * own: programs that wake each other, migrations, backups.
 */
export function openPool(
  connection: pg.PoolConfig,
  onIdleError: (error: Error) => void,
  direct?: pg.PoolConfig,
): PooledDatabase {
  const wire = openWire(direct ?? connection, onIdleError);
  const open = (name: string, limits: typeof LONGEST_MS) => {
    const pool = direct
      ? createUnsettledPool({ application_name: name, ...LIMITS, ...connection })
      : openOwn(name, limits, connection);
    // An idle connection that breaks is replaced at the next query; without a listener it would end the process.
    pool.on('error', (error: Error & { client?: unknown }) => {
      // Given back for good, and the server was shut down before it heard of that.
      if (pool.ending) return;
      // All that is known of the connection is much, and not for logs.
      delete error.client;
      onIdleError(error);
    });
    const manner = direct ? throughPooler(limits) : OWN_CONNECTIONS;
    return workOver(pool, direct ?? connection, wire, { ...manner, isCertain: name === PAGES });
  };
  const engine = open('tocsin', LONGEST_MS);
  const forPages = open(PAGES, LONGEST_FOR_PAGES_MS);
  return {
    ...engine,
    forPages,
    async close() {
      await wire.close();
      await Promise.all([engine.close(), forPages.close()]);
    },
  };
}

/** `aloneAt`: where sessions of their own go. */
function workOver(pool: pg.Pool, aloneAt: pg.PoolConfig, wire: Wire, manner: Manner): Database {
  /** `lose`: the connection is not to be used again. `last`: nobody else gets it before that is over. */
  const connected = async <Value>(
    use: (
      client: pg.PoolClient,
      lose: (error: Error) => void,
      last: (ending: Promise<unknown>) => void,
    ) => Promise<Value>,
  ): Promise<Value> => {
    const client = await pool.connect().catch((error) => {
      throw noConnection(error);
    });
    let broken: Error | undefined;
    const lose = (error: Error) => {
      broken = error;
    };
    let ending: Promise<unknown> | null = null;
    // A backend that dies while the connection is in use must fail what it was used for, not the program.
    client.on('error', lose);
    try {
      return await use(client, lose, (last) => {
        ending = last;
      });
    } catch (error) {
      if (needsNewConnection(error)) lose(error as Error);
      throw error;
    } finally {
      const release = () => {
        client.off('error', lose);
        client.release(broken);
      };
      if (ending) void (ending as Promise<unknown>).finally(release);
      else release();
    }
  };

  const rolledBackIfFailing = <Value>(
    use: (client: pg.PoolClient, rollBackLast: () => void) => Promise<Value>,
  ) =>
    connected(async (client, lose, last) => {
      try {
        return await use(client, () => last(client.query('rollback').catch(lose)));
      } catch (error) {
        if (!(error instanceof PassingFault)) await client.query('rollback').catch(lose);
        throw error;
      }
    });

  /** What travels in one message is one transaction, without anybody saying so. */
  const send = async (statements: Sql[], access: Access = 'as_planned'): Promise<unknown[][]> => {
    const isSaid = access === 'at_one_moment';
    const opening = isSaid ? openingOf(access, manner) : [...manner.saidWithAll, ...SETTINGS[access]];
    const script = [...opening, ...statements];
    const isKept = isPrepared(access, manner);
    const answers = await (isSaid
      ? rolledBackIfFailing((client) => sendAndCommit(client, [...script, COMMIT], access, isKept))
      : connected((client) => sendTogether(client, script, isKept)));
    return answers.slice(opening.length, opening.length + statements.length).map(({ rows }) => rows);
  };

  return {
    query: async <Row>(statement: Sql, access?: Access) => (await send([statement], access))[0] as Row[],
    queryAll: (statements, access) => answerEach(statements, (list) => send(list, access)),

    async transaction<Value>(work: (tx: Tx) => Promise<Value>, access: Access = 'as_planned') {
      const begun: { tx?: OpenTransaction; value?: Value } = {};
      try {
        await rolledBackIfFailing(async (client, rollBackLast) => {
          const tx = openTransaction(client, access, manner);
          begun.tx = tx;
          begun.value = await work(tx);
          if (tx.isForgone()) rollBackLast();
          else await tx.commit();
        });
      } catch (error) {
        const act = begun.tx?.act();
        if (!act || !(error instanceof CommitUnknown)) throw error;
        await settleAct(async (statement) => (await send([statement]))[0] ?? [], act, error);
      }
      if (begun.tx?.isAnnounced()) wire.tell();
      return begun.value as Value;
    },

    alone: (work) => inSession(aloneAt, work),
    pressure: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    listen: wire.listen,
    close: () => pool.end(),
  };
}

interface OpenTransaction extends Tx {
  commit(): Promise<void>;
  /** By which it is found again; null: nobody will look for it. */
  act(): string | null;
  isAnnounced(): boolean;
  isForgone(): boolean;
}

function openTransaction(client: pg.PoolClient, access: Access, manner: Manner): OpenTransaction {
  const isKept = isPrepared(access, manner);
  let act = manner.isCertain && access !== 'at_one_moment' ? randomUUID() : null;
  let isAnnounced = false;
  let isForgone = false;
  let failure: unknown = null;
  // What came `later` is sent before anything else.
  let waiting: Sql[] = openingOf(access, manner);
  const take = (statements: Sql[]): Sql[] => {
    const script = [...waiting, ...statements];
    waiting = [];
    return script;
  };
  /** Answers with the rows of the statements, in one round trip. */
  const send = async (statements: Sql[]): Promise<unknown[][]> => {
    if (failure) throw failure;
    const script = take(statements);
    try {
      const answers = await sendTogether(client, script, isKept);
      return answers.slice(script.length - statements.length).map(({ rows }) => rows);
    } catch (error) {
      failure ??= error;
      throw error;
    }
  };
  return {
    inTransaction: true,
    query: async <Row>(statement: Sql) => (await send([statement]))[0] as Row[],
    queryAll: (statements) => answerEach(statements, send),
    async run(script) {
      await send([]);
      await client.query(script).catch((error) => {
        throw nameFault(error);
      });
    },
    later: (statement) => void waiting.push(statement),
    announce() {
      isAnnounced = true;
    },
    isAnnounced: () => isAnnounced,
    forgo() {
      isForgone = true;
    },
    isForgone: () => isForgone,
    makeCertain() {
      act ??= randomUUID();
    },
    act: () => act,
    async commit() {
      // Whoever swallowed it went on as if nothing had happened, but the server did not.
      if (failure) throw failure;
      await sendAndCommit(client, take(act ? [insertAct(act), COMMIT] : [COMMIT]), access, isKept);
    },
  };
}

/** The last statement of the script is the commit. */
async function sendAndCommit(client: pg.PoolClient, script: Sql[], access: Access, isKept: boolean) {
  const answers = await sendTogether(client, script, isKept).catch((error) => {
    throw access === 'at_one_moment' ? error : doubtCommit(error);
  });
  if (answers.at(-1)?.tag !== 'COMMIT') throw new Error('The server rolled the transaction back');
  return answers;
}

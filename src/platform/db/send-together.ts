// Several statements in one message and one round trip, done together or not at all: the extended protocol allows it, the
// driver's own queries do not use it. Values stay values all the way.
import pg from 'pg';
import type { Sql } from 'sql-template-tag';
import { nameFault, noConnection, PassingFault } from './passing-fault.ts';

/** A value as the driver sends it. Its types do not mention what it exports here: send-together.test.ts looks. */
const { prepareValue } = (
  pg as typeof pg & { utils: { prepareValue(value: unknown): string | Buffer | null } }
).utils;

/** What a connection knows by name. */
interface Prepared {
  /** The least recently used first. */
  byText: Map<string, Statement>;
  /** Also of those that failed: a name is never used twice. */
  tried: number;
  /** Names that the server may forget: told with the next message. */
  unused: string[];
}

/** Texts of one connection. Each is a plan in the server's memory. */
const MOST_PREPARED = 200;

interface Statement {
  /** Empty: planned for this call only. */
  name: string;
  /** null: never executed yet. */
  shape: RowShape | null;
}

interface RowShape {
  columns: Column[];
  /** All columns, null: rows are copies of it. */
  empty: Row;
}

type Row = Record<string, unknown>;

interface Column {
  name: string;
  read(text: string): unknown;
}

interface Call extends Answer {
  text: string;
  /** As they travel. */
  values: (string | Buffer | null)[];
  statement: Statement;
}

interface Answer {
  rows: unknown[];
  /** What the server says it did: `COMMIT`. */
  tag: string;
}

const preparedOn = new WeakMap<pg.PoolClient, Prepared>();

/**
 * Answers each. `isPrepared`: for statements that come many times a second. Planning them takes longer than executing them
 * on a few hundred rows, so each connection does it once for each text.
 */
export async function sendTogether(
  client: pg.PoolClient,
  statements: readonly Sql[],
  isPrepared: boolean,
): Promise<Answer[]> {
  const prepared = preparedOn.get(client) ?? { byText: new Map(), tried: 0, unused: [] };
  preparedOn.set(client, prepared);
  const calls = statements.map((sql) => describe(sql, isPrepared ? prepared : null));
  const onDone = (call: Call) => {
    if (isPrepared) keep(prepared, call);
  };
  try {
    await new Promise<void>((onEnd, onError) => {
      client.query(createMessage(calls, prepared.unused.splice(0), { onDone, onEnd, onError }));
    });
  } catch (error) {
    if (isPrepared) forgetFailed(prepared, calls);
    // So that it leads to whoever asked, not to the socket.
    Error.captureStackTrace(error as Error);
    throw isPrepared && isOutdated(error)
      ? new PassingFault(`A plan was overtaken: ${error.message}`, { cause: error })
      : error;
  }
  return calls;
}

function keep({ byText, unused }: Prepared, { text, statement }: Call): void {
  const known = byText.get(text);
  // The same text twice in a message was given two names.
  if (known && known !== statement) unused.push(known.name);
  byText.delete(text);
  byText.set(text, statement);
  const oldest = byText.size > MOST_PREPARED && byText.entries().next().value;
  if (!oldest) return;
  byText.delete(oldest[0]);
  unused.push(oldest[1].name);
}

/** The server may know them, but not what became of them. */
function forgetFailed({ byText, unused }: Prepared, calls: readonly Call[]): void {
  for (const { text, statement } of calls) if (byText.get(text) !== statement) unused.push(statement.name);
}

/** The schema changed under a plan (feature_not_supported), or the name is not known any more: both need a new connection. */
const isOutdated = (error: unknown): error is Error =>
  error instanceof pg.DatabaseError && ['0A000', '26000'].includes(error.code ?? '');

/**
 * An instant says its type, for many a place cannot tell; what has none stays in the text, but not of what is prepared: each
 * text is planned and kept by itself, so that it is the same whether a value is there or not.
 */
function describe({ strings, values }: Sql, prepared: Prepared | null): Call {
  let text = strings[0] ?? '';
  const given: Call['values'] = [];
  for (const [index, value] of values.entries()) {
    if (!prepared && (value === null || value === undefined)) text += 'null';
    else text += `$${given.push(prepareValue(value))}${value instanceof Date ? '::timestamptz' : ''}`;
    text += strings[index + 1] ?? '';
  }
  return {
    text,
    values: given,
    statement: prepared?.byText.get(text) ?? nameStatement(prepared),
    rows: [],
    tag: '',
  };
}

function nameStatement(prepared: Prepared | null): Statement {
  if (!prepared) return { name: '', shape: null };
  prepared.tried += 1;
  return { name: `statement_${prepared.tried}`, shape: null };
}

interface StatementCallbacks {
  onDone(call: Call): void;
  onEnd(): void;
  onError(error: Error): void;
}

/** Of a long answer in one round of the loop. The system would hand over two megabytes at a time. */
const BYTES_AT_ONCE = 64 * 1024;

function readOnNextRound(stream: pg.Connection['stream']): void {
  stream.pause();
  setImmediate(() => stream.resume());
}

/** Speaks with the driver: it sends what `submit` writes, and hands over what comes back, in the order of the calls. */
function createMessage(
  calls: readonly Call[],
  unused: readonly string[],
  { onDone, onEnd, onError }: StatementCallbacks,
) {
  let done = 0;
  let isSent = false;
  let unrested = 0;
  let stream: pg.Connection['stream'] | null = null;
  /** Ours, not the server's: told when it has answered all it was sent, for the connection goes on. */
  let mistake: Error | null = null;
  const finishCall = (tag: string) => {
    const call = calls[done];
    done += 1;
    if (!call) return;
    call.tag = tag;
    call.statement.shape ??= toShape([]);
    onDone(call);
  };
  const message = {
    /** Set by the driver where there is a time limit, and waits to be called. */
    callback: undefined as (() => void) | undefined,
    submit(connection: pg.Connection): void {
      isSent = true;
      stream = connection.stream;
      connection.stream.cork();
      for (const name of unused) connection.close({ type: 'S', name }, true);
      try {
        for (const call of calls) writeCall(connection, call);
      } catch (error) {
        mistake = error as Error;
      }
      connection.sync();
      connection.stream.uncork();
    },
    handleRowDescription({ fields }: { fields: pg.FieldDef[] }): void {
      const statement = calls[done]?.statement;
      if (statement) statement.shape = toShape(fields);
    },
    handleDataRow({ fields, length }: { fields: (string | null)[]; length: number }): void {
      const call = calls[done];
      unrested += length;
      if (unrested >= BYTES_AT_ONCE && stream) {
        unrested = 0;
        readOnNextRound(stream);
      }
      if (mistake || !call?.statement.shape) return;
      try {
        call.rows.push(readRow(call.statement.shape, fields));
      } catch (error) {
        mistake = error as Error;
      }
    },
    handleCommandComplete: ({ text }: { text: string }) => finishCall(text),
    handleEmptyQuery: () => finishCall(''),
    handleReadyForQuery(): void {
      message.callback?.();
      if (mistake) onError(mistake);
      else onEnd();
    },
    handleError(error: Error): void {
      message.callback?.();
      onError(isSent ? nameFault(error) : noConnection(error));
    },
  };
  return message;
}

function writeCall(connection: pg.Connection, { text, values, statement }: Call): void {
  const { name, shape } = statement;
  if (!shape) connection.parse({ text, name, types: [] }, true);
  connection.bind({ statement: name, values }, true);
  if (!shape) connection.describe({ type: 'P' }, true);
  connection.execute({}, true);
}

function toShape(fields: readonly pg.FieldDef[]): RowShape {
  const empty: Row = {};
  for (const { name } of fields) empty[name] = null;
  return {
    columns: fields.map(({ name, dataTypeID }) => ({
      name,
      read: pg.types.getTypeParser(dataTypeID, 'text'),
    })),
    empty,
  };
}

function readRow({ columns, empty }: RowShape, fields: readonly (string | null)[]): Row {
  const row = { ...empty };
  for (let index = 0; index < columns.length; index += 1) {
    const column = columns[index];
    const text = fields[index];
    if (column && text != null) row[column.name] = column.read(text);
  }
  return row;
}

// Several statements in one message and one round trip: the extended protocol allows it, the driver's own queries do not
// use it. Values stay values all the way.
import pg from 'pg';
import { prepareValue } from 'pg/lib/utils.js';
import type { Sql } from 'sql-template-tag';
import { lostConnection } from './passing-fault.ts';

/** What a connection knows by name. */
interface Prepared {
  byText: Map<string, Statement>;
  /** Also of those that failed: a name is never used twice. */
  tried: number;
}

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

interface Call {
  text: string;
  /** As they travel. */
  values: (string | Buffer | null)[];
  statement: Statement;
  rows: Row[];
}

const preparedOn = new WeakMap<pg.PoolClient, Prepared>();

/**
 * Answers with the rows of each. `isPrepared`: for statements that come many times a second. Planning them takes longer
 * than executing them on a few hundred rows, so each connection does it once for each text.
 */
export async function sendTogether(
  client: pg.PoolClient,
  statements: readonly Sql[],
  isPrepared: boolean,
): Promise<unknown[][]> {
  const prepared = preparedOn.get(client) ?? { byText: new Map(), tried: 0 };
  preparedOn.set(client, prepared);
  const calls = statements.map((sql) => describe(sql, isPrepared ? prepared : null));
  const onDone = ({ text, statement }: Call) => {
    if (isPrepared) prepared.byText.set(text, statement);
  };
  try {
    await new Promise<void>((onEnd, onError) => {
      client.query(createMessage(calls, { onDone, onEnd, onError }));
    });
  } catch (error) {
    if (IS_OUTDATED.has((error as { code?: string }).code ?? '')) prepared.byText.clear();
    // So that it leads to whoever asked, not to the socket.
    Error.captureStackTrace(error as Error);
    throw error;
  }
  return calls.map(({ rows }) => rows);
}

/** The schema changed under a plan (feature_not_supported), or the name is not known any more. */
const IS_OUTDATED: ReadonlySet<string> = new Set(['0A000', '26000']);

/** What has no type of its own stays in the text; a value whose type the place cannot tell says it. */
function describe({ strings, values }: Sql, prepared: Prepared | null): Call {
  let text = strings[0] ?? '';
  const given: Call['values'] = [];
  for (const [index, value] of values.entries()) {
    if (value === null || value === undefined) text += 'null';
    else text += `$${given.push(prepareValue(value))}${value instanceof Date ? '::timestamptz' : ''}`;
    text += strings[index + 1] ?? '';
  }
  return { text, values: given, statement: prepared?.byText.get(text) ?? nameStatement(prepared), rows: [] };
}

function nameStatement(prepared: Prepared | null): Statement {
  if (!prepared) return { name: '', shape: null };
  prepared.tried += 1;
  return { name: `statement_${prepared.tried}`, shape: null };
}

interface Outcome {
  onDone(call: Call): void;
  onEnd(): void;
  onError(error: Error): void;
}

/** Speaks with the driver: it sends what `submit` writes, and hands over what comes back, in the order of the calls. */
function createMessage(calls: readonly Call[], { onDone, onEnd, onError }: Outcome) {
  let done = 0;
  const finishCall = () => {
    const call = calls[done];
    done += 1;
    if (!call) return;
    call.statement.shape ??= toShape([]);
    onDone(call);
  };
  return {
    submit(connection: pg.Connection): void {
      connection.stream.cork();
      for (const call of calls) writeCall(connection, call);
      connection.sync();
      connection.stream.uncork();
    },
    handleRowDescription({ fields }: { fields: pg.FieldDef[] }): void {
      const statement = calls[done]?.statement;
      if (statement) statement.shape = toShape(fields);
    },
    handleDataRow({ fields }: { fields: (string | null)[] }): void {
      const call = calls[done];
      if (call?.statement.shape) call.rows.push(readRow(call.statement.shape, fields));
    },
    handleCommandComplete: finishCall,
    handleEmptyQuery: finishCall,
    handleReadyForQuery: onEnd,
    // What the server has no words for is the end of the connection.
    handleError: (error: Error) => onError(error instanceof pg.DatabaseError ? error : lostConnection(error)),
  };
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

// Statements that say what their rows look like: whoever sends several together can read each answer.
import sql, { type Sql } from 'sql-template-tag';

export type Statement<Row = unknown> = Sql & { readonly rows?: Row[] };

/** One that answers with exactly one row, whatever there is. */
export type OneRow<Row> = Sql & { readonly rows?: [Row] };

/** By name, or in a list. */
export type Statements = Readonly<Record<string, Statement>> | readonly Statement[];

/** The rows of each, under its name or in its place. */
export type RowsOf<Sent extends Statements> = {
  -readonly [Name in keyof Sent]: Sent[Name] extends { readonly rows?: infer Rows extends unknown[] }
    ? Rows
    : unknown[];
};

/** `send` answers with the rows of each, in the order they were given. */
export async function answerEach<Sent extends Statements>(
  statements: Sent,
  send: (list: Sql[]) => Promise<unknown[][]>,
): Promise<RowsOf<Sent>> {
  const rows = await send(Object.values(statements));
  const isList = Array.isArray(statements);
  const named = () => Object.fromEntries(Object.keys(statements).map((name, index) => [name, rows[index]]));
  return (isList ? rows : named()) as RowsOf<Sent>;
}

/** Whether the transaction has written and locked nothing so far. */
export const ASK_UNTOUCHED: OneRow<{ isUntouched: boolean }> = sql`
  select pg_current_xact_id_if_assigned() is null as "isUntouched"`;

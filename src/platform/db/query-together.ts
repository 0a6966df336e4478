import sql, { type Sql } from 'sql-template-tag';
import type { ReadDatabase } from './database.ts';

/** A statement that says what its rows look like, so that it can travel with others and still be read. */
export type Asking<Row> = Sql & { readonly row?: Row };

type Answers<Statements> = {
  -readonly [Index in keyof Statements]: Statements[Index] extends Asking<infer Row> ? Row[] : never;
};

/** One round trip for all, in their order; the rows of each. */
export const queryTogether = <const Statements extends readonly Asking<unknown>[]>(
  db: ReadDatabase,
  statements: Statements,
) => db.queryAll([...statements]) as Promise<Answers<Statements>>;

/** Whether the transaction has written and locked nothing so far. */
export const ASK_UNTOUCHED: Asking<{ isUntouched: boolean }> = sql`
  select pg_current_xact_id_if_assigned() is null as "isUntouched"`;

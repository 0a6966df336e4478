import type { Sql } from 'sql-template-tag';
import type { Tx } from './database.ts';

/** A statement that says what its rows look like, so that it can travel with others and still be read. */
export type Asking<Row> = Sql & { readonly row?: Row };

type Answers<Statements> = {
  -readonly [Index in keyof Statements]: Statements[Index] extends Asking<infer Row> ? Row[] : never;
};

/** One round trip for all, in their order; the rows of each. */
export const queryTogether = <const Statements extends readonly Asking<unknown>[]>(
  tx: Tx,
  statements: Statements,
) => tx.queryAll([...statements]) as Promise<Answers<Statements>>;

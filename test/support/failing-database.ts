import sql, { type Sql } from 'sql-template-tag';
import { type Database, first } from '../../src/platform/db/database.ts';

export interface Fuse {
  /** Its connection is lost right after a statement that matches. null: nothing fails. */
  blowsAfter: RegExp | null;
}

/** The real database, whose server really ends the connection in the middle of a transaction. A lone statement is one as well. */
export const failingDatabase = (db: Database, fuse: Fuse): Database => {
  const transaction = failingTransaction(db, fuse);
  return {
    ...db,
    transaction,
    query: (statement, access) => transaction((tx) => tx.query(statement), access),
    queryAll: (statements, access) => transaction((tx) => tx.queryAll(statements), access),
  };
};

const failingTransaction =
  (db: Database, fuse: Fuse): Database['transaction'] =>
  (work, access) =>
    db.transaction(async (tx) => {
      const blowIf = async (isMatch: boolean) => {
        if (!isMatch) return;
        const backend = first(await tx.query<{ pid: number }>(sql`select pg_backend_pid() as "pid"`));
        // Waits until it is gone.
        await db.query(sql`select pg_terminate_backend(${backend?.pid}::int, 10000)`);
      };
      let deferred = '';
      const value = await work({
        ...tx,
        async query<Row>(statement: Sql) {
          const rows = await tx.query<Row>(statement);
          await blowIf(fuse.blowsAfter?.test(statement.text) ?? false);
          return rows;
        },
        async queryAll(statements) {
          const rows = await tx.queryAll(statements);
          const texts = Object.values<Sql>(statements).map(({ text }) => text);
          await blowIf(texts.some((text) => fuse.blowsAfter?.test(text)));
          return rows;
        },
        later(statement) {
          tx.later(statement);
          deferred += statement.text;
        },
      });
      await blowIf(fuse.blowsAfter?.test(deferred) ?? false);
      return value;
    }, access);

import type { Database } from '../../src/platform/db/database.ts';

/** The same database, and how often it was waited for. */
export function countTrips(db: Database): { db: Database; read(): number } {
  let trips = 0;
  const counted: Database = {
    ...db,
    query(statement, access) {
      trips += 1;
      return db.query(statement, access);
    },
    queryAll(statements, access) {
      trips += 1;
      return db.queryAll(statements, access);
    },
    async transaction(work, access) {
      // The commit, with all that was to be written.
      let last = 1;
      const value = await db.transaction(
        (tx) =>
          work({
            ...tx,
            forgo() {
              last = 0;
              tx.forgo();
            },
            query(statement) {
              trips += 1;
              return tx.query(statement);
            },
            queryAll(statements) {
              trips += 1;
              return tx.queryAll(statements);
            },
          }),
        access,
      );
      trips += last;
      return value;
    },
  };
  return { db: counted, read: () => trips };
}

// What would be there after a change: it is made, looked at, and undone.
import type { Database, Tx } from './database.ts';

/** Only to roll back with. */
class Undone<Seen> extends Error {
  constructor(readonly seen: Seen) {
    super('undone');
  }
}

/** Nothing stays of it. What it locks, it holds for as long as it takes. */
export async function rehearse<Seen>(db: Database, work: (tx: Tx) => Promise<Seen>): Promise<Seen> {
  try {
    return await db.transaction(async (tx): Promise<Seen> => {
      throw new Undone(await work(tx));
    });
  } catch (error) {
    if (error instanceof Undone) return error.seen;
    throw error;
  }
}

// A transaction notes that it happened, in the message that commits it. Where the answer is lost, somebody else notes under
// the same id that it did not: of the two only one can be, whichever server answers by then.
import { setTimeout as pause } from 'node:timers/promises';
import sql, { type Sql } from 'sql-template-tag';
import { type CommitUnknown, PassingFault, retryHelps } from './passing-fault.ts';

type Ask = (statement: Sql) => Promise<unknown[]>;

/** Of what wrote nothing, nothing is noted. */
export const insertAct = (id: string): Sql => sql`
  insert into act (id, is_done) select ${id}::uuid, true where pg_current_xact_id_if_assigned() is not null`;

/** Waits for the end of a transaction that is still under way. It always writes: the answer is on two machines, if others are. */
const upsertUndone = (id: string): Sql => sql`
  insert into act (id, is_done) values (${id}::uuid, false)
  on conflict (id) do update set is_done = act.is_done returning act.is_done as "isDone"`;

const FORGET_AFTER_MS = 24 * 60 * 60 * 1000;

/** Nobody looks for what was answered long ago. */
export async function forgetActs(ask: Ask, now: Date): Promise<void> {
  await ask(sql`delete from act where seen_at < ${new Date(now.getTime() - FORGET_AFTER_MS)}`);
  await ask(sql`update act set seen_at = ${now} where seen_at is null`);
}

/** As long as a database takes to be replaced by another. */
const SETTLE_WITHIN_MS = 40_000;
const PAUSE_MS = 250;

/** Returns if it happened. If it did not, it fails as what was never begun; `doubt` stays if nobody answers. */
export async function settleAct(ask: Ask, id: string, doubt: CommitUnknown): Promise<void> {
  const until = performance.now() + SETTLE_WITHIN_MS;
  for (;;) {
    try {
      const [row] = (await ask(upsertUndone(id))) as { isDone: boolean }[];
      if (row?.isDone) return;
      break;
    } catch (error) {
      if (!retryHelps(error) || performance.now() > until) throw doubt;
    }
    await pause(PAUSE_MS);
  }
  throw new PassingFault('The connection to the database was lost before it was saved', { cause: doubt });
}

// Questions about packs of some days, inside of transactions that plan each statement once for all values.
import sql from 'sql-template-tag';
import type { ReadDatabase, Tx } from '../../platform/db/database.ts';

const BY_VALUES = sql`
  select set_config('tocsin.plan_cache_mode', current_setting('plan_cache_mode'), true),
    set_config('plan_cache_mode', 'force_custom_plan', true)`;
// What it was, only the session knows: it is kept there, or asking for it would take a round trip.
const AS_BEFORE = sql`select set_config('plan_cache_mode', current_setting('tocsin.plan_cache_mode'), true)`;

/** A plan for any day would open, and lock, every month there is; one for any service would ask every worker. */
export async function byDays<Value>(db: ReadDatabase, ask: () => Promise<Value>): Promise<Value> {
  if (!isTransaction(db)) return ask();
  db.later(BY_VALUES);
  const value = await ask();
  db.later(AS_BEFORE);
  return value;
}

const isTransaction = (db: ReadDatabase): db is Tx => 'inTransaction' in db;

// A database that Citus has split: a coordinator, to which programs connect, and workers that hold the packs.
import sql from 'sql-template-tag';
import type { ReadDatabase } from '../../platform/db/database.ts';
import type { Statement } from '../../platform/db/statement.ts';

type Asked = Pick<ReadDatabase, 'query'>;

export const HAS_CITUS = sql`exists (select from pg_extension where extname = 'citus')`;

export async function hasCitus(db: Asked): Promise<boolean> {
  const [found] = await db.query<{ isThere: boolean }>(sql`select ${HAS_CITUS} as "isThere"`);
  return found?.isThere ?? false;
}

export async function isDistributed(db: Asked): Promise<boolean> {
  if (!(await hasCitus(db))) return false;
  const found = await db.query(
    sql`select from pg_dist_partition where logicalrelid = to_regclass('reading_pack')`,
  );
  return found.length > 0;
}

export interface Worker {
  /** Its host and port, as the coordinator knows it. */
  name: string;
  /** Of the packs. */
  shards: number;
}

/** Only where there is Citus. */
export const selectWorkers = (db: Asked): Promise<Worker[]> =>
  db.query(sql`
    select nodename || ':' || nodeport as "name",
      (select count(*)::int from pg_dist_placement placement join pg_dist_shard shard using (shardid)
        where logicalrelid = to_regclass('reading_pack') and placement.groupid = node.groupid) as "shards"
    from pg_dist_node node where noderole = 'primary' and isactive and groupid <> 0 order by 1`);

/** Asked together, and none is waited for longer than that. */
const PATIENCE = sql`select set_config('statement_timeout', '1500', true)`;

const ASK_ALL: Statement<{ name: string; success: boolean }> = sql`
  select nodename || ':' || nodeport as "name", success from run_command_on_workers('select 1')`;

/** Only where there is Citus. */
export async function findWorkersAway(db: ReadDatabase): Promise<string[]> {
  const asked = await db.queryAll({ patience: PATIENCE, answers: ASK_ALL }).catch(() => null);
  if (asked) return asked.answers.flatMap(({ name, success }) => (success ? [] : [name]));
  // One of them stands still: each by itself.
  const workers = await selectWorkers(db);
  const isAway = await Promise.all(workers.map(async ({ name }) => !(await answersAlone(db, name))));
  return workers.filter((_, index) => isAway[index]).map(({ name }) => name);
}

const answersAlone = (db: ReadDatabase, name: string): Promise<boolean> =>
  db
    .queryAll({
      patience: PATIENCE,
      answers: sql`
        select from pg_dist_node node cross join lateral
          master_run_on_worker(array[nodename], array[nodeport], array['select 1'], false) answer
        where nodename || ':' || nodeport = ${name} and answer.success`,
    })
    .then(({ answers }) => answers.length > 0)
    .catch(() => false);

/**
 * Whether workers show all that was committed: what they were asked to keep and then to show is two messages, and whatever
 * ends the second leaves it to Citus, which comes back to it.
 */
export async function isShownByWorkers(db: Asked): Promise<boolean> {
  const [workers] = await db.query<{ isShown: boolean }>(sql`
    select coalesce(bool_and(success and result = '0'), true) as "isShown"
    from run_command_on_workers('select count(*) from pg_prepared_xacts where database = current_database()')`);
  return workers?.isShown ?? false;
}

// Spreads the packs over the workers of a Citus, by service. Everything else stays on the coordinator: it is small, and what
// an alarm needs on its way must not wait for another machine.
import { setTimeout as pause } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { isLockTimeout } from '../../platform/db/passing-fault.ts';
import type { Session } from '../../platform/db/session.ts';
import { LOCK_KEYS } from '../../platform/lock-keys.ts';
import { StartError } from '../../platform/start-error.ts';
import { selectMonths } from '../readings/reading-months.ts';
import { hasCitus, isDistributed, selectWorkers, type Worker } from './nodes.ts';

interface Distributed {
  /** Nothing was left to do. */
  wasDone: boolean;
  workers: Worker[];
}

/** `shards`: null for as many as the server is set to. Beside programs that run; done again, it goes on where it was. */
export async function distribute(
  session: Session,
  shards: number | null,
  say: (line: string) => void,
): Promise<Distributed> {
  await refuseWithoutWorkers(session);
  await waitForOthers(session, say);
  const wasDone = await isDistributed(session);
  if (!wasDone) await spread(session, shards, say);
  if (!(await isCoordinatorEmpty(session))) await clearAway(session, say);
  return { wasDone, workers: await selectWorkers(session) };
}

async function refuseWithoutWorkers(session: Session): Promise<void> {
  if (!(await hasCitus(session)))
    throw new StartError(
      'This database has no Citus, and readings stay where they are: docs/scale.md tells what has to be there.',
    );
  const [node] = await session.query<{ isCoordinator: boolean }>(
    sql`select citus_is_coordinator() as "isCoordinator"`,
  );
  if (!node?.isCoordinator)
    throw new StartError(
      'This is no coordinator of a Citus: DATABASE_URL has to lead there, not to a worker.',
    );
  const workers: Worker[] = await selectWorkers(session);
  if (workers.length === 0)
    throw new StartError(
      "The coordinator knows no worker: let its administrator name them with select citus_add_node('host', 5432).",
    );
}

/** Nobody packs, makes months or changes the schema meanwhile. Held until the connection ends. */
async function waitForOthers(session: Session, say: (line: string) => void): Promise<void> {
  const keys = [
    sql`select pg_try_advisory_lock(${LOCK_KEYS.migration}) as "isMine"`,
    sql`select pg_try_advisory_lock(${LOCK_KEYS.packing}) as "isMine"`,
    sql`select pg_try_advisory_lock(${LOCK_KEYS.partitions}) as "isMine"`,
  ];
  for (const key of keys)
    for (let isFirst = true; ; isFirst = false) {
      const [lock] = await session.query<{ isMine: boolean }>(key);
      if (lock?.isMine) break;
      if (isFirst) say('Somebody packs readings or changes the schema: waiting for them.');
      await pause(250);
    }
}

/** Readings go on to be taken and shown; those that come wait in the inbox until it is over. */
async function spread(session: Session, shards: number | null, say: (line: string) => void): Promise<void> {
  const months = (await selectMonths(session)).length;
  let begun = 0;
  session.heed((notice) => {
    if (!/^Copying data/.test(notice)) return;
    begun += 1;
    say(`Moving readings to the workers: month ${begun} of ${months}.`);
  });
  await session.transaction(() => distributePacks(session, shards));
}

const ATTEMPTS = 60;

/** Whoever reads packs at the moment is not held up for long. */
async function clearAway(session: Session, say: (line: string) => void): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await session.transaction(async () => {
        await session.run(`set local lock_timeout = '500ms'`);
        await emptyCoordinator(session);
      });
    } catch (error) {
      if (!isLockTimeout(error) || attempt === ATTEMPTS) throw error;
      if (attempt === 1) say('Somebody reads: waiting to clear away what was moved.');
      await pause(500);
    }
  }
}

/** In a transaction. `shards`: null for as many as the server is set to. What is stored already moves along. */
async function distributePacks(session: Session, shards: number | null): Promise<void> {
  // The function is asked by workers for their packs.
  await session.query(sql`select create_distributed_function('read_whole(bytea)')`);
  await session.query(sql`
    select create_distributed_table('reading_pack', 'service_id', colocate_with => 'none',
      shard_count => coalesce(${shards}::int, current_setting('citus.shard_count')::int))`);
}

/** What was there before they were spread is still there, though nobody sees it. */
const emptyCoordinator = (session: Session) =>
  session.query(sql`select truncate_local_data_after_distributing_table('reading_pack')`);

async function isCoordinatorEmpty(session: Session): Promise<boolean> {
  const [local] = await session.query<{ bytes: number }>(sql`
    select coalesce(sum(pg_relation_size(inhrelid)), 0)::float8 as "bytes"
    from pg_inherits where inhparent = 'reading_pack'::regclass`);
  return local?.bytes === 0;
}

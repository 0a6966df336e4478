// The packer behind ingest at full speed: whether it keeps up, and what it takes from the ingest. Half of the time it is held
// back by its own lock; what has gathered then is packed before it is measured again.
import { setTimeout as sleep } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { selectReadingFigures } from '../src/engine/readings/reading-figures.ts';
import type { Database } from '../src/platform/db/database.ts';
import { LOCK_KEYS } from '../src/platform/lock-keys.ts';
import { planPosts, TELEMETRY } from './ingest.ts';
import { SECRET } from './lab.ts';
import { median } from './load.ts';
import type { Stage } from './stage.ts';

const ROUNDS = 4;
const SECONDS = 20;
/** Less is left to gather. */
const FEW = 200_000;

export async function measureSustained({ bench, db, tocsin }: Stage): Promise<void> {
  const order = {
    name: 'sustained',
    url: tocsin.url + TELEMETRY,
    headers: { authorization: `Bearer ${SECRET}` },
    connections: 4,
    pipelined: 1,
    posts: planPosts(250),
  };
  const drive = async () => {
    const { requests, seconds } = await bench.generator.drive(order, SECONDS);
    return Math.round((requests * order.posts.size) / seconds);
  };
  const rounds: { alone: number; packed: number; waiting: number; caughtUp: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const alone = await withoutPacker(db, drive);
    await untilCaughtUp(db);
    const packed = await drive();
    const { waiting } = await selectReadingFigures(db);
    const stoppedAt = performance.now();
    await untilCaughtUp(db);
    rounds.push({ alone, packed, waiting, caughtUp: (performance.now() - stoppedAt) / 1000 });
  }
  Object.assign(bench.figures, {
    sustained_ingest_per_second: rounds.map(({ packed }) => packed).join(' '),
    sustained_of_without_packer: Number(median(rounds.map(({ alone, packed }) => packed / alone)).toFixed(2)),
    sustained_waiting_to_be_packed: rounds.map(({ waiting }) => waiting).join(' '),
    sustained_caught_up_after_seconds: rounds.map(({ caughtUp }) => Math.round(caughtUp)).join(' '),
  });
}

const withoutPacker = <Value>(db: Database, work: () => Promise<Value>): Promise<Value> =>
  db.transaction(async (tx) => {
    await tx.query(sql`select set_config('idle_in_transaction_session_timeout', '0', true)`);
    await tx.query(sql`select pg_advisory_xact_lock(${LOCK_KEYS.packing})`);
    return work();
  });

async function untilCaughtUp(db: Database): Promise<void> {
  while ((await selectReadingFigures(db)).waiting > FEW) await sleep(200);
}

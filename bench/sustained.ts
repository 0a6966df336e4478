// Rollups behind three minutes of ingest at full speed, as if it had run for a quarter of an hour: what was stored ten
// minutes ago, as much of it as comes in now, settles meanwhile.
import { setTimeout as sleep } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { MINUTE_MS, settledUntil } from '../src/domain/readings/rollup.ts';
import { findRollupLag } from '../src/engine/readings/roll-up.ts';
import type { Database } from '../src/platform/db/database.ts';
import { planPosts, SERVICES, TELEMETRY } from './ingest.ts';
import { SECRET } from './lab.ts';
import type { Stage } from './stage.ts';

const MINUTES = 3;
/** While these are stored, time goes on and must not overtake them. */
const LEAD_MINUTES = 3;

export async function measureSustained({ bench, db, tocsin }: Stage): Promise<void> {
  const order = {
    name: 'sustained',
    url: tocsin.url + TELEMETRY,
    headers: { authorization: `Bearer ${SECRET}` },
    connections: 4,
    pipelined: 1,
    posts: planPosts(250),
  };
  const drive = async (seconds: number) => {
    const { requests, seconds: took } = await bench.generator.drive(order, seconds);
    return Math.round((requests * order.posts.size) / took);
  };
  await untilCaughtUp(db);
  const perMinute = Math.round(((await drive(10)) * 60) / SERVICES);
  const from = settledUntil(Date.now()) + LEAD_MINUTES * MINUTE_MS;
  await storeReadings(db, from, perMinute);
  if (settledUntil(Date.now()) > from) throw new Error('Storing the readings to be rolled up took too long');
  while (settledUntil(Date.now()) < from) await sleep(100);

  const minutes: { speed: number; lagSeconds: number }[] = [];
  for (let minute = 0; minute < MINUTES; minute += 1) {
    const speed = await drive(60);
    minutes.push({ speed, lagSeconds: (await findRollupLag(db, new Date())).lagSeconds });
  }
  const stoppedAt = performance.now();
  await untilCaughtUp(db);
  const caughtUpAfter = (performance.now() - stoppedAt) / 1000;
  Object.assign(bench.figures, {
    sustained_ingest_per_second: minutes.map(({ speed }) => speed).join(' '),
    sustained_rollup_lag_seconds: minutes.map(({ lagSeconds }) => lagSeconds).join(' '),
    sustained_rolled_up: await countRolledUp(db, from),
    sustained_caught_up_after_seconds: Math.round(caughtUpAfter),
  });
}

async function untilCaughtUp(db: Database): Promise<void> {
  for (;;) {
    const { lagSeconds, marks } = await findRollupLag(db, new Date());
    if (lagSeconds === 0 && marks === 0) return;
    await sleep(200);
  }
}

async function storeReadings(db: Database, from: number, perMinute: number): Promise<void> {
  for (let minute = 0; minute < MINUTES; minute += 1)
    await db.query(sql`
      insert into reading (service_id, channel_id, taken_at, value)
      select service, service,
        to_timestamp(${from + minute * MINUTE_MS}::float8 / 1000) + nth * interval '1 minute' / ${perMinute}::int, -80 + nth % 7
      from generate_series(0, ${perMinute - 1}::int) as nth, generate_series(1, ${SERVICES}::int) as service`);
}

async function countRolledUp(db: Database, from: number): Promise<number> {
  const to = from + MINUTES * MINUTE_MS;
  const [rolled] = await db.query<{ count: number }>(sql`
    select sum(count)::int as count from reading_minute
    where starts_at >= to_timestamp(${from}::float8 / 1000) and starts_at < to_timestamp(${to}::float8 / 1000)`);
  return rolled?.count ?? 0;
}

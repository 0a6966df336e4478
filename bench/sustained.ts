// The packer behind three minutes of ingest at full speed: whether it keeps up, and what it takes from the ingest.
import { setTimeout as sleep } from 'node:timers/promises';
import { selectReadingFigures } from '../src/engine/readings/reading-figures.ts';
import type { Database } from '../src/platform/db/database.ts';
import { planPosts, TELEMETRY } from './ingest.ts';
import { SECRET } from './lab.ts';
import type { Stage } from './stage.ts';

const MINUTES = 3;
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
  const minutes: { speed: number; waiting: number }[] = [];
  for (let minute = 0; minute < MINUTES; minute += 1) {
    const { requests, seconds } = await bench.generator.drive(order, 60);
    const speed = Math.round((requests * order.posts.size) / seconds);
    minutes.push({ speed, waiting: (await selectReadingFigures(db)).waiting });
  }
  const stoppedAt = performance.now();
  await untilCaughtUp(db);
  Object.assign(bench.figures, {
    sustained_ingest_per_second: minutes.map(({ speed }) => speed).join(' '),
    sustained_waiting_to_be_packed: minutes.map(({ waiting }) => waiting).join(' '),
    sustained_caught_up_after_seconds: Math.round((performance.now() - stoppedAt) / 1000),
  });
}

async function untilCaughtUp(db: Database): Promise<void> {
  while ((await selectReadingFigures(db)).waiting > FEW) await sleep(200);
}

// A reading that comes alone, beside the commit of a single row: by a server that does nothing else, and without any server.
import sql from 'sql-template-tag';
import { planPosts, TELEMETRY } from './ingest.ts';
import { SECRET } from './lab.ts';
import { median } from './load.ts';
import { openNewDatabase } from './new-database.ts';
import type { Stage } from './stage.ts';

const ROUNDS = 5;
const COMMITS = 200;
const WARM_UP_SECONDS = 3;

export async function measureLone({ bench, bare, cluster, tocsin }: Stage): Promise<void> {
  const db = await openNewDatabase(cluster.connection, 'lone');
  try {
    await db.query(sql`create table reading (service_id int, taken_at timestamptz, value float8)`);
    const order = (size: number, url = tocsin.url + TELEMETRY) => ({
      name: `lone ${size} ${url}`,
      url,
      headers: { authorization: `Bearer ${SECRET}` },
      connections: 1,
      pipelined: 1,
      posts: planPosts(size),
    });
    const commit = () => db.query(sql`insert into reading values (${1}, ${new Date()}, ${-80})`, 'prepared');
    // Every service is remembered, as a while after the start.
    await bench.generator.drive(order(250), WARM_UP_SECONDS);
    const alone = order(1);
    const bareAlone = order(1, `${bare.program.url}/commit`);
    const served: number[] = [];
    const commits: number[] = [];
    const posts: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const waits: number[] = [];
      for (let count = 0; count < COMMITS; count += 1) {
        const startedAt = performance.now();
        await commit();
        waits.push(performance.now() - startedAt);
      }
      commits.push(median(waits));
      served.push((await bench.generator.drive(bareAlone, bench.seconds / ROUNDS)).p50);
      posts.push((await bench.generator.drive(alone, bench.seconds / ROUNDS)).p50);
    }
    const ratio = (others: number[]) =>
      Number(median(posts.map((post, round) => post / (others[round] ?? Number.NaN))).toFixed(2));
    Object.assign(bench.figures, {
      lone_reading_p50_ms: Number(median(posts).toFixed(2)),
      bare_commit_p50_ms: Number(median(commits).toFixed(2)),
      lone_of_bare_commit: ratio(commits),
      lone_of_bare_server_that_commits: ratio(served),
    });
  } finally {
    await db.close();
  }
}

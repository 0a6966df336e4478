// The same program on the distribution's PostgreSQL with its default settings, beside the embedded one.
import { openSystemCluster } from './cluster.ts';
import { comparePosts, type Rival, ratioOf } from './compare.ts';
import { planPosts, SERVICES, SINGLE_LOAD, TELEMETRY } from './ingest.ts';
import { prepareLab } from './lab.ts';
import type { Stage } from './stage.ts';
import { startBare } from './start-bare.ts';
import { startTocsin, stopAll } from './start-tocsin.ts';

export async function measureOnSystem({ bench, tocsin: embedded, now }: Stage): Promise<void> {
  const cluster = await openSystemCluster();
  const db = await prepareLab(cluster, SERVICES, now);
  await db.close();
  const bare = await startBare(cluster);
  const { url, child } = await startTocsin(cluster.env);
  const tocsin = { url, pid: child.pid ?? 0, databasePid: cluster.pid };
  const rivals = (size: number): [Rival, Rival, Rival] => {
    const posts = planPosts(size);
    return [
      { what: 'tocsin, embedded', program: embedded, path: TELEMETRY, posts },
      { what: 'bare server, distribution', program: bare.program, path: '/write', posts },
      { what: 'tocsin, distribution', program: tocsin, path: TELEMETRY, posts },
    ];
  };
  try {
    const many = await comparePosts(bench, 'posts of 250', { connections: 4 }, rivals(250));
    bench.figures.distribution_ingest_of_embedded = ratioOf(many[2], many[0]);
    bench.figures.distribution_ingest_of_bare = ratioOf(many[2], many[1]);
    const single = await comparePosts(bench, 'single readings', SINGLE_LOAD, rivals(1));
    bench.figures.distribution_single_of_embedded = ratioOf(single[2], single[0]);
  } finally {
    await stopAll([child, bare.child]);
    await cluster.stop();
  }
}

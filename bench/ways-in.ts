import { comparePosts, ratioOf, speedOf } from './compare.ts';
import { planPosts, SERVICES, TELEMETRY } from './ingest.ts';
import type { Stage } from './stage.ts';

/** The formats of others beside our own JSON, at equal batches; each has devices of its own, so that none is late. */
export async function measureWaysIn({ bench, tocsin }: Stage): Promise<void> {
  const devices = Math.floor(SERVICES / 3 / 250) * 250;
  const posts = { ...planPosts(250), devices };
  const [own, influx, prometheus] = await comparePosts(
    bench,
    'posts of 250, by way in',
    { connections: 4, rounds: 9 },
    [
      { what: 'own JSON', program: tocsin, path: TELEMETRY, posts },
      {
        what: 'InfluxDB line protocol',
        program: tocsin,
        path: `${TELEMETRY}/influx/api/v2/write?precision=ms`,
        posts: { ...posts, firstDevice: devices + 1, format: 'influx' },
      },
      {
        what: 'Prometheus remote write',
        program: tocsin,
        path: `${TELEMETRY}/prometheus`,
        posts: { ...posts, firstDevice: 2 * devices + 1, format: 'prometheus' },
      },
    ],
  );
  bench.figures.influx_per_second = speedOf(influx);
  bench.figures.influx_of_own_json = ratioOf(influx, own);
  bench.figures.prometheus_per_second = speedOf(prometheus);
  bench.figures.prometheus_of_own_json = ratioOf(prometheus, own);
}

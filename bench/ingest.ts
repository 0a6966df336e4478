import { comparePosts, type Rival, ratioOf, speedOf } from './compare.ts';
import { SECRET } from './lab.ts';
import type { PostPlan } from './posts.ts';
import type { Stage } from './stage.ts';

export const SERVICES = 10_000;
export const TELEMETRY = '/api/v1/telemetry';

const MEETING_SECONDS = 2;
export const SINGLE_LOAD = { connections: 64 };

/** From now on; time passes more slowly in them than outside, so that none comes from the future. */
export const planPosts = (size: number, breachReadings?: number): PostPlan => ({
  devices: SERVICES,
  size,
  beginsAt: Date.now(),
  stepMs: 50,
  ...(breachReadings !== undefined && { breachReadings }),
});

export async function measureIngest({ bench, bare, tocsin }: Stage): Promise<void> {
  const rivals = (posts: PostPlan): [Rival, Rival] => [
    { what: 'bare server', program: bare.program, path: '/write', posts },
    { what: 'tocsin', program: tocsin, path: TELEMETRY, posts },
  ];
  const load = { connections: 4 };
  const [bareMany, many] = await comparePosts(bench, 'posts of 250', load, rivals(planPosts(250)));
  bench.figures.ingest_per_second = speedOf(many);
  bench.figures.ingest_of_bare = ratioOf(many, bareMany);
  const what = 'posts of 250, each breach a new alarm';
  const [bareFlapping, flapping] = await comparePosts(bench, what, load, rivals(planPosts(250, 1)));
  bench.figures.ingest_flapping_of_bare = ratioOf(flapping, bareFlapping);
}

/** A program that has just been started does not know its services yet; at work it knows them all. */
async function meetServices({ bench, tocsin }: Stage): Promise<void> {
  const url = tocsin.url + TELEMETRY;
  const headers = { authorization: `Bearer ${SECRET}` };
  const order = { name: 'meeting', url, headers, connections: 4, pipelined: 1, posts: planPosts(250) };
  for (let met = 0; met < SERVICES; )
    met += order.posts.size * (await bench.generator.drive(order, MEETING_SECONDS)).requests;
}

/** And a server that does nothing: against it the generator shows what it can send. */
export async function measureSingle(stage: Stage): Promise<void> {
  await meetServices(stage);
  const { bench, bare, tocsin } = stage;
  const posts = planPosts(1);
  const idle = { ...bare.program, url: bare.idleUrl };
  const [fastify, single, nothing] = await comparePosts(bench, 'single readings', SINGLE_LOAD, [
    { what: 'bare fastify', program: bare.program, path: '/parse', posts },
    { what: 'tocsin', program: tocsin, path: TELEMETRY, posts },
    { what: 'a server that does nothing', program: idle, path: '/', posts },
  ]);
  bench.figures.single_per_second = speedOf(single);
  bench.figures.single_of_bare = ratioOf(single, fastify);
  bench.figures.generator_per_second = speedOf(nothing);
}

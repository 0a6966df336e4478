// Readings whose own times do not count: none of them is lost, and what comes again is known (docs/ways-in.md, docs/decisions/0075-times-that-do-not-count.md).
import { gzipSync } from 'node:zlib';
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Freezer, type Lab, openLab } from '../support/lab.ts';
import { packSnappy } from '../support/pack-snappy.ts';
import { CONTENT_TYPES, writeRequest1 } from '../support/remote-write.ts';
import { listStored } from '../support/stored-readings.ts';
import { cloneDatabase } from '../support/test-database.ts';
import { startServerOn, type TestServer } from '../support/test-server.ts';

let server: TestServer;
/** Another program on the same database: what it remembers is its own. */
let other: TestServer;
let lab: Lab;
let freezer: Freezer;
beforeAll(async () => {
  const { db } = await cloneDatabase();
  server = await startServerOn(db);
  other = await startServerOn(db);
});
beforeEach(async () => {
  lab = await openLab(server);
  freezer = await lab.freezer();
});

type Said = [value: number, at: number | null];

interface Way {
  kind: string;
  settings: Record<string, unknown>;
  path: string;
  headers?: Record<string, string>;
  write(device: string, said: Said[]): string | Uint8Array<ArrayBuffer>;
}

const WAYS: Record<string, Way> = {
  InfluxDB: {
    kind: 'influx',
    settings: {},
    path: 'influx/write?precision=ms',
    write: (device, said) =>
      said.map(([value, at]) => `m,device=${device} temperature=${value} ${at ?? ''}`).join('\n'),
  },
  OTLP: {
    kind: 'otlp',
    settings: {},
    path: 'otlp/v1/metrics',
    headers: { 'content-type': 'application/json' },
    write: (device, said) => {
      const attributes = [{ key: 'device', value: { stringValue: device } }];
      const dataPoints = said.map(([asDouble, at]) => ({
        asDouble,
        timeUnixNano: `${at ?? 0}000000`,
        attributes,
      }));
      const metrics = [{ name: 'temperature', gauge: { dataPoints } }];
      return JSON.stringify({ resourceMetrics: [{ scopeMetrics: [{ metrics }] }] });
    },
  },
  Prometheus: {
    kind: 'prometheus',
    settings: { metrics: ['temperature'] },
    path: 'prometheus',
    headers: { 'content-type': CONTENT_TYPES[1], 'content-encoding': 'snappy' },
    write: (device, said) =>
      packSnappy(
        writeRequest1([
          {
            labels: { __name__: 'temperature', device },
            samples: said.map(([value, at]) => [value, at ?? 0]),
          },
        ]),
      ),
  },
  'a mapping': {
    kind: 'json',
    settings: {
      mapping: {
        each: '/list/*',
        device: '/id',
        time: { path: '/at', format: 'ms' },
        values: { temperature: '/t' },
      },
    },
    path: 'json',
    write: (device, said) => JSON.stringify({ list: said.map(([t, at]) => ({ id: device, t, at })) }),
  },
};

const send = (way: Way, said: Said[], to = server, device = freezer.device) =>
  fetch(`${to.url}/api/v1/telemetry/${way.path}`, {
    method: 'POST',
    body: way.write(device, said),
    headers: { authorization: `Bearer ${lab.secret}`, ...way.headers },
  });
const speak = ({ kind, settings }: Way, more: Record<string, unknown> = {}) =>
  lab.source({ kind, settings: { ...settings, ...more } });
/** How long before now each is said to have been taken. */
const stored = async (of: Freezer = freezer) =>
  (await listStored(server.db, of.id)).map(({ value, at }) => [value, at.getTime() - now()]);
const now = () => server.clock.read().getTime();
const pass = (ms: number) => {
  server.clock.advance(ms);
  other.clock.advance(ms);
};

const OLD = Date.UTC(2003, 4, 6, 7, 8, 9);
const MINUTE = 60_000;
const three = (from: number): Said[] => [
  [-80, from],
  [-79, from + MINUTE],
  [-78, from + 2 * MINUTE],
];
const UNDATED: Said[] = [
  [-80, null],
  [-79, null],
  [-78, null],
];

describe.each(Object.entries(WAYS))('by %s', (_, way) => {
  test.each<[string, () => number]>([
    ['years behind', () => OLD],
    ['an hour ahead', () => now() + 3_600_000],
  ])('a clock %s keeps its intervals: the newest reading is now', async (_name, from) => {
    await speak(way);
    expect((await send(way, three(from()))).ok).toBe(true);
    expect(await stored()).toEqual([
      [-80, -2 * MINUTE],
      [-79, -MINUTE],
      [-78, 0],
    ]);
  });

  test('where our clock counts, the intervals are kept as well', async () => {
    await speak(way, { clock: 'receipt' });
    expect((await send(way, three(now() - 86_400_000))).ok).toBe(true);
    expect((await stored()).map(([, at]) => at)).toEqual([-2 * MINUTE, -MINUTE, 0]);
  });

  test('without times, readings get the order they came in, a millisecond apart', async () => {
    await speak(way);
    expect((await send(way, UNDATED)).ok).toBe(true);
    expect(await stored()).toEqual([
      [-80, -2],
      [-79, -1],
      [-78, 0],
    ]);
  });

  test.each<[string, () => Said[]]>([
    ['times nobody can believe', () => three(OLD)],
    ['no times', () => UNDATED],
  ])('a post with %s that comes again is stored once, whichever program it comes to', async (_name, make) => {
    await speak(way);
    const said = make();
    await send(way, said);
    const first = await listStored(server.db, freezer.id);
    for (const to of [server, other, server]) {
      pass(7_000);
      expect((await send(way, said, to)).ok).toBe(true);
    }
    expect(await listStored(server.db, freezer.id)).toEqual(first);
  });
});

const INFLUX = WAYS.InfluxDB as Way;

test('a single reading without a time is new each time: most senders say the same again and again', async () => {
  await send(INFLUX, [[-80, null]]);
  pass(1_000);
  await send(INFLUX, [[-80, null]]);
  expect(await stored()).toEqual([
    [-80, -1_000],
    [-80, 0],
  ]);
});

test('a clock that was never set says no time: the same again is a new reading', async () => {
  await send(INFLUX, [[-80, 0]]);
  pass(1_000);
  await send(INFLUX, [[-80, 0]]);
  expect(await stored()).toHaveLength(2);
});

test('what comes again hours later is taken as new, and so are readings without times after half a minute', async () => {
  await send(INFLUX, three(OLD));
  pass(MINUTE);
  await send(INFLUX, UNDATED);
  pass(31_000);
  await send(INFLUX, UNDATED);
  expect(await stored()).toHaveLength(9);
  pass(2 * 3_600_000);
  await send(INFLUX, three(OLD));
  expect(await stored()).toHaveLength(12);
});

test('two posts without times that come within milliseconds, to two programs, keep all their readings', async () => {
  const posts = Array.from({ length: 6 }, (_, post) =>
    Array.from({ length: 20 }, (_, line): Said => [-80 + post + line / 100, null]),
  );
  await Promise.all(posts.map((said, index) => send(INFLUX, said, index % 2 ? other : server)));
  expect(await stored()).toHaveLength(120);
});

test('faster than a reading a millisecond is 503, and nothing is lost when it is sent again', async () => {
  const many = (from: number): Said[] => Array.from({ length: 3_000 }, (_, line) => [from + line, null]);
  expect((await send(INFLUX, many(0))).status).toBe(204);
  const refused = await send(INFLUX, many(10_000));
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
  pass(5_000);
  expect((await send(INFLUX, many(10_000))).status).toBe(204);
  expect(await stored()).toHaveLength(6_000);
});

test('good times stay as they are beside those that do not count', async () => {
  const second = await lab.freezer();
  const good = now() - 30_000;
  const body = [
    INFLUX.write(freezer.device, three(OLD)),
    INFLUX.write(second.device, [[-70, good]]),
    INFLUX.write(freezer.device, [[-60, now()]]),
  ].join('\n');
  await fetch(`${server.url}/api/v1/telemetry/influx/write?precision=ms`, {
    method: 'POST',
    body: gzipSync(body),
    headers: { authorization: `Bearer ${lab.secret}`, 'content-encoding': 'gzip' },
  });
  expect(await stored(second)).toEqual([[-70, -30_000]]);
  expect(await stored()).toEqual([
    [-80, -2 * MINUTE],
    [-79, -MINUTE],
    [-78, -1],
    [-60, 0],
  ]);
});

test('a post with good times costs no look at what came before', async () => {
  await send(INFLUX, three(now() - 3 * MINUTE));
  await send(INFLUX, [[-80, null]]);
  expect(await rows()).toBe(0);
});

test('of a source no more is remembered than the last thousand posts, and none of a source that is gone', async () => {
  const [source] = await server.db.query<{ id: number }>(
    sql`select id from source where organization_id = ${lab.organization}`,
  );
  await server.db.query(sql`
    insert into moved_post (source_id, digest, newest_at)
    select ${source?.id}, decode(md5(n::text), 'hex'), ${new Date(now() - 1_000)} from generate_series(1, 1200) n`);
  await send(INFLUX, three(OLD));
  expect(await rows()).toBe(1_000);
  pass(2 * 3_600_000);
  await send(INFLUX, three(OLD + 1));
  expect(await rows()).toBe(1);
  await server.db.query(sql`delete from source where id = ${source?.id}`);
  expect((await send(INFLUX, three(OLD + 2))).status).toBe(401);
  expect(await rows()).toBe(0);
});

const rows = async () =>
  (
    await server.db.query<{ rows: number }>(sql`
      select count(*)::int as "rows" from moved_post join source on source.id = source_id
      where organization_id = ${lab.organization}`)
  )[0]?.rows;

// What we are measured against: parses the same posts and does the same row writes without judging anything.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import fastify from 'fastify';
import pg from 'pg';

const pool = new pg.Pool({
  ...JSON.parse(process.argv[2] ?? '{}'),
  user: 'tocsin',
  database: 'bare',
  max: 10,
});
const app = fastify({ bodyLimit: 16 * 1024 * 1024 });

interface Entry {
  device: string;
  time: number;
  values: { temperature: number };
}

const list = (numbers: number[]) => `{${numbers.join(',')}}`;

const STORED = { accepted: 1, duplicates: 0, rejected: [] };
app.post('/parse', async () => STORED);

app.post<{ Body: Entry[] }>('/write', async ({ body }) => {
  const services = list(body.map(({ device }) => Number(device.slice(1))));
  const times = list(body.map(({ time }) => time));
  const values = list(body.map(({ values }) => values.temperature));
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query(
      `insert into reading select s, s, to_timestamp(t / 1000.0), v
       from unnest($1::int[], $2::float8[], $3::float8[]) as given (s, t, v)`,
      [services, times, values],
    );
    await client.query(
      `insert into latest select s, s, to_timestamp(t / 1000.0), v
       from unnest($1::int[], $2::float8[], $3::float8[]) as given (s, t, v)
       on conflict (service_id, channel_id) do update set last_at = excluded.last_at, last_value = excluded.last_value`,
      [services, times, values],
    );
    await client.query('commit');
  } finally {
    client.release();
  }
  return { accepted: body.length, duplicates: 0, rejected: [] };
});

/** The least that makes a reading durable. */
app.post<{ Body: Entry[] }>('/commit', async ({ body: [entry] }) => {
  if (!entry) return STORED;
  const { device, time, values } = entry;
  await pool.query({
    name: 'commit',
    text: 'insert into reading values ($1, $1, to_timestamp($2::float8 / 1000.0), $3)',
    values: [Number(device.slice(1)), time, values.temperature],
  });
  return STORED;
});

/** Against it the generator shows what it can send. */
const idle = createServer((request, response) => {
  request.resume().on('end', () => response.end(JSON.stringify(STORED)));
}).listen(0, '127.0.0.1');
await once(idle, 'listening');
await app.listen({ host: '127.0.0.1', port: 0 });
const urlOf = (address: unknown) => `http://127.0.0.1:${(address as AddressInfo).port}`;
process.send?.({ url: urlOf(app.server.address()), idleUrl: urlOf(idle.address()) });

// What we are measured against: parses the same posts and does the same row writes without judging anything.
import fastify from 'fastify';
import pg from 'pg';

const { host, port, password } = JSON.parse(process.argv[2] ?? '{}');
const pool = new pg.Pool({ host, port, password, user: 'tocsin', database: 'bare', max: 10 });
const app = fastify({ bodyLimit: 16 * 1024 * 1024 });

interface Entry {
  device: string;
  time: number;
  values: { temperature: number };
}

const list = (numbers: number[]) => `{${numbers.join(',')}}`;

app.post('/parse', async () => ({ accepted: 1, duplicates: 0, rejected: [] }));

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

await app.listen({ host: '127.0.0.1', port: 0 });
process.send?.(app.server.address());

// Every connection to a database begins here.
import pg from 'pg';

/**
 * A host that vanished says nothing at all. An idle connection is probed by the network; an answer has to come within the
 * time of a statement and of what travels with it.
 */
export const UNREACHABLE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000, query_timeout: 90_000 };

/**
 * Our statements are short and many: compiling one takes longer than running it. By a statement, once for each connection:
 * poolers refuse a setting at the start of a connection, and `options` in DATABASE_URL would take the place of ours.
 */
const settle = (client: pg.ClientBase) => client.query('set jit = off');

/** Whoever asked for a shorter limit, in DATABASE_URL or for the role, keeps it. */
const limitStatements = (client: pg.ClientBase, longestMs: number) =>
  client.query(
    `select set_config('statement_timeout', $1::text, false) from pg_settings
      where name = 'statement_timeout' and (setting::int = 0 or setting::int > $1::int)`,
    [longestMs],
  );

/** Through a pooler: whoever sends a statement says with it what holds for it, for the next may go over another connection. */
export const createUnsettledPool = (config: pg.PoolConfig): pg.Pool => new pg.Pool(config);

/** `longestMs`: that a statement may take, whatever else says so. */
export const createPool = (config: pg.PoolConfig, longestMs?: number): pg.Pool =>
  new pg.Pool({
    ...config,
    async onConnect(client) {
      await settle(client);
      if (longestMs !== undefined) await limitStatements(client, longestMs);
    },
  });

/** `prepare`: before it connects, for whoever listens to it. */
export async function openClient(
  config: pg.ClientConfig,
  prepare: (client: pg.Client) => void = () => {},
): Promise<pg.Client> {
  const client = new pg.Client(config);
  prepare(client);
  try {
    await client.connect();
    await settle(client);
    return client;
  } catch (error) {
    client.end().catch(() => {});
    throw error;
  }
}

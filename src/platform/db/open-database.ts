import type pg from 'pg';
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import { StartError } from '../start-error.ts';
import { openClient } from './connect.ts';
import { type Database, openPool, type PooledDatabase } from './database.ts';
import { openEmbedded } from './embedded/open-embedded.ts';

const OLDEST_VERSION = 150_000;

export interface OpenedDatabase extends PooledDatabase {
  /** Where the embedded cluster lives; null: the database is another's. */
  clusterDir: string | null;
}

/** DATABASE_URL if there is one, else the embedded PostgreSQL, started if it does not run yet. */
export async function openDatabase(
  config: Pick<Config, 'databaseUrl' | 'dataDir'> & Partial<Pick<Config, 'directUrl'>>,
  log: Log,
  say?: (line: string) => void,
): Promise<OpenedDatabase> {
  const onIdleError = (error: Error) => log.warn({ err: error }, 'an idle database connection broke');
  const { databaseUrl, directUrl } = config;
  if (databaseUrl) {
    await checkServer(directUrl ? 'TOCSIN_DIRECT_URL' : 'DATABASE_URL', directUrl ?? databaseUrl);
    const pool = openPool(
      { connectionString: databaseUrl },
      onIdleError,
      directUrl ? { connectionString: directUrl } : undefined,
    );
    return { ...pool, clusterDir: null };
  }
  const embedded = await openEmbedded({ dataDir: config.dataDir, ...(say && { say }) });
  const pool = openPool(embedded.connection, onIdleError);
  return {
    ...pool,
    clusterDir: embedded.clusterDir,
    async close() {
      await pool.close();
      await embedded.close();
    },
  };
}

/** A host that vanished is given up soon: another one can be asked. */
const REPLICA_LIMITS = { connectionTimeoutMillis: 3_000, query_timeout: 15_000 };

/** The replica of TOCSIN_READ_URL. It may be away: it is looked at later. */
export function openReplica(readUrl: string, log: Log): Database {
  const onIdleError = (error: Error) => log.warn({ err: error }, 'an idle connection to the replica broke');
  const { forPages, close } = openPool({ connectionString: readUrl, ...REPLICA_LIMITS }, onIdleError);
  return { ...forPages, close };
}

async function checkServer(name: string, connectionString: string): Promise<void> {
  let client: pg.Client | null = null;
  try {
    client = await openClient({ connectionString, connectionTimeoutMillis: 10_000 });
    const { rows } = await client.query(
      "select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding",
    );
    const { version, encoding } = rows[0];
    if (version < OLDEST_VERSION) throw new StartError('Tocsin needs PostgreSQL 15 or newer');
    if (encoding !== 'UTF8')
      throw new StartError(
        `The database has to be in UTF-8, and is in ${encoding}: create it anew with encoding UTF8`,
      );
  } catch (error) {
    if (error instanceof StartError) throw error;
    // The message names host or role, never the password.
    throw new StartError(`The database of ${name} cannot be reached: ${(error as Error).message}`);
  } finally {
    await client?.end().catch(() => {});
  }
}

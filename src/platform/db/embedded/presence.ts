// Who is in the house. Every program that uses the server holds a shared lock on a connection of its own, so that the
// last one out can tell that it is the last, and a killed program leaves no trace.
import { Client } from 'pg';
import { LOCK_KEYS } from '../../lock-keys.ts';
import { EmbeddedDatabaseError, errorCode } from './embedded-database-error.ts';
import { readServer, type ServerAddress } from './server-file.ts';
import type { Station } from './station.ts';
import { stopServer } from './stop-server.ts';

export interface EmbeddedConnection extends ServerAddress {
  user: string;
  password: string;
  database: string;
  /** Said aloud, because PGSSLMODE of the environment would count otherwise. */
  ssl: false;
}

export interface Presence {
  connection: EmbeddedConnection;
  client: Client;
  /** Settles when the connection is lost. */
  lost: Promise<void>;
}

/** Comes in, or answers why not: the server may be on its way up or down. */
export async function enterServer(
  station: Station,
  address: ServerAddress,
): Promise<Presence | { trouble: string }> {
  const { password, place } = station;
  const connection: EmbeddedConnection = {
    ...address,
    user: 'tocsin',
    password,
    database: 'tocsin',
    ssl: false,
  };
  const client = new Client({
    ...connection,
    application_name: 'tocsin presence',
    connectionTimeoutMillis: 5_000,
    lock_timeout: 10_000,
    query_timeout: 15_000,
  });
  client.on('error', () => {});
  const lost = new Promise<void>((resolve) => client.once('end', resolve));
  try {
    await client.connect();
    // Waits while the last one out is shutting down, and is disconnected with everybody else.
    await client.query(`select pg_advisory_lock_shared(${LOCK_KEYS.presence})`);
    // The lock of a program that stops the server dies with its connection, a moment before this one does.
    const { state } = await readServer(place.cluster);
    if (state === 'ready') return { connection, client, lost };
    await client.end();
    return { trouble: `it is ${state}` };
  } catch (error) {
    client.end().catch(() => {});
    refuseHopeless(error, station);
    return { trouble: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * Goes out. Whoever fails to get the exclusive lock leaves behind either a program that is present, and will pass here
 * itself, or one that is stopping the server already: so the last one always gets it.
 */
export async function leaveServer(station: Station, presence: Presence): Promise<void> {
  const { client } = presence;
  try {
    await client.query(`select pg_advisory_unlock_shared(${LOCK_KEYS.presence})`);
    const { rows } = await client.query(`select pg_try_advisory_lock(${LOCK_KEYS.presence}) as "isLast"`);
    if (rows[0]?.isLast) await stopServer(station);
  } catch {
    // The connection is gone, and the server with it: nothing is left to be stopped.
  } finally {
    await client.end().catch(() => {});
  }
}

function refuseHopeless(error: unknown, { place }: Station): void {
  const code = errorCode(error);
  if (code === '28P01' || code === '28000' || code === '3D000') {
    const reason = error instanceof Error ? error.message : code;
    throw new EmbeddedDatabaseError(
      `The database in ${place.cluster} does not let the program in: ${reason}`,
    );
  }
}

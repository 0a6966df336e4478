import { EmbeddedDatabaseError, errorCode } from './embedded-database-error.ts';
import { ensureCluster } from './ensure-cluster.ts';
import { joinServer } from './join-server.ts';
import { keepPassword } from './password-file.ts';
import { findPlatformPackage } from './platform-package.ts';
import { type EmbeddedConnection, leaveServer } from './presence.ts';
import { makeBinariesRunnable } from './runnable-binaries.ts';
import { settlePlace } from './settle-place.ts';
import type { Station } from './station.ts';
import { stayPresent } from './stay-present.ts';

export interface EmbeddedDatabase {
  /** What a pg Pool or Client needs. */
  connection: EmbeddedConnection;
  clusterDir: string;
  /** Leaves the database; the last one out shuts it down. End pools first: their connections are cut off. */
  close(): Promise<void>;
}

export interface EmbeddedOptions {
  dataDir: string;
  say?: ((line: string) => void) | undefined;
  /** Another folder with the binaries than the installed npm package. */
  packageDir?: string | undefined;
  /** Beside ours, where this one starts the server. */
  settings?: Record<string, string> | undefined;
}

/** Opens the PostgreSQL of this data folder: creates, starts or joins it, and brings it back should it die. */
export async function openEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  try {
    const station = await prepareStation(options);
    await ensureCluster(station);
    const closing = new AbortController();
    const presence = await joinServer(station, closing.signal);
    const { connection } = presence;
    const staying = stayPresent(station, presence, closing.signal);
    const leave = async () => {
      closing.abort();
      const last = await staying;
      if (last) await leaveServer(station, last);
    };
    let left: Promise<void> | undefined;
    return { connection, clusterDir: station.place.cluster, close: () => (left ??= leave()) };
  } catch (error) {
    throw inOneLine(error, options.dataDir);
  }
}

async function prepareStation(options: EmbeddedOptions): Promise<Station> {
  const place = await settlePlace(options.dataDir);
  const password = await keepPassword(place);
  let runnable: Promise<string> | undefined;
  const prepare = async () => makeBinariesRunnable(await findPlatformPackage(options.packageDir), place);
  const { settings = {}, say = () => {} } = options;
  return { place, password, settings, binaries: () => (runnable ??= prepare()), say };
}

function inOneLine(error: unknown, dataDir: string): unknown {
  if (!(error instanceof Error) || errorCode(error) === undefined) return error;
  return new EmbeddedDatabaseError(`The embedded database in ${dataDir} cannot be used: ${error.message}`, {
    cause: error,
  });
}

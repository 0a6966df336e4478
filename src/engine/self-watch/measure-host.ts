// What a program can tell of the machine it runs on: how its clock stands to the database's, and how much room is left on
// the disk that holds the cluster.
import { statfs } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import sql from 'sql-template-tag';
import type { Disk, HostFigures } from '../../domain/self-watch.ts';
import type { Clock } from '../../platform/clock.ts';
import { first, type ReadDatabase } from '../../platform/db/database.ts';

interface HostDeps {
  db: ReadDatabase;
  clock: Clock;
  /** Where the embedded cluster lives; null: the database is another's. */
  clusterDir: string | null;
  /** For tests: how full the disk of a folder is. */
  readDisk?: (folder: string) => Promise<Disk>;
}

type Measured = Omit<HostFigures, 'host'>;

export async function measureHost({
  db,
  clock,
  clusterDir,
  readDisk = askDisk,
}: HostDeps): Promise<Measured> {
  const askedAt = clock().getTime();
  const server = first(await db.query<ServerFacts>(SELECT_SERVER, 'briefly')) as ServerFacts;
  const answeredAt = clock().getTime();
  const folder = clusterDir ?? (isHere(server.address) ? server.folder : null);
  return {
    clockAheadMs: boundDifference(askedAt, server.ms, answeredAt),
    disk: folder === null ? null : await measureDisk(folder, readDisk),
  };
}

interface ServerFacts {
  ms: number;
  address: string | null;
  /** null: this role may not know. */
  folder: string | null;
}

/** The one place that reads the database's clock: to compare it, not to go by it. */
const SELECT_SERVER = sql`
  select extract(epoch from clock_timestamp())::float8 * 1000 as "ms", host(inet_server_addr()) as "address",
    case when pg_has_role('pg_read_all_settings', 'usage') then current_setting('data_directory') end as "folder"`;

/**
 * The database read its clock somewhere between question and answer: what the difference is at least. null: this clock
 * was set back in between.
 */
export function boundDifference(askedAt: number, serverMs: number, answeredAt: number): number | null {
  if (answeredAt < askedAt) return null;
  return Math.trunc(Math.max(0, askedAt - serverMs) + Math.min(0, answeredAt - serverMs)) || 0;
}

/** Without an address it came by a socket. A tunnel looks alike: then the folder is not here, in all likelihood. */
const isHere = (address: string | null): boolean =>
  address === null ||
  Object.values(networkInterfaces()).some((ones) => ones?.some((one) => one.address === address));

/** The log of the database may lie on a disk of its own. Who cannot enter the cluster still sees the disk it is on. */
async function measureDisk(
  cluster: string,
  readDisk: (folder: string) => Promise<Disk>,
): Promise<Disk | null> {
  const disks = await Promise.all(
    [cluster, join(cluster, 'pg_wal')].map((folder) => readDisk(folder).catch(() => null)),
  );
  const [fullest] = disks
    .filter((disk) => disk !== null)
    .sort((one, other) => one.freeBytes - other.freeBytes);
  return fullest ?? null;
}

async function askDisk(folder: string): Promise<Disk> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}

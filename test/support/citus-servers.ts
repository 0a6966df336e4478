// A coordinator and workers of Citus on this machine, from the distribution's PostgreSQL with Citus built into it.
import { existsSync } from 'node:fs';
import pg from 'pg';
import { findSystemBinaries } from './postgres-binaries.ts';
import { type PostgresServer, startPostgres } from './postgres-server.ts';
import { findQuietPorts } from './quiet-ports.ts';

export interface CitusServers {
  coordinator: PostgresServer;
  workers: PostgresServer[];
  /** One more, which nobody knows yet. */
  startWorker(): Promise<PostgresServer>;
  stop(): Promise<void>;
}

export const NO_CITUS = 'Citus is not installed in the PostgreSQL of the distribution (docs/scale.md)';

export function hasCitus(): boolean {
  const version = /postgresql\/(\d+)\/bin/.exec(findSystemBinaries() ?? '')?.[1];
  return version !== undefined && existsSync(`/usr/share/postgresql/${version}/extension/citus.control`);
}

/** As docs/scale.md asks for; few shards, for there is one machine. */
const SETTINGS = [
  'shared_preload_libraries=citus',
  'wal_level=logical',
  'max_prepared_transactions=200',
  'max_connections=300',
  'citus.node_conninfo=sslmode=disable',
  'citus.recover_2pc_interval=5s',
  'citus.node_connection_timeout=5s',
  'citus.shard_count=4',
];

export async function startCitus(workerCount = 2, settings: string[] = []): Promise<CitusServers> {
  if (!hasCitus()) throw new Error(NO_CITUS);
  const ports = await findQuietPorts(workerCount + 2);
  const startNode = () =>
    startPostgres('system', { port: ports.pop() ?? 0, settings: [...SETTINGS, ...settings] });
  const nodes = await Promise.all(Array.from({ length: workerCount + 1 }, startNode));
  const [coordinator, ...workers] = nodes as [PostgresServer, ...PostgresServer[]];
  const all = [...nodes];
  return {
    coordinator,
    workers,
    async startWorker() {
      const worker = await startNode();
      all.push(worker);
      return worker;
    },
    async stop() {
      await Promise.all(all.map((node) => node.stop()));
    },
  };
}

export const asAdministratorOf = async (
  { connection }: { connection: { host: string; port: number; password: string } },
  database: string,
  ...statements: string[]
): Promise<void> => {
  const admin = new pg.Client({ ...connection, user: 'postgres', database });
  await admin.connect();
  try {
    for (const statement of statements) await admin.query(statement);
  } finally {
    await admin.end();
  }
};

/** Lets the nodes know each other in a database that all of them have. */
export async function joinNodes(
  coordinator: PostgresServer['connection'],
  workers: PostgresServer['connection'][],
  database: string,
): Promise<void> {
  await Promise.all(
    [coordinator, ...workers].map((connection) =>
      asAdministratorOf({ connection }, database, 'create extension citus'),
    ),
  );
  const [here, ...others] = [coordinator, ...workers].map(({ host, port }) => `'${host}', ${port}`);
  await asAdministratorOf(
    { connection: coordinator },
    database,
    `select citus_set_coordinator_host(${here})`,
    ...others.map((node) => `select citus_add_node(${node})`),
  );
}

// A real PgBouncer before the tests' PostgreSQL, where one is installed: apt-get install pgbouncer.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chooseServerAccount, isRoot } from '../../src/platform/db/embedded/server-account.ts';
import { findQuietPort } from './quiet-ports.ts';

export interface PgBouncer {
  host: string;
  port: number;
  pid: number;
  stop(): Promise<void>;
}

interface Behind {
  host: string;
  port: number;
  password: string;
}

export const NO_PGBOUNCER =
  'Tests with PgBouncer are skipped: it is not installed (apt-get install pgbouncer).\n';

/** Debian keeps it where only root looks. */
export const findPgBouncer = (): string | undefined =>
  [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
    .map((folder) => join(folder, 'pgbouncer'))
    .find((path) => existsSync(path));

const HOST = '127.0.0.1';

/** Fewer connections to the server than programs open: whoever relies on keeping his is found out. */
export async function startPgBouncer(mode: 'transaction' | 'session', behind: Behind): Promise<PgBouncer> {
  const program = findPgBouncer();
  if (!program) throw new Error(NO_PGBOUNCER);
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-pgbouncer-'));
  chmodSync(folder, 0o755);
  const port = await findQuietPort();
  const settings = join(folder, 'pgbouncer.ini');
  writeFileSync(
    settings,
    `[databases]
* = host=${behind.host} port=${behind.port} user=tocsin password=${behind.password}
[pgbouncer]
listen_addr = ${HOST}
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = ${mode === 'transaction' ? 8 : 60}
max_client_conn = 1000
server_reset_query_always = 0
ignore_startup_parameters = ${mode === 'session' ? 'statement_timeout,idle_in_transaction_session_timeout' : ''}
logfile = ${join(folder, 'log')}
`,
  );
  const account = isRoot() ? await chooseServerAccount() : undefined;
  if (account) chownSync(folder, account.uid, account.gid);
  const child = spawn(program, ['-q', settings], {
    stdio: 'ignore',
    ...(account && { uid: account.uid, gid: account.gid }),
  });
  const isListening = () =>
    new Promise<boolean>((resolve) => {
      const probe = createConnection({ host: HOST, port });
      probe.once('connect', () => resolve(true)).once('error', () => resolve(false));
      probe.once('connect', () => probe.destroy());
    });
  while (!(await isListening())) {
    if (child.exitCode !== null)
      throw new Error(`PgBouncer does not start: ${readFileSync(join(folder, 'log'), 'utf8')}`);
    await sleep(50);
  }
  return {
    host: HOST,
    port,
    pid: child.pid ?? 0,
    async stop() {
      child.kill('SIGTERM');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

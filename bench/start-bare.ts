import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { raw } from 'sql-template-tag';
import { projectRoot } from '../src/platform/project-root.ts';
import type { Cluster } from './cluster.ts';
import type { Program } from './compare.ts';
import { openNewDatabase } from './new-database.ts';

export interface Bare {
  program: Program;
  /** A server beside it that does nothing. */
  idleUrl: string;
  child: ChildProcess;
}

/** The bare server, on two tables of its own. */
export async function startBare({ connection, pid }: Cluster): Promise<Bare> {
  const db = await openNewDatabase(connection, 'bare');
  await db.query(
    raw(`create table reading (service_id int not null, channel_id int not null, taken_at timestamptz not null,
      value float8 not null, primary key (service_id, channel_id, taken_at))`),
  );
  await db.query(
    raw(`create table latest (service_id int, channel_id int, last_at timestamptz, last_value float8,
      primary key (service_id, channel_id)) with (fillfactor = 70)`),
  );
  await db.close();
  const child = fork(join(projectRoot, 'build/bench/bare-server.js'), [JSON.stringify(connection)]);
  const [{ url, idleUrl }] = (await once(child, 'message')) as [{ url: string; idleUrl: string }];
  return { program: { url, pid: child.pid ?? 0, databasePid: pid }, idleUrl, child };
}

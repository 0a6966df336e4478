// The database is set back to an earlier day under a program that goes on: its transactions get numbers that others had
// before. What the program remembers of those is not taken for what is there now.
import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import type { OrganizationId } from '../../src/domain/ids.ts';
import { rememberLists } from '../../src/features/alarms/remember-lists.ts';
import { type Database, openPool } from '../../src/platform/db/database.ts';
import { openEmbedded } from '../../src/platform/db/embedded/open-embedded.ts';
import { migrate } from '../../src/platform/db/migrate.ts';
import { STORY_BEGINS_AT as now } from '../support/movable-clock.ts';
import { whenFileIsDone } from '../support/when-file-is-done.ts';

interface Running {
  db: Database;
  stop(): Promise<void>;
}

async function start(dataDir: string): Promise<Running> {
  const embedded = await openEmbedded({ dataDir });
  const db = openPool(embedded.connection, () => {});
  const stop = async () => {
    await db.close();
    await embedded.close();
  };
  return { db, stop };
}

/** Answers with the number of the transaction. */
async function rename(db: Database, name: string): Promise<string | undefined> {
  const [row] = await db.query<{ version: string }>(
    sql`update service set name = ${name} returning xmin::text as "version"`,
  );
  return row?.version;
}

test('a list that was remembered before the database was set back is read anew', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-set-back-'));
  await chmod(folder, 0o755);
  whenFileIsDone(() => rm(folder, { recursive: true, force: true }));
  const [dataDir, backup] = [join(folder, 'data'), join(folder, 'backup')];
  let running = await start(dataDir);
  whenFileIsDone(() => running.stop().catch(() => {}));
  await migrate(running.db, now);
  await running.db.query(sql`insert into organization (name, created_at) values ('Biobank', ${now})`);
  await running.db.query(
    sql`insert into service (organization_id, name, created_at) values (1, 'Freezer', ${now})`,
  );
  await running.db.query(sql`
    insert into alarm_state (service_id, organization_id, severity, severity_since, channel, message, episode_id)
    values (1, 1, 'critical', ${now}, 'temperature', 'Too warm', 1)`);
  await running.stop();
  execFileSync('cp', ['-a', dataDir, backup]);

  running = await start(dataDir);
  const current = new Proxy({} as Database, { get: (_, name) => Reflect.get(running.db, name) });
  const readList = rememberLists(current);
  const memberships = [
    { organizationId: 1 as OrganizationId, organizationName: 'Biobank', role: 'viewer' as const },
  ];
  const read = async () => String((await readList({ memberships }, now)).bytes);
  const before = await rename(running.db, 'Freezer of the future');
  expect(await read()).toContain('Freezer of the future');

  await running.stop();
  await rm(dataDir, { recursive: true });
  execFileSync('cp', ['-a', backup, dataDir]);
  running = await start(dataDir);
  expect(await rename(running.db, 'Freezer of the past')).toBe(before);
  expect(await read()).toContain('Freezer of the past');
});

// The embedded database is backed up before an upgrade changes its schema.
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sql from 'sql-template-tag';
import { beforeAll, expect, test } from 'vitest';
import { type Database, openPool } from '../../src/platform/db/database.ts';
import { openEmbedded } from '../../src/platform/db/embedded/open-embedded.ts';
import { makeSchema } from '../../src/platform/db/migrate.ts';
import { readMigrations } from '../../src/platform/db/migrations.ts';
import { STORY_BEGINS_AT } from '../support/movable-clock.ts';
import { makeDataDir, runCommand, startServing } from '../support/program.ts';

const SLOW = { timeout: 180_000 };

async function withDatabase<Value>(dataDir: string, work: (db: Database) => Promise<Value>): Promise<Value> {
  const embedded = await openEmbedded({ dataDir });
  const db = openPool(embedded.connection, () => {});
  try {
    return await work(db);
  } finally {
    await db.close();
    await embedded.close();
  }
}

/** Made once; each test works on a copy. */
let olderDataDir: string;
beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-older-'));
  await chmod(folder, 0o755);
  olderDataDir = join(folder, 'data');
  const migrations = await readMigrations();
  await withDatabase(olderDataDir, (db) =>
    db.alone((session) => makeSchema(session, migrations.slice(0, -1), STORY_BEGINS_AT)),
  );
  return () => rm(folder, { recursive: true, force: true });
});

/** A data folder as the version before this one left it; answers with the name of what is pending. */
async function makeOlder(hasData: boolean) {
  const TOCSIN_DATA = await makeDataDir(olderDataDir);
  if (hasData)
    await withDatabase(TOCSIN_DATA, (db) =>
      db.query(sql`insert into organization (name, created_at) values ('Virology', ${STORY_BEGINS_AT})`),
    );
  const folder = join(TOCSIN_DATA, 'backups');
  const pending = (await readMigrations()).at(-1)?.name.replace('.sql', '') ?? '';
  return { env: { TOCSIN_DATA, TOCSIN_RETENTION_DAYS: '7' }, folder, pending };
}

test(
  'before a start with a newer version, once; the last three are kept; it can be restored',
  SLOW,
  async () => {
    const { env, folder, pending } = await makeOlder(true);
    await mkdir(folder);
    for (const day of ['0101', '0201', '0301'])
      await writeFile(join(folder, `before-0009_readings-2026${day}T000000Z.backup.gz`), '');
    await writeFile(join(folder, 'mine.backup.gz'), '');

    const serving = await startServing(env);
    expect(serving.said()).toContain('The database is backed up before its schema is changed');
    await serving.stop();
    await (await startServing(env)).stop();
    const files = (await readdir(folder)).sort();
    expect(files).toEqual([
      'before-0009_readings-20260201T000000Z.backup.gz',
      'before-0009_readings-20260301T000000Z.backup.gz',
      expect.stringMatching(new RegExp(`^before-${pending}-\\d{8}T\\d{6}Z\\.backup\\.gz$`)),
      'mine.backup.gz',
    ]);
    const file = join(folder, files[2] ?? '');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const restored = await runCommand(['restore', '--replace', '--yes', '--json', file], env);
    expect(JSON.parse(restored.stdout)).toMatchObject({ migrations_applied: 1 });
    const names = await withDatabase(env.TOCSIN_DATA, (db) => db.query(sql`select name from organization`));
    expect(names).toEqual([{ name: 'Virology' }]);
  },
);

test('without one nothing is changed, unless somebody says so', SLOW, async () => {
  const { env, folder, pending } = await makeOlder(true);
  // Nobody can write there.
  await writeFile(folder, '');
  const refusal = {
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(
      /The schema was not changed, for no backup could be made before: .*--no-backup/,
    ),
  };
  expect(await runCommand(['migrate'], env)).toEqual(refusal);
  expect(await runCommand(['serve'], { ...env, PORT: '0' })).toMatchObject({
    code: 1,
    stderr: refusal.stderr,
  });
  expect(await runCommand(['migrate', '--no-backup'], env)).toMatchObject({
    code: 0,
    stdout: `Applied ${pending}.sql\n`,
  });
});

test('nothing to lose, nothing to keep', SLOW, async () => {
  const { env, folder } = await makeOlder(false);
  expect(await runCommand(['migrate'], env)).toMatchObject({ code: 0, stderr: '' });
  await expect(stat(folder)).rejects.toThrow('ENOENT');
});

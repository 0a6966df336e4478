// Who changes a schema that is in use: the service when it starts, and the command that says so. Nobody else.
import { hostname } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import sql, { raw } from 'sql-template-tag';
import { beforeEach, describe, expect, test } from 'vitest';
import { enrolProgram } from '../../src/engine/self-watch/programs.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { projectRoot } from '../../src/platform/project-root.ts';
import { runCommand, startServing } from '../support/program.ts';
import { cloneDatabase } from '../support/test-database.ts';

const LAST = '0012_walls.sql';
const LAB_FILE = join(projectRoot, 'examples/lab.yaml');
const CREATE_ACCOUNT = ['account', 'create', '--email', 'v@lab.example', '--name', 'Vera', '--no-password'];

let db: Database;
let url: string;
let env: Record<string, string>;
beforeEach(async () => {
  ({ db, url } = await cloneDatabase());
  env = { DATABASE_URL: url };
});

/** As it was before the last change of the schema. */
async function makeOlder(): Promise<void> {
  await db.query(raw('drop table wall_link'));
  await db.query(sql`delete from schema_migration where name = ${LAST}`);
}
const isOlder = async () => {
  const [table] = await db.query<{ name: string | null }>(sql`select to_regclass('wall_link') as "name"`);
  return table?.name === null;
};

describe('a database that is in use and older', () => {
  const ADVICE =
    'The database is of an older version of Tocsin (1 migration is pending). ' +
    'Run tocsin migrate, or start the service: both bring it up to date.\n';

  test('other commands say what to do, and do nothing', async () => {
    await makeOlder();
    const commands = [['why', '1'], ['apply', LAB_FILE, '--dry-run'], ['apply', LAB_FILE], CREATE_ACCOUNT];
    const outcomes = await Promise.all(commands.map((command) => runCommand(command, env)));
    expect(outcomes).toEqual(commands.map(() => ({ code: 1, stdout: '', stderr: ADVICE })));
    expect(await isOlder()).toBe(true);
    expect(await db.query(sql`select 1 from account`)).toEqual([]);
  });

  test('tocsin migrate shows what is pending, applies it, and then has nothing to do', async () => {
    await makeOlder();
    await enrolProgram(db, ['web'], new Date()).beat(new Date());
    expect(await runCommand(['migrate', '--dry-run'], env)).toEqual({
      code: 0,
      stdout: `Would apply ${LAST}\n`,
      stderr: '',
    });
    expect(await isOlder()).toBe(true);
    expect(await runCommand(['migrate', '--json'], env)).toEqual({
      code: 0,
      stdout: `{"applied":["${LAST}"],"pending":[]}\n`,
      stderr: `Restart the programs that run on it, with this version: ${hostname()} (process ${process.pid})\n`,
    });
    expect(await isOlder()).toBe(false);
    expect((await runCommand(['migrate'], env)).stdout).toBe('The database is up to date.\n');
  });

  test('the service brings it up to date, however long somebody else holds a table', async () => {
    await makeOlder();
    const other = new pg.Client({ connectionString: url });
    await other.connect();
    await other.query('begin; lock table organization in row exclusive mode');
    const hurried = `${url}${url.includes('?') ? '&' : '?'}statement_timeout=300`;
    const starting = startServing({ DATABASE_URL: hurried });
    const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await expect.poll(() => db.query(waiting), { timeout: 60_000 }).toHaveLength(1);
    await new Promise((resolve) => setTimeout(resolve, 600));
    await other.end();
    const serving = await starting;
    expect(serving.said()).toContain('Applied 1 migration(s).');
    expect(await isOlder()).toBe(false);
  });
});

test('a database that is newer is left alone by everybody', async () => {
  await db.query(sql`insert into schema_migration values ('9999_future.sql', 'x', '2030-01-01')`);
  const commands = [['why', '1'], ['migrate'], ['serve'], CREATE_ACCOUNT];
  const outcomes = await Promise.all(commands.map((command) => runCommand(command, env)));
  const stderr =
    'The database has migration 9999_future.sql, which this version of Tocsin does not know: run a newer version\n';
  expect(outcomes).toEqual(commands.map(() => ({ code: 1, stdout: '', stderr })));
});

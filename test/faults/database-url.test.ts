import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { projectRoot } from '../../src/platform/project-root.ts';
import { startPostgres, urlOf } from '../support/postgres-server.ts';
import { makeDataDir, runCommand, startServing } from '../support/program.ts';
import { openSmtpReceiver } from '../support/smtp-receiver.ts';
import { asAdministrator, cloneDatabase } from '../support/test-database.ts';

test('with DATABASE_URL the same program runs on PostgreSQL 15 and starts no database of its own', async () => {
  const TOCSIN_DATA = await makeDataDir();
  const postgres = await startPostgres('15');
  onTestFinished(postgres.stop);
  // Without a mail server it would not be well.
  const { url: SMTP_URL } = await openSmtpReceiver();
  const env = { TOCSIN_DATA, DATABASE_URL: urlOf(postgres.connection, 'tocsin'), SMTP_URL };
  const file = join(projectRoot, 'examples/lab.yaml');
  const applied = await runCommand(['apply', file, '--json'], env);
  expect(applied).toMatchObject({ code: 0, stderr: '' });
  expect(Object.keys(JSON.parse(applied.stdout))).toEqual([
    'organizations',
    'accounts',
    'groups',
    'services',
  ]);

  const serving = await startServing(env);
  const { accounts } = parse(await readFile(file, 'utf8')) as {
    accounts: { email: string; password: string }[];
  };
  const answer = await fetch(`${serving.url}/api/v1/auth/token`, {
    method: 'POST',
    body: new URLSearchParams({ username: accounts[0]?.email ?? '', password: accounts[0]?.password ?? '' }),
  });
  const { access_token } = (await answer.json()) as { access_token: string };
  const askHealth = async () => {
    const headers = { authorization: `Bearer ${access_token}` };
    return (await fetch(`${serving.url}/api/v1/health/detailed`, { headers })).json();
  };
  // A look at a busy machine may take too long; the report is kept for a while.
  await expect.poll(askHealth, { timeout: 30_000, interval: 1_000 }).toMatchObject({
    status: 'healthy',
    components: { database: { kind: 'external', version: expect.stringMatching(/^15\./) } },
  });

  expect(await runCommand(['doctor'], env)).toMatchObject({ code: 0 });
  await serving.stop();
  expect(existsSync(TOCSIN_DATA)).toBe(false);
  const client = new pg.Client({ connectionString: env.DATABASE_URL });
  await client.connect();
  await client.end();
});

describe('a database that cannot be used says why in one line', () => {
  let database: string;
  let env: Record<string, string>;
  const LAB_FILE = join(projectRoot, 'examples/lab.yaml');
  beforeAll(async () => {
    const { url, connection } = await cloneDatabase();
    database = connection.database;
    env = { DATABASE_URL: url };
  });
  const said = async (command: string[], environment = env) => {
    const { code, stderr } = await runCommand(command, environment);
    expect(code).toBe(1);
    return stderr;
  };

  test('it only reads', async () => {
    await asAdministrator(`alter database ${database} set default_transaction_read_only = on`);
    for (const command of [['serve'], ['apply', LAB_FILE]])
      expect(await said(command)).toMatch(
        /^The database is not available: cannot execute [A-Z ]+ in a read-only transaction\n$/,
      );
  });

  test('the role may not make tables', async () => {
    await asAdministrator('drop role if exists guest');
    await asAdministrator(`create role guest login password 'guest'`);
    await asAdministrator(`create database ${database}_of_another template template0`);
    onTestFinished(() => asAdministrator(`drop database ${database}_of_another with (force)`));
    const guest = env.DATABASE_URL?.replace(/tocsin:[^@]+@/, 'guest:guest@').replace(
      database,
      `${database}_of_another`,
    );
    expect(await said(['apply', LAB_FILE], { DATABASE_URL: guest ?? '' })).toBe(
      'The database refuses it: permission denied for schema public. docs/postgresql.md lists the rights that are needed.\n',
    );
  });

  test('it is not in UTF-8', async () => {
    await asAdministrator(
      `create database ${database}_latin template template0 encoding 'LATIN1' locale 'C'`,
    );
    onTestFinished(() => asAdministrator(`drop database ${database}_latin with (force)`));
    const latin = env.DATABASE_URL?.replace(database, `${database}_latin`) ?? '';
    expect(await said(['serve'], { DATABASE_URL: latin })).toBe(
      'The database has to be in UTF-8, and is in LATIN1: create it anew with encoding UTF8\n',
    );
  });
});

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { projectRoot } from '../../src/platform/project-root.ts';
import { startPostgres, urlOf } from '../support/postgres-server.ts';
import { makeDataDir, runCommand, startServing } from '../support/program.ts';

test('with DATABASE_URL the same program runs on PostgreSQL 15 and starts no database of its own', async () => {
  const TOCSIN_DATA = await makeDataDir();
  const postgres = await startPostgres('15');
  onTestFinished(postgres.stop);
  const env = { TOCSIN_DATA, DATABASE_URL: urlOf(postgres.connection, 'tocsin') };
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
  const health = await fetch(`${serving.url}/api/v1/health/detailed`, {
    headers: { authorization: `Bearer ${access_token}` },
  });
  expect(await health.json()).toMatchObject({
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

import { expect, test } from 'vitest';
import { openStream } from '../support/live-stream.ts';
import { runCommand, startServing } from '../support/program.ts';
import { askToken } from '../support/sign-in.ts';
import { cloneDatabase } from '../support/test-database.ts';
import type { TestServer } from '../support/test-server.ts';

const LAB = JSON.stringify({
  accounts: [{ email: 'vera@lab.example', name: 'Vera', password: 'correct horse battery' }],
  organizations: [
    {
      name: 'Cell Biology',
      members: [{ email: 'vera@lab.example', role: 'operator' }],
      sources: [{ name: 'gateway', secret: 'a secret of the gateway' }],
      services: [
        {
          name: 'Freezer 1',
          device: { key: 'freezer' },
          channels: [{ name: 'temperature', kind: 'metric' }],
          limits: [{ channel: 'temperature', bands: { CRITICAL_HIGH: { limit: -60 } } }],
        },
      ],
    },
  ],
});

test('two programs wake each other, and an open stream does not hold up the end of one', async () => {
  const { url } = await cloneDatabase();
  // A socket's address is no host of a URL.
  const env = { DATABASE_URL: url.replace('@/', '@localhost/') };
  expect(await runCommand(['apply', '-'], env, LAB)).toMatchObject({ code: 0, stderr: '' });
  const here = await startServing(env);
  const there = await startServing(env);

  const signIn = await askToken(there as unknown as TestServer, {
    username: 'vera@lab.example',
    password: 'correct horse battery',
  });
  const { access_token } = (await signIn.json()) as { access_token: string };
  const stream = await openStream(there, { authorization: `Bearer ${access_token}` });
  const post = await fetch(`${here.url}/api/v1/telemetry`, {
    method: 'POST',
    body: JSON.stringify({ device: 'freezer', values: { temperature: -40 } }),
    headers: { authorization: 'Bearer a secret of the gateway', 'content-type': 'application/json' },
  });
  expect(post.status).toBe(200);
  await expect.poll(stream.changes, { interval: 20 }).toBeGreaterThanOrEqual(1);

  expect((await there.stop()).code).toBe(0);
  await stream.ended;
});
